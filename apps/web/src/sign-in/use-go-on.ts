import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { clearReturn } from './kept-return.ts'

/** The pages on the way to an app are the server's own. */
export const isServerPage = (address: string): boolean => address.startsWith('/oauth2/')

/** Leads on to where somebody wanted to go, in place of the page that they are at. */
export function useGoOn(): (address: string) => void {
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
