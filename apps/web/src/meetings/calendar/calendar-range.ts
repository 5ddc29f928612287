import { regional } from '../../texts/dates.ts'
import {
  addDays,
  addMonths,
  beginOf,
  type Day,
  dayOf,
  daysInMonthGrid,
  startOfMonth,
  startOfWeek,
  writeDay,
} from '../../ui/date-time/days.ts'
import type { CalendarView } from '../search-params.ts'

/** Below this width a month has no room for topics, and a layer is a sheet. */
export const narrowScreen = '(max-width: 47.99em)'

const two = (number: number) => String(number).padStart(2, '0')

/** `2030-01-07 09:00:00`, local time in the grid's format. */
export const wallTimeHere = (instant: string): string => {
  const at = new Date(instant)
  return `${dayOf(at)} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

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
    case 'agenda': {
      const from = startOfMonth(day)
      const [, to = from] = [addMonths(from, 1), addDays(day, minDaysAhead)].toSorted()
      return { from, to }
    }
  }
}

/** On the last days of a month, an agenda that ended with the month would be nearly empty. */
const minDaysAhead = 30

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

export const writeWeekday = (language: string) => writeDay(language, { weekday: 'short' })

/**
 * "January 2030", "January – February 2030" for an agenda that runs on, "31 December 2029 – 6 January 2030" or "Monday,
 * 7 January 2030"; `short` with weekdays and months as they are abbreviated.
 */
export function writeShown(
  view: CalendarView,
  day: Day,
  firstWeekday: number,
  language: string,
  length: 'long' | 'short' = 'long',
): string {
  const inDay = { day: 'numeric', month: length, year: 'numeric' } as const
  switch (view) {
    case 'day':
      return writeDay(language, { weekday: length, ...inDay })(day)
    case 'week': {
      const { from, to } = shownDays('week', day, firstWeekday)
      const format = new Intl.DateTimeFormat(regional(language), { ...inDay, calendar: 'gregory' })
      return format.formatRange(beginOf(from), beginOf(addDays(to, -1)))
    }
    case 'month':
      return writeDay(language, { month: length, year: 'numeric' })(day)
    case 'agenda': {
      const { from, to } = shownDays('agenda', day, firstWeekday)
      const options = { month: length, year: 'numeric', calendar: 'gregory' } as const
      return new Intl.DateTimeFormat(regional(language), options).formatRange(beginOf(from), beginOf(addDays(to, -1)))
    }
  }
}
