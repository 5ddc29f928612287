import { useQuery } from '@tanstack/react-query'
import { useNow } from '../ui/use-now.ts'
import { type DatedMeeting, datedMeetingsQuery } from './dated-meetings.ts'

const hourMs = 3_600_000
/** As far as one answer reaches. A series whose next date is later, or not among the first thousand, has none here. */
const horizonMs = 100 * 24 * hourMs
const tickMs = 60_000

/** The date of each series that is running or comes next, all of one request, which is made only where a row is a series. */
export function useNextDates(meetings: readonly { recur: boolean }[]): ReadonlyMap<string, DatedMeeting> {
  const now = useNow(tickMs)
  // The same question for an hour, so that it is asked once.
  const hour = Math.floor(now.getTime() / hourMs) * hourMs
  const { data } = useQuery({
    ...datedMeetingsQuery(new Date(hour), new Date(hour + horizonMs)),
    enabled: meetings.some(({ recur }) => recur),
  })
  const next = new Map<string, DatedMeeting>()
  for (const date of data?.occurrences ?? [])
    if (!next.has(date.meetingId) && new Date(date.endTime) > now) next.set(date.meetingId, date)
  return next
}
