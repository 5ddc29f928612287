import {
  firstOccurrence,
  lastEnd,
  nextOccurrence,
  type OccurrenceChange,
  occurrenceAt,
  occurrenceStartingAt,
  occurrences,
  type Series,
} from '../recurrence/recurrence.ts'
import { withEnd } from '../recurrence/series-end.ts'
import { hasBegunFrom, splitSeries } from '../recurrence/split-series.ts'

export type CancellationPlan =
  | { kind: 'nothing-left-to-do' }
  /** Cancel one occurrence, named by its original start, and keep the series. */
  | { kind: 'cancel-date'; occurrence: Date }
  /**
   * Cancel the meeting. `cancelledDate` is the occurrence that was its only one, `overAt` the end of the last held occurrence.
   */
  | { kind: 'end'; cancelledDate: Date | null; overAt: Date }
  /** End the series before an occurrence, named by its original start. `before` is what it keeps. */
  | { kind: 'shorten'; occurrence: Date; before: Series }
  | { kind: 'no-such-occurrence' }
  | { kind: 'occurrence-over' }
  /** No occurrence is running or ahead that `current` or `following` could mean. */
  | { kind: 'all-over' }
  | { kind: 'occurrence-begun' }

type CancellationRequest = { extent: 'current' | 'following' | 'all'; occurrence?: Date | undefined }

/**
 * Decide what a cancellation does now. `all` lets an occurrence that has begun run to its end and keeps it; `current`
 * cancels the earliest occurrence that has not ended, including a running one, and the meeting only where no other one
 * was held or is ahead; `following` cancels an occurrence and all that follow, and is `all` where none is left before
 * it.
 */
export function planCancellation(
  series: Series,
  cancelledAt: Date | null,
  { extent, occurrence }: CancellationRequest,
  now: Date,
): CancellationPlan {
  if (cancelledAt !== null) return { kind: 'nothing-left-to-do' }
  if (series.rule.repeat === 'none') {
    return occurrence === undefined || extent === 'all' ? endAll(series, now) : planSingle(series, occurrence, now)
  }
  if (extent === 'all') return endAll(series, now)
  if (extent === 'following') return planFollowing(series, occurrence, now)
  if (occurrence !== undefined) return planOne(series, occurrence, now)
  const next = nextOccurrence(series, now)
  return next === undefined ? { kind: 'all-over' } : cancelDateOrEnd(series, next.originalStart, now)
}

/**
 * The occurrences that a cancelled meeting keeps: those that had begun, wherever a change had moved them. A single
 * meeting keeps none.
 */
export function heldSeries(series: Series, cancelledAt: Date): Series | undefined {
  if (series.rule.repeat === 'none') return undefined
  const isBegun = ({ times, originalStart }: OccurrenceChange) => (times?.startsAt ?? originalStart) <= cancelledAt
  const begunEarly = series.changed.filter((change) => isBegun(change) && change.originalStart > cancelledAt)
  const lastBegun = new Date(Math.max(Number(cancelledAt), ...begunEarly.map(({ originalStart }) => +originalStart)))
  const ended = series.endsBy !== null && series.endsBy < lastBegun ? series : withEnd(series, lastBegun)
  const put = series.changed.filter((change) => !isBegun(change))
  // Occurrences between the cancellation and the last one that was moved to before it.
  const between = [...occurrences({ ...ended, changed: [] }, cancelledAt)].filter(
    ({ originalStart }) =>
      originalStart > cancelledAt && !begunEarly.some((change) => +change.originalStart === +originalStart),
  )
  const notBegun = [...put, ...between].map(({ originalStart }) => originalStart)
  return { ...ended, cancelled: notBegun.length === 0 ? series.cancelled : [...series.cancelled, ...notBegun] }
}

/**
 * The original starts of the occurrences that passed while the meeting was cancelled: they were not held, and do not take
 * place again.
 */
export function passedWhileCancelled(series: Series, cancelledAt: Date, now: Date): Date[] {
  const passed: Date[] = []
  for (const { originalStart, startsAt, endsAt, cancelled } of occurrences(series, cancelledAt)) {
    if (startsAt >= now) break
    if (startsAt > cancelledAt && endsAt <= now && !cancelled) passed.push(originalStart)
  }
  return passed
}

function planSingle(series: Series, occurrence: Date, now: Date): CancellationPlan {
  const named = occurrenceAt(series, occurrence)
  if (named === undefined) return { kind: 'no-such-occurrence' }
  return named.endsAt <= now ? { kind: 'occurrence-over' } : endAll(series, now)
}

/** Without an occurrence, the next one is meant, before which none is left. */
function planFollowing(series: Series, start: Date | undefined, now: Date): CancellationPlan {
  if (start === undefined) return nextOccurrence(series, now) === undefined ? { kind: 'all-over' } : endAll(series, now)
  const named = findNamed(series, start)
  if (named === undefined) return { kind: 'no-such-occurrence' }
  if (named.endsAt <= now) return { kind: 'occurrence-over' }
  const parts = splitSeries(series, named.originalStart)
  if (parts === undefined || nextOccurrence(parts.before, now) === undefined) return endAll(series, now)
  // What has begun stays, and the series cannot end before it.
  if (hasBegunFrom(series, named.originalStart, now)) return { kind: 'occurrence-begun' }
  return { kind: 'shorten', occurrence: named.originalStart, before: parts.before }
}

/** Callers name an occurrence by its original start, or by the start at which a change has put it. */
const findNamed = (series: Series, start: Date) => occurrenceAt(series, start) ?? occurrenceStartingAt(series, start)

function planOne(series: Series, start: Date, now: Date): CancellationPlan {
  const named = findNamed(series, start)
  if (named === undefined) return { kind: 'no-such-occurrence' }
  if (named.endsAt <= now) return { kind: 'occurrence-over' }
  return named.cancelled ? { kind: 'nothing-left-to-do' } : cancelDateOrEnd(series, named.originalStart, now)
}

function cancelDateOrEnd(series: Series, originalStart: Date, now: Date): CancellationPlan {
  const rest = { ...series, cancelled: [...series.cancelled, originalStart] }
  // Dates that took place are history, which a cancelled meeting would hide and no update could continue.
  if (firstOccurrence(rest) !== undefined) return { kind: 'cancel-date', occurrence: originalStart }
  return { kind: 'end', cancelledDate: originalStart, overAt: now }
}

const endAll = (series: Series, now: Date): CancellationPlan => ({
  kind: 'end',
  cancelledDate: null,
  overAt: overAfter(series, now),
})

/** The end of the last held occurrence, or the time of the cancellation when none was held. */
function overAfter(series: Series, now: Date): Date {
  const held = heldSeries(series, now)
  if (held === undefined || firstOccurrence(held) === undefined) return now
  const end = lastEnd(held)
  return end instanceof Date ? end : now
}
