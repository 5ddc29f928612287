import { type Entering, enterRoom } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** A meeting may be moved while somebody waits for it to open. */
const earlyMs = 60_000
/** So that the door is open when the clock of the device is a little ahead. */
const afterOpeningMs = 1_000

/** One knock: who asks, with which PIN, for the how-manieth time, since which opening of the link. */
export type Knock = {
  code: string
  pin: string | undefined
  hostKey: string | undefined
  tries: number
  again: number
  accountId: string | undefined
}

/** When to ask again by itself: who waits for a person is told by a stream, and all else only a person can change. */
export function askAgainInMs({ state, opensAt }: Entering, now: Date): number | false {
  if (state !== 'too_early') return false
  const untilMs = opensAt === undefined ? earlyMs : Date.parse(opensAt) - now.getTime()
  return Math.min(earlyMs, Math.max(untilMs, 0) + afterOpeningMs)
}

/** Never asked again on a whim: each wrong PIN counts. */
export const entryQuery = ({ code, pin, hostKey, tries, again, accountId }: Knock) =>
  queryOptions({
    queryKey: ['door', code, pin, hostKey, tries, again, accountId],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: () =>
      client.call(enterRoom, {
        params: { svcMeetId: code },
        body: { ...(pin !== undefined && { pin }), ...(hostKey !== undefined && { hostKey }) },
      }),
    refetchInterval: ({ state: { data, dataUpdatedAt } }) =>
      data !== undefined && askAgainInMs(data, new Date(dataUpdatedAt)),
  })
