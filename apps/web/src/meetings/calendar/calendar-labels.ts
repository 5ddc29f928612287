import { regional } from '../../texts/dates.ts'
import { addDays, beginOf, type Day, shownDays } from './calendar-range.ts'
import type { CalendarView } from './calendar-search.ts'

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
