import type { RequestedBody } from './found-entry.ts'

/** An RRULE (RFC 5545, 3.3.10), its parts in capitals. */
type RuleParts = ReadonlyMap<string, string>

/** A day as the clock of the meeting shows it; the month from 1 on, 0 is Sunday. */
type FirstDay = { month: number; day: number; weekday: number }

type RepeatOptions = Omit<RequestedBody['repeatOptions'], 'timeZone' | 'endDate'>

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/** The weeks of `weeksInMonth`: the first four, and the last. */
const ordinals = ['1', '2', '3', '4', '-1']

export function partsOf(rule: string): RuleParts {
  const pairs = rule.split(';').map((part) => part.toUpperCase().split('='))
  return new Map(pairs.map(([name = '', value = '']) => [name, value]))
}

/** What our rules express in another way, or that has no effect on the days. UNTIL is read with its time zone. */
const understood = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'WKST', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS']

/**
 * Express a rule by the fields of `repeatOptions`; undefined where they cannot. The caller compares the days of both:
 * only the frequent forms are told apart here.
 */
export function toRepeatOptions(parts: RuleParts, first: FirstDay): RepeatOptions | undefined {
  if ([...parts.keys()].some((name) => !understood.includes(name))) return undefined
  const interval = Number(parts.get('INTERVAL') ?? '1')
  const count = parts.get('COUNT')
  const end = count === undefined ? {} : { count: Number(count) }
  const days = listOf(parts, 'BYDAY')
  const setPositions = listOf(parts, 'BYSETPOS')
  switch (parts.get('FREQ')) {
    case 'DAILY':
      if (listOf(parts, 'BYMONTHDAY').length + listOf(parts, 'BYMONTH').length + setPositions.length > 0)
        return undefined
      if (days.length === 0) return { repeat: 'daily', interval, ...end }
      return interval === 1 ? weekly(1, days, end) : undefined
    case 'WEEKLY':
      if (listOf(parts, 'BYMONTH').length + setPositions.length > 0) return undefined
      return weekly(interval, days.length > 0 ? days : [weekdays[first.weekday] ?? ''], end)
    case 'MONTHLY':
      return listOf(parts, 'BYMONTH').length > 0 ? undefined : monthly(interval, parts, first, end)
    case 'YEARLY': {
      const months = listOf(parts, 'BYMONTH')
      const isInOneMonth = months.length === 0 ? days.length === 0 : months.join() === String(first.month)
      return isInOneMonth ? monthly(interval * 12, parts, first, end) : undefined
    }
    default:
      return undefined
  }
}

const listOf = (parts: RuleParts, name: string) => (parts.get(name) ?? '').split(',').filter((item) => item !== '')

type End = { count?: number }

function flagsOf(days: readonly string[]): number[] | undefined {
  if (days.length === 0 || days.some((day) => !weekdays.includes(day))) return undefined
  return weekdays.map((day) => (days.includes(day) ? 1 : 0))
}

function weekly(interval: number, days: readonly string[], end: End): RepeatOptions | undefined {
  const daysOfWeek = flagsOf(days)
  return daysOfWeek && { repeat: 'weekly', interval, daysOfWeek, ...end }
}

function monthly(interval: number, parts: RuleParts, first: FirstDay, end: End): RepeatOptions | undefined {
  const dates = listOf(parts, 'BYMONTHDAY')
  const days = listOf(parts, 'BYDAY')
  const positions = listOf(parts, 'BYSETPOS')
  if (dates.length > 1 || (dates.length > 0 && days.length > 0) || (positions.length > 0 && days.length !== 1))
    return undefined
  if (days.length === 0) {
    const date = Number(dates[0] ?? first.day)
    if (date === -1) return { repeat: 'monthly', interval, lastDayOfMonth: true, ...end }
    return date > 0 ? { repeat: 'monthly', interval, dateInMonth: date, ...end } : undefined
  }
  const numbered = days.map((day) => /^([+-]?\d)?([A-Z]{2})$/.exec(day))
  const weeks = positions.length > 0 ? positions : numbered.map((found) => (found?.[1] ?? '').replace('+', ''))
  const daysOfWeek = flagsOf([...new Set(numbered.map((found) => found?.[2] ?? ''))])
  const chosen = new Set(weeks)
  // Each chosen weekday takes place in each chosen week.
  const isProduct =
    daysOfWeek !== undefined && days.length === flagCount(daysOfWeek) * (positions.length > 0 ? 1 : chosen.size)
  if (!isProduct || [...chosen].some((week) => !ordinals.includes(week))) return undefined
  return {
    repeat: 'monthly',
    interval,
    weeksInMonth: ordinals.map((week) => (chosen.has(week) ? 1 : 0)),
    daysOfWeek,
    ...end,
  }
}

const flagCount = (flags: readonly number[]) => flags.filter((flag) => flag === 1).length
