import type { MonthlyDay, RepeatingRule } from './recurrence-rule.ts'

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const ordinals = ['1', '2', '3', '4', '-1']

/**
 * Format a rule as an RRULE value (RFC 5545, 3.3.10), without its end. Weeks begin on Sunday, as `daysOfWeek` does.
 */
export function writeRule(rule: RepeatingRule): string {
  const repeat = `FREQ=${rule.repeat.toUpperCase()};INTERVAL=${rule.interval}`
  switch (rule.repeat) {
    case 'daily':
      return repeat
    case 'weekly':
      return `${repeat};WKST=SU;BYDAY=${chosen(weekdays, rule.daysOfWeek).join(',')}`
    case 'monthly':
      return `${repeat};${writeMonthlyDay(rule.on)}`
  }
}

export const writeWeekday = (weekday: number): string => weekdays[weekday] ?? ''

function writeMonthlyDay(on: MonthlyDay): string {
  switch (on.kind) {
    case 'date':
      return `BYMONTHDAY=${on.dateInMonth}`
    case 'last-day':
      return 'BYMONTHDAY=-1'
    case 'weeks': {
      const days = chosen(weekdays, on.daysOfWeek)
      return `BYDAY=${chosen(ordinals, on.weeksInMonth).flatMap((ordinal) => days.map((day) => ordinal + day))}`
    }
  }
}

const chosen = (names: readonly string[], bits: readonly number[]) => names.filter((_, index) => bits[index] === 1)
