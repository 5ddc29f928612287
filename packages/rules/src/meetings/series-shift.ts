import { dayOf } from '../recurrence/calendar-day.ts'
import { wallClockIn } from '../recurrence/wall-clock.ts'

type Shift = {
  startsAt: Date
  /** The last start, inclusive. */
  endsBy: Date | null
  /** Whether the date goes to another day: the rule has to name that day then. */
  isOtherDay: boolean
}

/**
 * Shift a whole series by the difference between two starts of one of its dates, on the wall clock of its zone. The
 * series keeps its first day, and with it the dates that were held.
 */
export function shiftSeries(
  series: { startsAt: Date; endsBy: Date | null; timeZone: string },
  date: { from: Date; to: Date },
): Shift {
  const clock = wallClockIn(series.timeZone)
  const [fromMs, toMs] = [clock.read(date.from.getTime()), clock.read(date.to.getTime())]
  const shifted = (instant: Date) => new Date(clock.instantOf(clock.read(instant.getTime()) + toMs - fromMs))
  return {
    startsAt: shifted(series.startsAt),
    endsBy: series.endsBy === null ? null : shifted(series.endsBy),
    isOtherDay: dayOf(fromMs) !== dayOf(toMs),
  }
}
