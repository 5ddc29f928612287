import { regional } from '../../texts/dates.ts'
import type { CalendarView } from '../search-params.ts'

/** A calendar date such as 2030-01-07, in the reader's time zone. */
export type Day = string

/** Below this width a month has no room for topics, and a layer is a sheet. */
export const narrowScreen = '(max-width: 48em)'

const two = (number: number) => String(number).padStart(2, '0')

export const dayOf = (date: Date): Day =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** The instant at which a date begins in the reader's time zone. */
export const beginOf = (day: Day): Date => new Date(`${day}T00:00:00`)

/** `2030-01-07 09:00:00`, local time in the grid's format. */
export const wallTimeHere = (instant: string): string => {
  const at = new Date(instant)
  return `${dayOf(at)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
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

const startOfWeek = (day: Day, firstWeekday: number): Day =>
  addDays(day, -((beginOf(day).getDay() - firstWeekday + 7) % 7))

const startOfMonth = (day: Day): Day => `${day.slice(0, 8)}01`

/** A month always has six weeks, so that its height does not change. */
const daysInMonthGrid = 42

/** The dates that a view shows: the first included, the last excluded. */
export function shownDays(view: CalendarView, day: Day, firstWeekday: number): { from: Day; to: Day } {
  switch (view) {
    case 'day':
      return { from: day, to: addDays(day, 1) }
    case 'week': {
      const from = startOfWeek(day, firstWeekday)
      return { from, to: addDays(from, 7) }
    }
    case 'month': {
      const from = startOfWeek(startOfMonth(day), firstWeekday)
      return { from, to: addDays(from, daysInMonthGrid) }
    }
    case 'agenda':
      return { from: startOfMonth(day), to: startOfMonth(addMonths(startOfMonth(day), 1)) }
  }
}

/** The days that a view shows, in order. */
export function columnDays(view: CalendarView, day: Day, firstWeekday: number): Day[] {
  const { from, to } = shownDays(view, day, firstWeekday)
  const days: Day[] = []
  for (let next = from; next < to; next = addDays(next, 1)) days.push(next)
  return days
}

/** The date that 'earlier' (-1) or 'later' (1) leads to. */
export function stepFrom(view: CalendarView, day: Day, direction: 1 | -1): Day {
  if (view === 'day') return addDays(day, direction)
  return view === 'week' ? addDays(day, 7 * direction) : addMonths(day, direction)
}

/** Dates in words. They are calendar dates, not instants, so no time zone applies. */
const write = (language: string, options: Intl.DateTimeFormatOptions) => (day: Day) =>
  new Intl.DateTimeFormat(regional(language), options).format(beginOf(day))

export const writeFullDay = (language: string) =>
  write(language, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

export const writeWeekday = (language: string) => write(language, { weekday: 'short' })

/** "January 2030", "31 December 2029 – 6 January 2030" or "Monday, 7 January 2030" */
export function writeShown(view: CalendarView, day: Day, firstWeekday: number, language: string): string {
  switch (view) {
    case 'day':
      return writeFullDay(language)(day)
    case 'week': {
      const { from, to } = shownDays('week', day, firstWeekday)
      const format = new Intl.DateTimeFormat(regional(language), { day: 'numeric', month: 'long', year: 'numeric' })
      return format.formatRange(beginOf(from), beginOf(addDays(to, -1)))
    }
    case 'month':
    case 'agenda':
      return write(language, { month: 'long', year: 'numeric' })(day)
  }
}
