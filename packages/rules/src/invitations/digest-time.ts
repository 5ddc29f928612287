import { dayMs, dayOf } from '../recurrence/calendar-day.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'

/** Before a working day begins, at an hour that no zone skips or repeats today. */
const digestHour = 7

/** The next time after `now` at which the clock of a zone shows the hour of digests: once on each of its days. */
export function nextDigestTime(timeZone: string, now: Date): Date {
  const clock = wallClockIn(timeZone)
  const today = dayOf(clock.read(now.getTime()))
  const times = [today, today + 1, today + 2].map((day) => clock.instantOf(day * dayMs + digestHour * 3_600_000))
  return new Date(times.find((timeMs) => timeMs > now.getTime()) ?? now.getTime() + dayMs)
}
