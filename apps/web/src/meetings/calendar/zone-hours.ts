import type { Day } from '../../ui/date-time/days.ts'
import { instantOf, isSkippedByClock, wallTimeOf } from '../schedule/wall-time.ts'

/** What clocks of another zone show, and on which of the shown days. */
type ZoneTime = { time: string; days: Day[] }

const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`)

/**
 * The times in `zone` at each hour of these days in `ownZone`: the usual one first. In a week in which the clocks of
 * either zone change, an hour has more than one; an hour that the own clocks skip on each of the days has none.
 */
export function hoursElsewhere(days: readonly Day[], ownZone: string, zone: string): ZoneTime[][] {
  return hours.map((time) => {
    const shown = days.flatMap((date) => {
      const instant = instantOf({ date, time }, ownZone)
      if (instant === undefined || isSkippedByClock({ date, time }, ownZone)) return []
      return [{ date, time: wallTimeOf(instant, zone).time }]
    })
    const byTime = Map.groupBy(shown, (one) => one.time)
    return [...byTime]
      .map(([there, ones]) => ({ time: there, days: ones.map(({ date }) => date) }))
      .toSorted((one, other) => other.days.length - one.days.length)
  })
}

/** "New York" for America/New_York. */
export const placeOfZone = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
