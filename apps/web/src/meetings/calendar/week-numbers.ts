import { addDays, beginOf, type Day } from '../../ui/date-time/days.ts'

/** How many of its days the first week of a year has at least, for weeks that begin on this weekday (0 is Sunday). */
export function minimalDaysOf(firstWeekday: number, language: string): number {
  if (firstWeekday === 1) return minimalDaysOfIso
  const locale = new Intl.Locale(language) as LocaleWithWeeks
  // Newer engines leave `minimalDays` out; the default of Unicode's data (CLDR, weekData) is 1.
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.minimalDays ?? 1
}

/** ISO 8601: the first week has the first Thursday of the year. */
const minimalDaysOfIso = 4

type LocaleWithWeeks = { getWeekInfo?(): { minimalDays?: number }; weekInfo?: { minimalDays?: number } }

/** The number of the week that begins on `start`. At a year's end, it counts in the year that has enough of its days. */
export function weekNumberOf(start: Day, minimalDays: number): number {
  const counted = addDays(start, 7 - minimalDays)
  const dayOfYear = Math.round((beginOf(counted).getTime() - beginOf(`${counted.slice(0, 4)}-01-01`).getTime()) / dayMs)
  return Math.floor(dayOfYear / 7) + 1
}

const dayMs = 86_400_000
