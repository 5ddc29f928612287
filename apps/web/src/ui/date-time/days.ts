import { chosenFirstWeekday, regional } from '../../texts/dates.ts'

/** Calendar dates: their arithmetic, and their names in the reader's language. */

/** A calendar date such as 2030-01-07, in the reader's time zone. */
export type Day = string

const two = (number: number) => String(number).padStart(2, '0')

export const dayOf = (date: Date): Day =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** The instant at which a date begins in the reader's time zone. */
export const beginOf = (day: Day): Date => new Date(`${day}T00:00:00`)

/** The date with these numbers, the month from 1; undefined when the calendar has none. */
export function dayFrom(year: number, month: number, dayOfMonth: number): Day | undefined {
  const day = `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}`
  const begin = new Date(`${day}T00:00Z`)
  return begin.getUTCDate() === dayOfMonth ? day : undefined
}

export function addDays(day: Day, days: number): Day {
  const date = beginOf(day)
  date.setDate(date.getDate() + days)
  return dayOf(date)
}

/** The same day of another month, or its last day. */
export function addMonths(day: Day, months: number): Day {
  const date = beginOf(day)
  const dayOfMonth = date.getDate()
  date.setDate(1)
  date.setMonth(date.getMonth() + months)
  const lastDay = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate()
  date.setDate(Math.min(dayOfMonth, lastDay))
  return dayOf(date)
}

export const startOfWeek = (day: Day, firstWeekday: number): Day =>
  addDays(day, -((beginOf(day).getDay() - firstWeekday + 7) % 7))

export const startOfMonth = (day: Day): Day => `${day.slice(0, 8)}01`

/** A month always has six weeks, so that its height does not change. */
export const daysInMonthGrid = 42

/** Write calendar dates: they are not instants, and no time zone applies. Grids of days are those of this calendar. */
export function writeDay(language: string, options: Intl.DateTimeFormatOptions): (day: Day) => string {
  const format = new Intl.DateTimeFormat(regional(language), { ...options, calendar: 'gregory' })
  return (day) => format.format(beginOf(day))
}

/** "Monday, 7 January 2030" */
export const writeFullDay = (language: string) =>
  writeDay(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** The first day of the week where each language is mostly spoken; otherwise Monday (ISO 8601). */
const firstWeekdays: Record<string, number> = { de: 1, hi: 0, ar: 6 }

type Weekday = { weekday: number; long: string; short: string; narrow: string }

/** 2024-09-01 was a Sunday. */
const dayOfWeekday = (weekday: number): Day => `2024-09-0${weekday + 1}`

/** The days of the week in the reader's order. 0 is Sunday. */
export function namesOfWeekdays(language: string): Weekday[] {
  const first = chosenFirstWeekday() ?? firstWeekdays[language] ?? 1
  const [long, short, narrow] = (['long', 'short', 'narrow'] as const).map((form) => {
    const format = new Intl.DateTimeFormat(language, { weekday: form })
    return (weekday: number) => format.format(beginOf(dayOfWeekday(weekday)))
  }) as [(weekday: number) => string, (weekday: number) => string, (weekday: number) => string]
  return Array.from({ length: 7 }, (_, place) => {
    const weekday = (first + place) % 7
    return { weekday, long: long(weekday), short: short(weekday), narrow: narrow(weekday) }
  })
}
