import { useQuery } from '@tanstack/react-query'
import { useNow } from '../ui/hooks/use-now.ts'
import { type DatedMeeting, datedMeetingsQuery } from './list/dated-meetings.ts'

const hourMs = 3_600_000
const soonMs = 7 * 24 * hourMs
/** A meeting that runs over can be entered for a day. */
const runsOverMs = 24 * hourMs
/** Those that are running are among them, unless this many took place since yesterday. */
const maxDates = 300
/** People come and go, and hosts end meetings: the clock does not tell. */
const lookEveryMs = 20_000

/** What is running and what comes within a week, with what goes on in its rooms; the time with it, told every so often. */
export function useCurrentDates(tickMs: number): { now: Date; dates: readonly DatedMeeting[] | undefined } {
  const now = useNow(tickMs)
  // The same question for an hour, so that it is asked once.
  const hour = Math.floor(now.getTime() / hourMs) * hourMs
  const { data } = useQuery({
    ...datedMeetingsQuery(new Date(hour - runsOverMs), new Date(hour + soonMs), maxDates),
    refetchInterval: lookEveryMs,
    // Whoever comes back from a room that they ended would see it running.
    staleTime: 0,
  })
  return { now, dates: data?.occurrences }
}
