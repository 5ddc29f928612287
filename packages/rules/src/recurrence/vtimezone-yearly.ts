import { dayMs, dayOf, dayOfWeek } from './calendar-day.ts'

/** Days on which a clock is changed year after year, as RFC 5545's BYMONTH, BYMONTHDAY and BYDAY say them. */
export type YearlyDay = {
  /** 1 is January. */
  month: number
  /** 0 is Sunday. */
  weekday: number
  /** Which of these weekdays in the month, -1 is the last; or the days of the month that it can be. */
  on: { nth: 1 | 2 | 3 | 4 | -1 } | { daysOfMonth: readonly number[] }
}

const daysInWeek = 7
const leapYear = 2000

/**
 * What the days have in common that are a wall clock's onsets in consecutive years: the same weekday within the same
 * seven days of the year. Undefined when it is more than that, or when seven days around a leap day would be meant.
 * Two of them when the seven days lie in two months: each names a day in some of the years only.
 */
export function yearlyDaysOf(onsetsWallMs: readonly number[]): readonly YearlyDay[] | undefined {
  const days = onsetsWallMs.map(dayOf)
  const [firstDay] = days
  if (firstDay === undefined) return undefined
  const weekday = dayOfWeek(firstDay)
  const places = days.map(placeInYear)
  const earliest = Math.min(...places)
  const latest = Math.max(...places)
  if (latest - earliest >= daysInWeek || days.some((day) => dayOfWeek(day) !== weekday)) return undefined

  const place = spanStart(earliest, latest)
  const span = Array.from({ length: daysInWeek }, (_, ahead) => dateAt(place + ahead))
  if (span.some(({ month, day }) => month === 2 && day >= 28)) return undefined
  const months = [...new Set(span.map(({ month }) => month))]
  return months.map((month) => {
    const daysOfMonth = span.filter((date) => date.month === month).map(({ day }) => day)
    return { month, weekday, on: months.length === 1 ? nthOr(month, daysOfMonth) : { daysOfMonth } }
  })
}

/** The seven days can begin anywhere from six days before the latest: best where a count says them in a word. */
function spanStart(earliest: number, latest: number): number {
  for (let place = latest - daysInWeek + 1; place <= earliest; place++) {
    const { month, day } = dateAt(place)
    if ([1, 8, 15, 22].includes(day) || day === daysIn(month) - daysInWeek + 1) return place
  }
  return latest - earliest === daysInWeek - 1 ? earliest : latest - daysInWeek + 1
}

function nthOr(month: number, daysOfMonth: readonly number[]): YearlyDay['on'] {
  switch (daysOfMonth[0]) {
    case daysIn(month) - daysInWeek + 1:
      return { nth: -1 }
    case 1:
      return { nth: 1 }
    case 8:
      return { nth: 2 }
    case 15:
      return { nth: 3 }
    case 22:
      return { nth: 4 }
    default:
      return { daysOfMonth }
  }
}

/** The day of a leap year with the same date, so that places can be compared between years. */
function placeInYear(day: number): number {
  const date = new Date(day * dayMs)
  return Date.UTC(leapYear, date.getUTCMonth(), date.getUTCDate()) / dayMs
}

function dateAt(place: number): { month: number; day: number } {
  const date = new Date(place * dayMs)
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const daysIn = (month: number) => new Date(Date.UTC(leapYear, month, 0)).getUTCDate()
