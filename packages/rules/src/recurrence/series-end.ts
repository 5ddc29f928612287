import { dayMs } from './calendar-day.ts'
import { occurrenceStarts, type Series } from './recurrence.ts'
import { wallClockIn } from './wall-clock.ts'

/**
 * Copy a series with another end, and without its count. The end decides, and the count is shown beside it: occurrences
 * are computed from any date, but counting them takes the first.
 */
export const withEnd = (series: Series, endsBy: Date | null): Series => ({
  ...series,
  rule: { ...series.rule, count: undefined },
  endsBy,
})

/**
 * Find the `endsBy` that gives a series `count` occurrences: the last second of the last one's day in the series' zone,
 * so that a later change of the time of day keeps their number. Undefined when there are fewer until `latest`.
 */
export function endAfterOccurrences(series: Omit<Series, 'endsBy'>, count: number, latest: Date): Date | undefined {
  const last = occurrenceStarts({ ...series, endsBy: latest })
    .drop(count - 1)
    .next().value
  if (last === undefined) return undefined
  return endOfDay(series, last)
}

/** The last second of an occurrence's day in the series' zone, or its start where the clock was set back after it. */
export function endOfDay({ timeZone }: Pick<Series, 'timeZone'>, startMs: number): Date {
  const clock = wallClockIn(timeZone)
  const dayEndMs = (Math.floor(clock.read(startMs) / dayMs) + 1) * dayMs - 1000
  return new Date(Math.max(startMs, clock.instantOf(dayEndMs)))
}
