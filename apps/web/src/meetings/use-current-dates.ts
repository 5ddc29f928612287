import { useQuery } from '@tanstack/react-query'
import { useNow } from '../ui/hooks/use-now.ts'
import { type DatedMeeting, datedMeetingsQuery } from './list/dated-meetings.ts'

const hourMs = 3_600_000
const soonMs = 7 * 24 * hourMs
/** A meeting that runs over can be joined for a day. */
const runsOverMs = 24 * hourMs
/** Includes the running ones, unless this many took place since yesterday. */
const maxDates = 300
/** How often to refetch: people join and leave, and hosts end meetings, independently of the clock. */
const checkEveryMs = 20_000

/**
 * The running meetings and those of the next week, with the state of their rooms, and the current time, updated
 * regularly.
 */
export function useCurrentDates(tickMs: number): { now: Date; dates: readonly DatedMeeting[] | undefined } {
  const now = useNow(tickMs)
  // The same query key for an hour, so that requests are shared.
  const hour = Math.floor(now.getTime() / hourMs) * hourMs
  const { data } = useQuery({
    ...datedMeetingsQuery(new Date(hour - runsOverMs), new Date(hour + soonMs), maxDates),
    refetchInterval: checkEveryMs,
    // Refetch on mount: the user may come back from a room that they ended.
    staleTime: 0,
  })
  return { now, dates: data?.occurrences }
}
