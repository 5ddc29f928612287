import { useQueryClient } from '@tanstack/react-query'
import { clearSecrets } from '../session/kept-secrets.ts'

/** Begins anew at the sign-in page after the server has ended the session: nothing of the person stays in memory. */
export function useClearSession(): () => void {
  const queryClient = useQueryClient()
  return () => {
    queryClient.clear()
    clearSecrets(sessionStorage)
    window.location.assign('/sign-in')
  }
}
