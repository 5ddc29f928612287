import { type Entering, enterRoom, type RoomState } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'

/** How often to ask again before the opening, because a meeting may be moved. */
const earlyMs = 60_000
/** Delay after the opening, in case the device's clock is fast. */
const afterOpeningMs = 1_000

/**
 * One request to enter: the caller, the PIN or host key, the attempt's number, and how often a link was opened on the
 * page.
 */
type EntryRequest = {
  code: string
  pin: string | undefined
  hostKey: string | undefined
  tries: number
  again: number
  accountId: string | undefined
}

/**
 * The interval of automatic requests. A waiting caller is notified by a stream; all other states change by user action
 * only.
 */
export function askAgainInMs({ state, opensAt }: Entering, now: Date): number | false {
  if (state !== 'too_early') return false
  const untilMs = opensAt === undefined ? earlyMs : Date.parse(opensAt) - now.getTime()
  return Math.min(earlyMs, Math.max(untilMs, 0) + afterOpeningMs)
}

/** Never refetched automatically, because each wrong PIN counts. */
export const entryQuery = ({ code, pin, hostKey, tries, again, accountId }: EntryRequest) =>
  queryOptions({
    queryKey: ['entry', code, pin, hostKey, tries, again, accountId],
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

/** States in which the caller enters or waits; the room's part of the page shows them. */
const openStates = ['admitted', 'waiting', 'waiting_for_host'] as const satisfies readonly RoomState[]

type OpenState = (typeof openStates)[number]
/** States in which the caller is not admitted. */
export type ClosedState = Exclude<RoomState, OpenState>

export const isOpen = (state: RoomState): state is OpenState => openStates.some((open) => open === state)

export const isClosed = (entering: Entering): entering is Entering & { state: ClosedState } => !isOpen(entering.state)
