import { dayMs } from './calendar-day.ts'
import { occurrenceStarts, type Series } from './recurrence.ts'
import { wallClockIn } from './wall-clock.ts'

/**
 * The end that leaves a series so many occurrences: the last second of the day of the last one, on the clock of the series,
 * so that a later change of the time of day keeps their number. Undefined when there are not so many until `latest`.
 */
export function endAfterOccurrences(series: Omit<Series, 'endsBy'>, count: number, latest: Date): Date | undefined {
  const last = occurrenceStarts({ ...series, endsBy: latest })
    .drop(count - 1)
    .next().value
  if (last === undefined) return undefined
  const clock = wallClockIn(series.timeZone)
  const dayEndMs = (Math.floor(clock.read(last) / dayMs) + 1) * dayMs - 1000
  return new Date(Math.max(last, clock.instantOf(dayEndMs)))
}
