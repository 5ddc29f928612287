import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { clearReturn } from './kept-return.ts'

/** The pages of an authorization request are rendered by the server. */
export const isServerPage = (address: string): boolean => address.startsWith('/oauth2/')

/** Open the requested page in place of the current one. */
export function useContinue(): (address: string) => void {
  const { history } = useRouter()
  return useCallback(
    (address) => {
      clearReturn()
      if (isServerPage(address)) window.location.replace(address)
      else history.replace(address)
    },
    [history],
  )
}
