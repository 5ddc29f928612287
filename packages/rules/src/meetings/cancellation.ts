import { firstOccurrence, lastEnd, nextOccurrence, occurrenceAt, type Series } from '../recurrence/recurrence.ts'
import { withEnd } from '../recurrence/series-end.ts'

export type Cancellation =
  | { kind: 'nothing-left-to-do' }
  /** Cancel one occurrence and keep the series. */
  | { kind: 'skip'; occurrence: Date }
  /**
   * Cancel the meeting. `skip` is the occurrence that was its last one, `overAt` the end of the last held occurrence.
   */
  | { kind: 'end'; skip: Date | null; overAt: Date }
  | { kind: 'no-such-occurrence' }
  | { kind: 'occurrence-over' }

type CancellationRequest = { extent: 'current' | 'all'; occurrence?: Date | undefined }

/**
 * Decide what a cancellation does now. `all` lets an occurrence that has begun run to its end and keeps it; `current`
 * cancels the earliest occurrence that has not ended, including a running one.
 */
export function planCancellation(
  series: Series,
  cancelledAt: Date | null,
  { extent, occurrence }: CancellationRequest,
  now: Date,
): Cancellation {
  if (cancelledAt !== null) return { kind: 'nothing-left-to-do' }
  if (series.rule.repeat === 'none') {
    return occurrence === undefined || extent === 'all' ? endAll(series, now) : planSingle(series, occurrence, now)
  }
  if (extent === 'all') return endAll(series, now)
  if (occurrence !== undefined) return planOne(series, occurrence, now)
  const next = nextOccurrence(series, now)
  return next === undefined ? endAll(series, now) : skipOrEnd(series, next.startsAt, now)
}

/** The occurrences that a cancelled meeting keeps: those that had begun. A single meeting keeps none. */
export function heldSeries(series: Series, cancelledAt: Date): Series | undefined {
  if (series.rule.repeat === 'none') return undefined
  return series.endsBy !== null && series.endsBy < cancelledAt ? series : withEnd(series, cancelledAt)
}

function planSingle(series: Series, occurrence: Date, now: Date): Cancellation {
  const named = occurrenceAt(series, occurrence)
  if (named === undefined) return { kind: 'no-such-occurrence' }
  return named.endsAt <= now ? { kind: 'occurrence-over' } : endAll(series, now)
}

function planOne(series: Series, startsAt: Date, now: Date): Cancellation {
  const named = occurrenceAt(series, startsAt)
  if (named === undefined) return { kind: 'no-such-occurrence' }
  if (named.endsAt <= now) return { kind: 'occurrence-over' }
  return named.excluded ? { kind: 'nothing-left-to-do' } : skipOrEnd(series, startsAt, now)
}

function skipOrEnd(series: Series, startsAt: Date, now: Date): Cancellation {
  const rest = { ...series, excluded: [...series.excluded, startsAt] }
  if (nextOccurrence(rest, now) !== undefined) return { kind: 'skip', occurrence: startsAt }
  return { kind: 'end', skip: startsAt, overAt: overAfter(rest, now) }
}

const endAll = (series: Series, now: Date): Cancellation => ({
  kind: 'end',
  skip: null,
  overAt: overAfter(series, now),
})

/** The end of the last held occurrence, or the time of the cancellation when none was held. */
function overAfter(series: Series, now: Date): Date {
  const held = heldSeries(series, now)
  if (held === undefined || firstOccurrence(held) === undefined) return now
  const end = lastEnd(held)
  return end instanceof Date ? end : now
}
