import { occurrences, type Series } from '../recurrence/recurrence.ts'
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

/**
 * The first `limit` occurrences of many series that overlap a span of time, in order. Occurrences of a cancelled series
 * that were held are active. Occurrences that a cancelled series would have held, and skipped ones, are included only
 * with `withCancelled`.
 *
 * The work is bounded by `limit` and the number of series, not by how often each series repeats.
 */
export function firstOccurrences(
  all: Iterable<CalendarSeries>,
  { from, to, limit, withCancelled }: { from: Date; to: Date; limit: number; withCancelled: boolean },
): CalendarOccurrence[] {
  let found: CalendarOccurrence[] = []
  let until = to.getTime()
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
      if (status !== 'cancelled' || withCancelled) {
        found.push({ id, originalStart, startsAt, endsAt, status, topic: change?.topic ?? null })
      }
      if (found.length >= 2 * limit) keepFirst()
    }
  }
  keepFirst()
  return found
}
