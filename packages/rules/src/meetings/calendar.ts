import { type Occurrence, occurrences, type Series } from '../recurrence/recurrence.ts'
import { heldSeries } from './cancellation.ts'
import { type OccurrenceStatus, statusOf } from './occurrence-status.ts'

/** A series, with the id that identifies its dates in a merged list. */
export type CalendarSeries = { id: string; series: Series; cancelledAt: Date | null }

export type CalendarOccurrence = {
  id: string
  /** Equal to the start where no change has moved it; so it is for a single meeting. */
  originalStart: Date
  startsAt: Date
  endsAt: Date
  status: OccurrenceStatus
  /** The topic where the occurrence has its own. */
  topic: string | null
}

/** Sort by start, and by id where several occurrences start at once. */
export const compareOccurrences = (a: CalendarOccurrence, b: CalendarOccurrence): number =>
  a.startsAt.getTime() - b.startsAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id))

/** The end of a page of occurrences: the start of its last one, and the id of that meeting. */
type PageEnd = { at: Date; id: string }

/** Whether an occurrence is listed after the end of a page: negative before it, 0 at it, positive after it. */
export const compareToPageEnd = ({ startsAt, id }: Pick<CalendarOccurrence, 'startsAt' | 'id'>, end: PageEnd): number =>
  startsAt.getTime() - end.at.getTime() || (id < end.id ? -1 : Number(id > end.id))

type FirstOccurrences = {
  from: Date
  /** Undefined: without an end. */
  to?: Date
  limit: number
  withCancelled: boolean
  /** Only occurrences that are listed after the end of this page. */
  after?: PageEnd | undefined
}

/**
 * The first `limit` occurrences of many series that overlap a span of time, in order. Occurrences of a cancelled series
 * that were held are active. Occurrences that a cancelled series would have held, and skipped ones, are included only
 * with `withCancelled`.
 *
 * The work is bounded by `limit` and the number of series, not by how often each series repeats.
 */
export function firstOccurrences(
  all: Iterable<CalendarSeries>,
  { from, to, limit, withCancelled, after }: FirstOccurrences,
): CalendarOccurrence[] {
  let found: CalendarOccurrence[] = []
  let until = to?.getTime() ?? Number.POSITIVE_INFINITY
  const keepFirst = () => {
    found = found.toSorted(compareOccurrences).slice(0, limit)
    const last = found.at(-1)
    // An occurrence with the same start may still sort before the last one by its id.
    if (found.length === limit && last !== undefined) until = Math.min(until, last.startsAt.getTime() + 1)
  }
  for (const { id, series, cancelledAt } of all) {
    const listed = cancelledAt === null || withCancelled ? series : heldSeries(series, cancelledAt)
    if (listed === undefined) continue
    for (const occurrence of occurrences(listed, from)) {
      const { originalStart, startsAt, endsAt, change } = occurrence
      if (startsAt.getTime() >= until) break
      const status = statusOf(occurrence, cancelledAt)
      const isOnPage = after === undefined || compareToPageEnd({ startsAt, id }, after) > 0
      if (isOnPage && (status !== 'cancelled' || withCancelled)) {
        found.push({ id, originalStart, startsAt, endsAt, status, topic: change?.topic ?? null })
      }
      if (found.length >= 2 * limit) keepFirst()
    }
  }
  keepFirst()
  return found
}

/**
 * The last `limit` occurrences of many series that have ended by `endedBy` and took place, latest first. With `before`,
 * only occurrences that are listed after the end of that page.
 *
 * The work is bounded as that of `firstOccurrences`: each series is read backwards, and only as far as needed.
 */
export function lastOccurrences(
  all: Iterable<CalendarSeries>,
  { endedBy, limit, before }: { endedBy: Date; limit: number; before?: PageEnd | undefined },
): CalendarOccurrence[] {
  let found: CalendarOccurrence[] = []
  let since = Number.NEGATIVE_INFINITY
  const keepLast = () => {
    found = found.toSorted((a, b) => compareOccurrences(b, a)).slice(0, limit)
    const last = found.at(-1)
    if (found.length === limit && last !== undefined) since = Math.max(since, last.startsAt.getTime())
  }
  const latestStart = new Date(Math.min(endedBy.getTime(), before?.at.getTime() ?? Number.POSITIVE_INFINITY))
  for (const { id, series, cancelledAt } of all) {
    const held = cancelledAt === null ? series : heldSeries(series, cancelledAt)
    if (held === undefined) continue
    for (const occurrence of occurrencesBackwards(held, latestStart)) {
      const { originalStart, startsAt, endsAt, change } = occurrence
      if (startsAt.getTime() < since) break
      const status = statusOf(occurrence, cancelledAt)
      const isOnPage = before === undefined || compareToPageEnd({ startsAt, id }, before) < 0
      if (isOnPage && endsAt <= endedBy && status !== 'cancelled') {
        found.push({ id, originalStart, startsAt, endsAt, status, topic: change?.topic ?? null })
      }
      if (found.length >= 2 * limit) keepLast()
    }
  }
  keepLast()
  return found
}

const dayMs = 24 * 60 * 60 * 1000
/** A month, in which nearly every series has an occurrence. */
const firstReachMs = 32 * dayMs

/** The occurrences that start at `latestStart` or earlier, latest first; read in steps that grow. */
function* occurrencesBackwards(series: Series, latestStart: Date): Generator<Occurrence> {
  const starts = [
    series.startsAt,
    ...series.changed.map(({ times, originalStart }) => times?.startsAt ?? originalStart),
  ]
  const earliestMs = Math.min(...starts.map(Number))
  let untilMs = latestStart.getTime() + 1
  for (let reachMs = firstReachMs; untilMs > earliestMs; reachMs *= 2) {
    const fromMs = Math.max(untilMs - reachMs, earliestMs)
    const step: Occurrence[] = []
    for (const occurrence of occurrences(series, new Date(fromMs))) {
      if (occurrence.startsAt.getTime() >= untilMs) break
      if (occurrence.startsAt.getTime() >= fromMs) step.push(occurrence)
    }
    yield* step.toReversed()
    untilMs = fromMs
  }
}
