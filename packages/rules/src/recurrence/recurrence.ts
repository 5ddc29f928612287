import { dayMs, dayOf } from './calendar-day.ts'
import { chosenDays, type RecurrenceRule } from './recurrence-rule.ts'
import { wallClockIn } from './wall-clock.ts'

export type { MonthlyDay, RecurrenceRule } from './recurrence-rule.ts'

/** A single or recurring meeting, on the wall clock that `startsAt` shows in `timeZone`. */
export type Series = {
  /** Whole seconds. The first occurrence when the rule selects its day; otherwise the first selected day after it. */
  startsAt: Date
  /** At most 24 hours. */
  durationMs: number
  /** An IANA id or a fixed offset such as +05:30. */
  timeZone: string
  rule: RecurrenceRule
  /**
   * The last occurrence starts at or before this instant; null: the series has no end. Ignored when `repeat` is `none`.
   */
  endsBy: Date | null
  /** Starts of skipped occurrences. Instants at which no occurrence starts have no effect. */
  excluded: readonly Date[]
}

export type Occurrence = { startsAt: Date; endsAt: Date; excluded: boolean }

/** No occurrence starts later, so that every end has a four-digit year, which is all that RFC 3339 can express. */
const horizonMs = Date.UTC(9999, 11, 31) - 1

/**
 * Generate the occurrences in order, lazily, from the first one that ends after `from`; excluded ones are included and
 * marked. A series without an end continues to the year 9999. Implements RFC 5545, 3.8.5.3 for DAILY, WEEKLY and
 * MONTHLY.
 *
 * @throws RangeError when the zone is invalid, or the interval is not an integer ≥ 1
 */
export function* occurrences(series: Series, from?: Date): Generator<Occurrence> {
  const excluded = new Set(series.excluded.map(Number))
  const nextStart = startsEndingAfter(series, from)
  for (let startMs = nextStart(); startMs !== undefined; startMs = nextStart()) {
    yield occurrence(series, startMs, excluded.has(startMs))
  }
}

/** Generate only the starts of the same occurrences, in milliseconds since 1970. Faster for long series. */
export function* occurrenceStarts(series: Series, from?: Date): Generator<number> {
  const nextStart = startsEndingAfter(series, from)
  for (let startMs = nextStart(); startMs !== undefined; startMs = nextStart()) yield startMs
}

/** The earliest occurrence that is not excluded and has not ended at `now`; it may be running. */
export function nextOccurrence(series: Series, now: Date): Occurrence | undefined {
  return occurrences(series, now).find((occurrence) => !occurrence.excluded)
}

/** The first occurrence that is not excluded; undefined when the series has none. */
export function firstOccurrence(series: Series): Occurrence | undefined {
  return occurrences(series).find((occurrence) => !occurrence.excluded)
}

/** The occurrence that starts at exactly this instant, excluded or not; undefined when none does. */
export function occurrenceAt(series: Series, startsAt: Date): Occurrence | undefined {
  const startMs = startsBetween(series, startsAt.getTime(), startsAt.getTime())()
  const isExcluded = series.excluded.some((skipped) => skipped.getTime() === startMs)
  return startMs === undefined ? undefined : occurrence(series, startMs, isExcluded)
}

/**
 * The end of the last occurrence that is not excluded; 'never' for a series without an end; undefined when there is
 * none.
 */
export function lastEnd(series: Series): Date | 'never' | undefined {
  const lastStart = series.rule.repeat === 'none' ? series.startsAt : series.endsBy
  if (lastStart === null) return firstOccurrence(series) && 'never'

  // Search backwards from the end in growing steps: there nearly always is an occurrence near the end.
  for (let reachMs = 32 * dayMs; ; reachMs *= 2) {
    const from = new Date(Math.max(lastStart.getTime() - reachMs, series.startsAt.getTime() - 1))
    const last = [...occurrences(series, from)].findLast((occurrence) => !occurrence.excluded)
    if (last !== undefined || !(from >= series.startsAt)) return last?.endsAt
  }
}

const occurrence = (series: Series, startMs: number, excluded: boolean): Occurrence => ({
  startsAt: new Date(startMs),
  endsAt: new Date(startMs + series.durationMs),
  excluded,
})

const startsEndingAfter = (series: Series, from: Date | undefined) =>
  startsBetween(
    series,
    from === undefined ? Number.NEGATIVE_INFINITY : from.getTime() - series.durationMs + 1,
    horizonMs,
  )

/** Iterate over the starts from `firstMs` to `lastMs`, strictly ascending; undefined when none is left. */
function startsBetween(series: Series, firstMs: number, lastMs: number): () => number | undefined {
  const { rule, endsBy } = series
  const anchorMs = series.startsAt.getTime()
  if (rule.repeat === 'none') {
    const left = [anchorMs].filter((startMs) => firstMs <= startMs && startMs <= lastMs)
    return () => left.shift()
  }
  const fromMs = Math.max(firstMs, anchorMs)
  const untilMs = Math.min(lastMs, endsBy?.getTime() ?? horizonMs, horizonMs)
  if (!(fromMs <= untilMs)) return () => undefined // an invalid date gives NaN

  const clock = wallClockIn(series.timeZone)
  const anchorWallMs = clock.read(anchorMs)
  const anchorDay = dayOf(anchorWallMs)
  const timeOfDayMs = anchorWallMs - anchorDay * dayMs

  // UTC offsets are below a day, so a local day differs from the UTC day by at most one.
  const firstDay = Math.max(anchorDay, dayOf(fromMs) - 1)
  const nextDay = chosenDays(rule, anchorDay, firstDay, dayOf(untilMs) + 1)
  let previousMs = fromMs - 1
  return () => {
    for (let day = nextDay(); day !== undefined; day = nextDay()) {
      // The anchor may be the second occurrence of a repeated wall clock time; all others are the first.
      const startMs = day === anchorDay ? anchorMs : clock.instantOf(day * dayMs + timeOfDayMs)
      if (startMs > untilMs) return undefined
      // Two days share a start where the clock left out one of them: Samoa had no 2011-12-30.
      if (startMs <= previousMs) continue
      previousMs = startMs
      return startMs
    }
  }
}
