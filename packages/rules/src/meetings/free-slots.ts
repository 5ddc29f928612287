import { dayMs } from '../recurrence/calendar-day.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'

export type Interval = { startsAt: Date; endsAt: Date }

type Search = Interval & {
  /** Shorter slots are left out. */
  minDurationMs: number
  /** The part of each day that counts, in milliseconds of that day in `timeZone`. */
  dayStartMs: number
  dayEndMs: number
  timeZone: string
}

/**
 * Find the free time between two instants: as long intervals as possible, in order, each within one day of the zone.
 * Days are those of the wall clock, so that a window from 09:00 to 17:00 stays there across a clock change.
 */
export function findFreeSlots(busy: readonly Interval[], search: Search): Interval[] {
  const clock = wallClockIn(search.timeZone)
  const [fromMs, toMs] = [search.startsAt.getTime(), search.endsAt.getTime()]
  const slots: Interval[] = []
  const ordered = busy.toSorted((one, other) => one.startsAt.getTime() - other.startsAt.getTime())
  const lastDayMs = clock.read(toMs)
  for (let day = Math.floor(clock.read(fromMs) / dayMs) * dayMs; day < lastDayMs; day += dayMs) {
    const windowStartMs = Math.max(fromMs, clock.instantOf(day + search.dayStartMs))
    const windowEndMs = Math.min(toMs, clock.instantOf(day + search.dayEndMs))
    let freeFromMs = windowStartMs
    const addUntil = (untilMs: number) => {
      if (untilMs - freeFromMs >= search.minDurationMs) {
        slots.push({ startsAt: new Date(freeFromMs), endsAt: new Date(untilMs) })
      }
    }
    for (const { startsAt, endsAt } of ordered) {
      if (endsAt.getTime() <= freeFromMs) continue
      if (startsAt.getTime() >= windowEndMs) break
      addUntil(startsAt.getTime())
      freeFromMs = endsAt.getTime()
    }
    addUntil(windowEndMs)
  }
  return slots
}
