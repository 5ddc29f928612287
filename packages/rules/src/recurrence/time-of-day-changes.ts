import { wallClockIn } from './wall-clock.ts'
import { writeTimeOfDay } from './wall-time-text.ts'

/** From this occurrence on, the clock of a zone shows another time of day than at the occurrence before. */
type TimeOfDayChange = { startsAt: Date; before: string; after: string }

/**
 * Find where a series starts at another time of day for people in a zone: it keeps its time of day in its own zone, and
 * other zones change their clocks on other days, or never.
 */
export function findTimeOfDayChanges(starts: readonly Date[], timeZone: string): TimeOfDayChange[] {
  const clock = wallClockIn(timeZone)
  const times = starts.map((startsAt) => ({ startsAt, time: writeTimeOfDay(clock.read(startsAt.getTime())) }))
  return times.flatMap(({ startsAt, time }, at) => {
    const before = times[at - 1]?.time
    return before === undefined || before === time ? [] : [{ startsAt, before, after: time }]
  })
}
