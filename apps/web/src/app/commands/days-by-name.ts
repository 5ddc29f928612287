import { addDays, beginOf, type Day } from '../../ui/date-time/days.ts'
import { matches } from './matches.ts'

type NamedDay = { name: string; day: Day; view: 'day' | 'week' }

/** Shorter texts would find days in most searches. */
const minLength = 2

/** The days and weeks that the reader names: "tomorrow", "Friday", "next week", or a date such as 2030-01-07. */
export function daysByName(typed: string, today: Day, language: string): NamedDay[] {
  const text = typed.trim()
  if (text.length < minLength) return []
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    return Number.isNaN(beginOf(text).getTime()) ? [] : [{ name: text, day: text, view: 'day' }]
  }
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const weekday = new Intl.DateTimeFormat(language, { weekday: 'long' })
  const near = [0, 1, 2, -1].map((days) => ({
    name: relative.format(days, 'day'),
    day: addDays(today, days),
    view: 'day' as const,
  }))
  const weeks = [0, 1, -1].map((count) => ({
    name: relative.format(count, 'week'),
    day: addDays(today, 7 * count),
    view: 'week' as const,
  }))
  const ahead = Array.from({ length: 7 }, (_, days) => addDays(today, days)).map((day) => ({
    name: weekday.format(beginOf(day)),
    day,
    view: 'day' as const,
  }))
  // "In 2 days" is no name; German and French have one for it.
  return [...near, ...weeks, ...ahead].filter(({ name }) => !/\d/.test(name) && matches(name, text))
}
