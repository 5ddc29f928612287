import type { MeetingText } from '@parley/contract/meeting-fields'
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
  /** Original starts of skipped occurrences. Instants at which the rule has no occurrence have no effect. */
  cancelled: readonly Date[]
  /** At most one change of each original start. Changes at which the rule has no occurrence have no effect. */
  changed: readonly OccurrenceChange[]
}

/** What one occurrence has of its own (RFC 5545, 3.8.4.4); null where it is as the series. */
export type OccurrenceChange = {
  originalStart: Date
  times: { startsAt: Date; endsAt: Date } | null
} & Record<MeetingText, string | null>

/** The occurrences of a series that are not as its rule gives them. */
export type Exceptions = Pick<Series, 'cancelled' | 'changed'>

export const noExceptions: Exceptions = { cancelled: [], changed: [] }

export type Occurrence = {
  /** The start that the rule gives, which identifies the occurrence, wherever a change has moved it. */
  originalStart: Date
  startsAt: Date
  endsAt: Date
  cancelled: boolean
  change: OccurrenceChange | null
}

/** No occurrence starts later, so that every end has a four-digit year, which is all that RFC 3339 can express. */
const horizonMs = Date.UTC(9999, 11, 31) - 1

/**
 * Generate the occurrences that end after `from`, lazily, in the order of their starts; cancelled ones are included and
 * marked. A series without an end continues to the year 9999. Implements RFC 5545, 3.8.5.3 for DAILY, WEEKLY and
 * MONTHLY.
 *
 * @throws RangeError when the zone is invalid, or the interval is not an integer ≥ 1
 */
export function* occurrences(series: Series, from?: Date): Generator<Occurrence> {
  const cancelled = new Set(series.cancelled.map(Number))
  const isChanged = new Set(series.changed.map(({ originalStart }) => originalStart.getTime()))
  const passed = new Set<number>()
  const isOfRule = (one: Occurrence) => passed.has(one.originalStart.getTime()) || isGiven(series, one)
  const changed = changedFrom(series, cancelled, from).values()
  let next = changed.next().value
  const nextStart = startsEndingAfter(series, from)
  for (let startMs = nextStart(); startMs !== undefined; startMs = nextStart()) {
    if (isChanged.has(startMs)) {
      passed.add(startMs)
      continue
    }
    const regular = occurrence(series, startMs, cancelled.has(startMs))
    for (; next !== undefined && byStart(next, regular) < 0; next = changed.next().value) {
      if (isOfRule(next)) yield next
    }
    yield regular
  }
  for (; next !== undefined; next = changed.next().value) if (isOfRule(next)) yield next
}

/** Generate the original starts of the occurrences, in milliseconds since 1970, without their changes. */
export function* occurrenceStarts(series: Series, from?: Date): Generator<number> {
  const nextStart = startsEndingAfter(series, from)
  for (let startMs = nextStart(); startMs !== undefined; startMs = nextStart()) yield startMs
}

/** The earliest occurrence that is not cancelled and has not ended at `now`; it may be running. */
export function nextOccurrence(series: Series, now: Date): Occurrence | undefined {
  return occurrences(series, now).find((occurrence) => !occurrence.cancelled)
}

/** The first occurrence that is not cancelled; undefined when the series has none. */
export function firstOccurrence(series: Series): Occurrence | undefined {
  return occurrences(series).find((occurrence) => !occurrence.cancelled)
}

/** The occurrence of exactly this original start, cancelled or not; undefined when the rule has none there. */
export function occurrenceAt(series: Series, originalStart: Date): Occurrence | undefined {
  const startMs = startsBetween(series, originalStart.getTime(), originalStart.getTime())()
  if (startMs === undefined) return undefined
  const isCancelled = series.cancelled.some((skipped) => skipped.getTime() === startMs)
  const change = series.changed.find((one) => one.originalStart.getTime() === startMs)
  return occurrence(series, startMs, isCancelled, change)
}

/** Whether an occurrence takes place at other times in the changed series. */
export function isMoved(before: Series, after: Series, originalStart: Date): boolean {
  const [was, is] = [occurrenceAt(before, originalStart), occurrenceAt(after, originalStart)]
  return was?.startsAt.getTime() !== is?.startsAt.getTime() || was?.endsAt.getTime() !== is?.endsAt.getTime()
}

