import { occurrences, type Series } from '../recurrence/recurrence.ts'
import { heldSeries } from './cancellation.ts'

/** A series, with what its dates are told apart by. */
export type CalendarSeries = { id: string; series: Series; cancelledAt: Date | null }

export type CalendarOccurrence = { id: string; startsAt: Date; endsAt: Date; status: 'active' | 'cancelled' }

/** By start, and by id where several start at once. */
export const inCalendarOrder = (one: CalendarOccurrence, other: CalendarOccurrence): number =>
  one.startsAt.getTime() - other.startsAt.getTime() || (one.id < other.id ? -1 : Number(one.id > other.id))

/**
 * The first `most` occurrences of many series that overlap a span of time, in order. What was held of a cancelled series
 * is active; what it would have held, and what is skipped, is told only where cancelled ones are asked for.
 *
 * No more is computed than can still be among the first: the work is bounded by `most` and the number of series, and not
 * by how often each of them takes place.
 */
export function firstOccurrences(
  all: Iterable<CalendarSeries>,
  { from, to, most, withCancelled }: { from: Date; to: Date; most: number; withCancelled: boolean },
): CalendarOccurrence[] {
  let found: CalendarOccurrence[] = []
  let until = to.getTime()
  const keepFirst = () => {
    found = found.toSorted(inCalendarOrder).slice(0, most)
    const last = found.at(-1)
    // One that starts with the last may come before it by its id.
    if (found.length === most && last !== undefined) until = Math.min(until, last.startsAt.getTime() + 1)
  }
  for (const { id, series, cancelledAt } of all) {
    const told = cancelledAt === null || withCancelled ? series : heldSeries(series, cancelledAt)
    if (told === undefined) continue
    for (const { startsAt, endsAt, excluded } of occurrences(told, from)) {
      if (startsAt.getTime() >= until) break
      const active = !excluded && (cancelledAt === null || startsAt <= cancelledAt)
      if (active || withCancelled) found.push({ id, startsAt, endsAt, status: active ? 'active' : 'cancelled' })
      if (found.length >= 2 * most) keepFirst()
    }
  }
  keepFirst()
  return found
}
