import { useQueryClient } from '@tanstack/react-query'
import { clearSecrets } from '../session/kept-secrets.ts'

/** Reload at the sign-in page after the server has ended the session, so that no data stays in memory. */
export function useClearSession(): () => void {
  const queryClient = useQueryClient()
  return () => {
    queryClient.clear()
    clearSecrets(sessionStorage)
    window.location.assign('/sign-in')
  }
}
