import { occurrences, type Series } from '../recurrence/recurrence.ts'
import { heldSeries } from './cancellation.ts'

/** A series, with the id that identifies its dates in a merged list. */
export type CalendarSeries = { id: string; series: Series; cancelledAt: Date | null }

export type CalendarOccurrence = { id: string; startsAt: Date; endsAt: Date; status: 'active' | 'cancelled' }

/** By start, and by id where several start at once. */
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
    for (const { startsAt, endsAt, excluded } of occurrences(listed, from)) {
      if (startsAt.getTime() >= until) break
      const active = !excluded && (cancelledAt === null || startsAt <= cancelledAt)
      if (active || withCancelled) found.push({ id, startsAt, endsAt, status: active ? 'active' : 'cancelled' })
      if (found.length >= 2 * limit) keepFirst()
    }
  }
  keepFirst()
  return found
}
