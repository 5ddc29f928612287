import { useDates } from '../../texts/dates.ts'
import { useNow } from './use-now.ts'

/** Relative times have minute precision. */
const everyMs = 60_000

type DateFormat = {
  /** "Monday, 7 January 2030" */
  day(at: string): string
  /** "Mon, 7 Jan 2030, 09:00" */
  moment(at: string): string
  /** "2 days ago", updated while it is shown. */
  distance(at: string): string
}

/** Former form of `useDates`, for the callers that still have it. */
export function useDateFormat(): DateFormat {
  const { date, dateTime, relative } = useDates()
  const now = useNow(everyMs)
  return { day: date, moment: dateTime, distance: (at) => relative(at, now) }
}
