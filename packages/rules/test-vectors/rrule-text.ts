import type { MonthlyDay, RecurrenceRule } from '../src/recurrence/recurrence.ts'
import { writeRule } from '../src/recurrence/rrule-text.ts'

/**
 * RFC 5545's RRULE, as far as our rules can express it: the common language of the independent implementations. Tests
 * only.
 */

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const ordinals = ['1', '2', '3', '4', '-1']

/** Read the output of `writeRule`, its parts in any order; throws for rules that we cannot express. */
export function readRule(text: string): Exclude<RecurrenceRule, { repeat: 'none' }> {
  const parts = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]))
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const days = parts.get('BYDAY')?.split(',') ?? []
  const daysOfWeek = weekdays.map((weekday) => (days.some((day) => day.endsWith(weekday)) ? 1 : 0))
  const rule = ((): Exclude<RecurrenceRule, { repeat: 'none' }> => {
    switch (parts.get('FREQ')) {
      case 'DAILY':
        return { repeat: 'daily', interval }
      case 'WEEKLY':
        return { repeat: 'weekly', interval, daysOfWeek }
      default:
        return { repeat: 'monthly', interval, on: readMonthlyDay(parts.get('BYMONTHDAY'), days, daysOfWeek) }
    }
  })()
  const sorted = (whole: string) => whole.split(/[;,=]/).sort().join()
  const complete = parts.has('INTERVAL') ? text : `${text};INTERVAL=1`
  if (sorted(writeRule(rule)) !== sorted(complete)) throw new Error(`${text} is more than ${writeRule(rule)}`)
  return rule
}

function readMonthlyDay(dateInMonth: string | undefined, days: string[], daysOfWeek: number[]): MonthlyDay {
  if (dateInMonth === '-1') return { kind: 'last-day' }
  if (dateInMonth !== undefined && !dateInMonth.startsWith('-'))
    return { kind: 'date', dateInMonth: Number(dateInMonth) }
  const weeksInMonth = ordinals.map((ordinal) => (days.some((day) => day.slice(0, -2) === ordinal) ? 1 : 0))
  return { kind: 'weeks', weeksInMonth, daysOfWeek }
}
