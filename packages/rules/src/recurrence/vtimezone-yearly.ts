import { dayMs, dayOf, dayOfWeek } from './calendar-day.ts'

/** Days of yearly clock changes, in the terms of RFC 5545's BYMONTH, BYMONTHDAY and BYDAY. */
export type YearlyDay = {
  /** 1 is January. */
  month: number
  /** 0 is Sunday. */
  weekday: number
  /** Which of these weekdays in the month (-1 is the last), or the possible days of the month. */
  on: { nth: 1 | 2 | 3 | 4 | -1 } | { daysOfMonth: readonly number[] }
}

const daysInWeek = 7
const leapYear = 2000

/**
 * Find the yearly rule of onsets in consecutive years, given as wall clock times: the same weekday within the same
 * seven days of the year. Return two rules when the seven days span two months, since each then applies in some of the
 * years. Undefined when there is no such rule, or when the seven days include a leap day.
 */
export function yearlyDaysOf(onsetsWallMs: readonly number[]): readonly YearlyDay[] | undefined {
  const days = onsetsWallMs.map(dayOf)
  const [firstDay] = days
  if (firstDay === undefined) return undefined
  const weekday = dayOfWeek(firstDay)
  const positions = days.map(positionInYear)
  const earliest = Math.min(...positions)
  const latest = Math.max(...positions)
  if (latest - earliest >= daysInWeek || days.some((day) => dayOfWeek(day) !== weekday)) return undefined

  const position = spanStart(earliest, latest)
  const span = Array.from({ length: daysInWeek }, (_, ahead) => dateAt(position + ahead))
  if (span.some(({ month, day }) => month === 2 && day >= 28)) return undefined
  const months = [...new Set(span.map(({ month }) => month))]
  return months.map((month) => {
    const daysOfMonth = span.filter((date) => date.month === month).map(({ day }) => day)
    return { month, weekday, on: months.length === 1 ? nthOr(month, daysOfMonth) : { daysOfMonth } }
  })
}

/**
 * The seven days may begin up to six days before the latest onset; prefer a start that BYDAY can express as a count.
 */
function spanStart(earliest: number, latest: number): number {
  for (let position = latest - daysInWeek + 1; position <= earliest; position++) {
    const { month, day } = dateAt(position)
    if ([1, 8, 15, 22].includes(day) || day === daysIn(month) - daysInWeek + 1) return position
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

/** The day of a leap year with the same date, so that positions can be compared between years. */
function positionInYear(day: number): number {
  const date = new Date(day * dayMs)
  return Date.UTC(leapYear, date.getUTCMonth(), date.getUTCDate()) / dayMs
}

function dateAt(position: number): { month: number; day: number } {
  const date = new Date(position * dayMs)
  return { month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const daysIn = (month: number) => new Date(Date.UTC(leapYear, month, 0)).getUTCDate()
