import { dayMs, dayOfWeek } from './calendar-day.ts'

/**
 * A STANDARD or DAYLIGHT component of a VTIMEZONE that another program wrote (RFC 5545, 3.6.5). Times are on the wall
 * clock (see wall-clock.ts).
 */
export type ForeignObservance = {
  offsetToMs: number
  firstOnsetWallMs: number
  /** On the nth weekday of a month in each year; null: once. */
  yearly: { month: number; weekday: number; nth: number } | null
}

/**
 * The offset from UTC at a wall clock time; undefined before the first onset. Read what Outlook writes for its own
 * names of zones: yearly rules. Each costs the same, whatever it says.
 */
export function offsetOfForeignZone(observances: readonly ForeignObservance[], wallMs: number): number | undefined {
  const onsets = observances.flatMap((observance) => {
    const onsetMs = lastOnset(observance, wallMs)
    return onsetMs === undefined ? [] : [{ onsetMs, offsetToMs: observance.offsetToMs }]
  })
  return onsets.toSorted((one, other) => other.onsetMs - one.onsetMs)[0]?.offsetToMs
}

function lastOnset({ firstOnsetWallMs, yearly }: ForeignObservance, wallMs: number): number | undefined {
  if (wallMs < firstOnsetWallMs) return undefined
  if (yearly === null) return firstOnsetWallMs
  const timeOfDayMs = firstOnsetWallMs - Math.floor(firstOnsetWallMs / dayMs) * dayMs
  const year = new Date(wallMs).getUTCFullYear()
  const onsets = [year, year - 1].map((one) => nthWeekday(one, yearly) * dayMs + timeOfDayMs)
  return onsets.find((onsetMs) => onsetMs <= wallMs && onsetMs >= firstOnsetWallMs) ?? firstOnsetWallMs
}

/** The day of the nth weekday of a month; counted from the end where `nth` is negative. */
function nthWeekday(year: number, { month, weekday, nth }: NonNullable<ForeignObservance['yearly']>): number {
  const first = Date.UTC(year, month - 1) / dayMs
  const last = Date.UTC(year, month) / dayMs - 1
  if (nth < 0) return last - ((dayOfWeek(last) - weekday + 7) % 7) + (nth + 1) * 7
  return first + ((weekday - dayOfWeek(first) + 7) % 7) + (nth - 1) * 7
}
