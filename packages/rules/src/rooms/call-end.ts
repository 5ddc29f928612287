import { type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'
import { opensAtOf, staysOpenAfterMs } from './admission.ts'

const minuteMs = 60_000

type Extension = {
  minutes: number
  occurrence: Pick<Occurrence, 'endsAt'>
  /** The next date of the series that takes place, if any. */
  next: Pick<Occurrence, 'startsAt'> | undefined
  now: Date
}

/**
 * The end of a call that a host extends: counted from the announced end, or from now when that has passed. It comes no
 * later than the moment from which visitors enter another date, or none; undefined when that has come already.
 */
export function extendedEnd(
  announced: Date,
  { minutes, occurrence, next, now }: Extension,
): { endsAt: Date; shortened: boolean } | undefined {
  const fromMs = Math.max(announced.getTime(), now.getTime())
  const closesMs = occurrence.endsAt.getTime() + staysOpenAfterMs
  const latestMs = next === undefined ? closesMs : Math.min(closesMs, opensAtOf(next).getTime())
  if (latestMs <= fromMs) return undefined
  const wantedMs = fromMs + minutes * minuteMs
  return { endsAt: new Date(Math.min(wantedMs, latestMs)), shortened: wantedMs > latestMs }
}

/** The next date of a series that takes place after the start of this one. */
export function occurrenceAfter(series: Series, { startsAt, originalStart }: Occurrence): Occurrence | undefined {
  const isLater = (other: Occurrence) =>
    !other.cancelled && other.startsAt >= startsAt && other.originalStart.getTime() !== originalStart.getTime()
  return occurrences(series, startsAt).find(isLater)
}
