/**
 * Calendar days as whole numbers, counted from 1970-01-01 and negative before it. Weeks (from Sunday) and months are
 * counted from the same day, so that 'every third month' is plain arithmetic.
 */
export const dayMs = 86_400_000

/** The day of the wall clock time `wallMs` (see wall-clock.ts). */
export const dayOf = (wallMs: number) => Math.floor(wallMs / dayMs)

// Day 0 was a Thursday; its week began four days earlier, on a Sunday.
export const weekOf = (day: number) => Math.floor((day + 4) / 7)
export const firstDayOfWeek = (week: number) => week * 7 - 4

/** 0 is Sunday. */
export const dayOfWeek = (day: number) => day - firstDayOfWeek(weekOf(day))

export function monthOf(day: number): number {
  const date = new Date(day * dayMs)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

// Counting years from March puts the leap day last, and month lengths then repeat as 31, 30, 31, 30, 31. (Date gives
// the same result at several times the cost.)
const marchOfYear0 = -719_468
const monthsTo1970 = 1970 * 12 - 2

export function firstDayOfMonth(month: number): number {
  const fromMarch = month + monthsTo1970
  const year = Math.floor(fromMarch / 12)
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  const daysOfMonths = Math.floor((153 * (fromMarch - year * 12) + 2) / 5)
  return marchOfYear0 + year * 365 + leapDays + daysOfMonths
}
