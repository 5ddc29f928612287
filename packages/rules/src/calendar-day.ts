/**
 * Days of the calendar as whole numbers, counted from 1970-01-01 and negative before it. Weeks (from Sunday) and
 * months are counted from the same day, so 'every third month' is arithmetic and needs no calendar object.
 */
export const DAY_MS = 86_400_000

/** The day on which a wall clock stands that shows `wallMs`, see wall-clock.ts. */
export const dayOf = (wallMs: number) => Math.floor(wallMs / DAY_MS)

// Day 0 was a Thursday; its week began four days earlier, on a Sunday.
export const weekOf = (day: number) => Math.floor((day + 4) / 7)
export const firstDayOfWeek = (week: number) => week * 7 - 4

/** 0 is Sunday. */
export const dayOfWeek = (day: number) => day - firstDayOfWeek(weekOf(day))

export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

// Date.UTC carries months beyond December, and before January, into the years.
export const firstDayOfMonth = (month: number) => Date.UTC(1970, month) / DAY_MS