/** The occurrence that takes place from exactly this instant; undefined when none does. */
export function occurrenceStartingAt(series: Series, startsAt: Date): Occurrence | undefined {
  for (const occurrence of occurrences(series, startsAt)) {
    if (occurrence.startsAt > startsAt) return undefined
    if (occurrence.startsAt.getTime() === startsAt.getTime() && !occurrence.cancelled) return occurrence
  }
  return undefined
}

/**
 * The latest end of the occurrences that are not cancelled; 'never' for a series without an end; undefined when there is
 * none.
 */
export function lastEnd(series: Series): Date | 'never' | undefined {
  if (series.changed.length === 0) return lastRegularEnd(series)
  const cancelled = new Set(series.cancelled.map(Number))
  const changed = changedFrom(series, cancelled, undefined).filter(
    (occurrence) => !occurrence.cancelled && isGiven(series, occurrence),
  )
  const regular = lastRegularEnd({
    ...series,
    changed: [],
    cancelled: [...series.cancelled, ...series.changed.map(({ originalStart }) => originalStart)],
  })
  if (regular === 'never') return regular
  const ends = [...changed.map(({ endsAt }) => endsAt.getTime()), ...(regular === undefined ? [] : [regular.getTime()])]
  return ends.length === 0 ? undefined : new Date(Math.max(...ends))
}

/** The last original start that is not cancelled; 'never' for a series without an end; undefined when there is none. */
export function lastOriginalStart(series: Series): Date | 'never' | undefined {
  const end = lastRegularEnd({ ...series, changed: [] })
  return end instanceof Date ? new Date(end.getTime() - series.durationMs) : end
}

/** `lastEnd` of a series without changes. */
function lastRegularEnd(series: Series): Date | 'never' | undefined {
  const lastStart = series.rule.repeat === 'none' ? series.startsAt : series.endsBy
  if (lastStart === null) return firstOccurrence(series) && 'never'

  // Search backwards from the end in growing steps: there nearly always is an occurrence near the end.
  for (let reachMs = 32 * dayMs; ; reachMs *= 2) {
    const from = new Date(Math.max(lastStart.getTime() - reachMs, series.startsAt.getTime() - 1))
    const last = [...occurrences(series, from)].findLast((occurrence) => !occurrence.cancelled)
    if (last !== undefined || !(from >= series.startsAt)) return last?.endsAt
  }
}

/** The changed occurrences that end after `from`, in the order of their starts, including those outside the rule. */
const changedFrom = (series: Series, cancelled: ReadonlySet<number>, from: Date | undefined): Occurrence[] =>
  series.changed
    .map((change) => {
      const startMs = change.originalStart.getTime()
      return occurrence(series, startMs, cancelled.has(startMs), change)
    })
    .filter(({ endsAt }) => from === undefined || endsAt > from)
    .toSorted(byStart)

/**
 * Whether the rule has an occurrence at the original start. This check costs more than the others: call it only where
 * needed.
 */
const isGiven = (series: Series, { originalStart }: Occurrence): boolean =>
  startsBetween(series, originalStart.getTime(), originalStart.getTime())() !== undefined

/** Two occurrences may start at once where one was moved. */
const byStart = (a: Occurrence, b: Occurrence): number =>
  a.startsAt.getTime() - b.startsAt.getTime() || a.originalStart.getTime() - b.originalStart.getTime()

function occurrence(series: Series, startMs: number, cancelled: boolean, change?: OccurrenceChange): Occurrence {
  const { startsAt, endsAt } = change?.times ?? {
    startsAt: new Date(startMs),
    endsAt: new Date(startMs + series.durationMs),
  }
  return { originalStart: new Date(startMs), startsAt, endsAt, cancelled, change: change ?? null }
}

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
      // Where the clock shows a time twice, the anchor may be the second instant; all others are the first.
      const startMs = day === anchorDay ? anchorMs : clock.instantOf(day * dayMs + timeOfDayMs)
      if (startMs > untilMs) return undefined
      // Two days share a start where the clock left out one of them: Samoa had no 2011-12-30.
      if (startMs <= previousMs) continue
      previousMs = startMs
      return startMs
    }
  }
}
