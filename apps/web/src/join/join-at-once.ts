import type { QueryClient } from '@tanstack/react-query'

const keyOf = (code: string) => ['join-at-once', code]

/**
 * Note that the person has pressed "Join now" already, on the page that created the meeting. Kept in memory, so that a
 * reload of the meeting's page never turns camera or microphone on.
 */
export const joinAtOnce = (queryClient: QueryClient, code: string): void => {
  queryClient.setQueryData(keyOf(code), true)
}

/** Whether to join without another click; true once. */
export function takeJoinAtOnce(queryClient: QueryClient, code: string): boolean {
  const joins = queryClient.getQueryData(keyOf(code)) === true
  queryClient.removeQueries({ queryKey: keyOf(code) })
  return joins
}
