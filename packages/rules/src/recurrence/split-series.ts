import { lastOriginalStart, occurrenceAt, occurrenceStarts, type Series } from './recurrence.ts'
import { endOfDay } from './series-end.ts'
import { wallClockIn } from './wall-clock.ts'
import { wallStartOf } from './wall-starts.ts'

/** Two series that have the occurrences of one, each with its cancelled and changed ones. */
export type SeriesParts = {
  before: Series
  /** From the occurrence on. */
  rest: Series
  /** The number of occurrences that `before` has, cancelled ones included. Known for a series with a count only. */
  countBefore: number | undefined
}

/**
 * Split a series before one of its occurrences, named by its original start; undefined where the series has none there,
 * or none before it. A count is divided between the two.
 */
export function splitSeries(series: Series, occurrence: Date): SeriesParts | undefined {
  if (series.rule.repeat === 'none' || occurrenceAt(series, occurrence) === undefined) return undefined
  const last = lastStartBefore(series, occurrence)
  if (last === undefined) return undefined

  const startsAt = anchorOf(series, occurrence)
  const repeated = [...occurrenceStarts({ ...series, startsAt, endsBy: new Date(occurrence.getTime() - 1) })]
  const { count } = series.rule
  const countBefore = count === undefined ? undefined : startsBefore(series, occurrence).length
  const isBefore = (originalStart: Date) => originalStart < occurrence
  const before: Series = {
    ...series,
    rule: { ...series.rule, ...(countBefore !== undefined && { count: countBefore }) },
    endsBy: new Date(Math.min(endOfDay(series, last.getTime()).getTime(), occurrence.getTime() - 1000)),
    cancelled: series.cancelled.filter(isBefore),
    changed: series.changed.filter(({ originalStart }) => isBefore(originalStart)),
  }
  const rest: Series = {
    ...series,
    startsAt,
    rule: {
      ...series.rule,
      ...(count !== undefined && countBefore !== undefined && { count: count - countBefore + repeated.length }),
    },
    cancelled: [
      ...repeated.map((startMs) => new Date(startMs)),
      ...series.cancelled.filter((start) => !isBefore(start)),
    ],
    changed: series.changed.filter(({ originalStart }) => !isBefore(originalStart)),
  }
  return { before, rest, countBefore }
}

/** The last original start before an instant, cancelled or not. */
export function lastStartBefore(series: Series, instant: Date): Date | undefined {
  const earlier = { ...series, cancelled: [], changed: [], endsBy: new Date(instant.getTime() - 1000) }
  const last = lastOriginalStart(earlier)
  return last instanceof Date ? last : undefined
}

/** Whether an occurrence, or one after it, has begun; a change may have moved a later one to before it. */
export const hasBegunFrom = (series: Series, originalStart: Date, now: Date): boolean =>
  [originalStart, ...series.changed.map((change) => change.originalStart)].some((start) => {
    const one = start < originalStart ? undefined : occurrenceAt(series, start)
    return one !== undefined && !one.cancelled && one.startsAt <= now
  })

const startsBefore = (series: Series, instant: Date) => [
  ...occurrenceStarts({ ...series, endsBy: new Date(instant.getTime() - 1000) }),
]

/**
 * Find the start of a series that continues another series from this occurrence on: the last occurrence, up to this
 * one, that is at the series' own time of day. An occurrence that a clock change moved to another time of day cannot be
 * the start, because all later occurrences would take over that time of day.
 */
function anchorOf(series: Series, occurrence: Date): Date {
  const clock = wallClockIn(series.timeZone)
  let start: Date | undefined = occurrence
  while (start !== undefined && wallStartOf(series, start) !== clock.read(start.getTime())) {
    start = lastStartBefore(series, start)
  }
  return start ?? series.startsAt
}
