import type { MonthlyDay, RecurrenceRule } from '../recurrence/recurrence.ts'
import { readTimestamp } from '../text/timestamp.ts'
import type { Violation } from '../text/violation.ts'
import { notATimestamp } from './meeting-times.ts'

/** Days, weeks or months. */
export const maxInterval = 99

/** Four years of a series on weekdays. */
export const maxOccurrences = 1000

/** A longer series should have no end, or its year is a mistake. */
export const maxSeriesYears = 10

/** As sent; `null` and absent mean the same. Types are checked, and refused items are undefined. */
export type RepeatOptions = {
  repeat?: 'none' | 'daily' | 'weekly' | 'monthly' | undefined
  interval?: number | null | undefined
  daysOfWeek?: Flags | undefined
  dateInMonth?: number | null | undefined
  lastDayOfMonth?: boolean | undefined
  weeksInMonth?: Flags | undefined
  endDate?: string | null | undefined
  count?: number | null | undefined
}

type Flags = readonly (number | boolean | undefined)[]

export type ReadRepeatOptions = { rule: RecurrenceRule; endsBy: Date | null }

/**
 * Read the rule from `repeatOptions`. Fields that the chosen `repeat` does not use are ignored, because clients fill
 * them in anyway. Returns undefined and adds violations when the rule is invalid.
 */
export function readRepeatOptions(
  options: RepeatOptions,
  startsAt: Date | undefined,
  violations: Violation[],
): ReadRepeatOptions | undefined {
  const { repeat } = options
  if (repeat === undefined) return undefined
  if (repeat === 'none') return { rule: { repeat }, endsBy: null }

  const found: Violation[] = []
  const interval = readInterval(options.interval, found)
  const endsBy = readEndDate(options.endDate, startsAt, found)
  const rule = readRule(repeat, interval, options, found)
  violations.push(...found)
  return found.length === 0 && rule !== undefined ? { rule, endsBy } : undefined
}

/**
 * Read the number of occurrences after which the series ends (RFC 5545, COUNT); undefined when it is absent or refused.
 */
export function readCount(options: RepeatOptions, violations: Violation[]): number | undefined {
  const { repeat, count, endDate } = options
  if (repeat === undefined || repeat === 'none' || count === undefined || count === null) return undefined
  const path = '/repeatOptions/count'
  if (count < 1 || count > maxOccurrences) {
    violations.push({ path, code: 'out_of_range', message: `count must be from 1 to ${maxOccurrences}.` })
    return undefined
  }
  if (endDate === undefined || endDate === null) return count
  violations.push({ path, code: 'not_together', message: 'A series ends by count or by endDate, not by both.' })
  return undefined
}

function readRule(
  repeat: 'daily' | 'weekly' | 'monthly',
  interval: number,
  options: RepeatOptions,
  found: Violation[],
): RecurrenceRule | undefined {
  switch (repeat) {
    case 'daily':
      return { repeat, interval }
    case 'weekly': {
      const daysOfWeek = readDaysOfWeek(options, found)
      return daysOfWeek && { repeat, interval, daysOfWeek }
    }
    case 'monthly': {
      const on = readMonthlyDay(options, found)
      return on && { repeat, interval, on }
    }
  }
}

/** `lastDayOfMonth` takes precedence over `weeksInMonth`, and both over `dateInMonth`, which clients pre-fill. */
function readMonthlyDay(options: RepeatOptions, found: Violation[]): MonthlyDay | undefined {
  if (options.lastDayOfMonth) return { kind: 'last-day' }
  if (options.weeksInMonth?.some((week) => Number(week) !== 0)) {
    const weeksInMonth = readFlags('weeksInMonth', options.weeksInMonth, 5, found)
    const daysOfWeek = readDaysOfWeek(options, found)
    return weeksInMonth && daysOfWeek && { kind: 'weeks', weeksInMonth, daysOfWeek }
  }
  const dateInMonth = options.dateInMonth ?? 0
  if (dateInMonth >= 1 && dateInMonth <= 31) return { kind: 'date', dateInMonth }
  found.push({
    path: '/repeatOptions/dateInMonth',
    code: dateInMonth === 0 ? 'required' : 'out_of_range',
    message: 'A monthly meeting needs dateInMonth from 1 to 31, lastDayOfMonth, or weeksInMonth with daysOfWeek.',
  })
  return undefined
}

function readDaysOfWeek({ daysOfWeek }: RepeatOptions, found: Violation[]): readonly number[] | undefined {
  const path = '/repeatOptions/daysOfWeek'
  if (daysOfWeek === undefined) {
    found.push({ path, code: 'required', message: 'daysOfWeek is missing: 7 times 0 or 1, Sunday first.' })
    return undefined
  }
  const flags = readFlags('daysOfWeek', daysOfWeek, 7, found)
  if (flags === undefined || flags.includes(1)) return flags
  found.push({ path, code: 'no_day', message: 'daysOfWeek must have a 1 for at least one day.' })
  return undefined
}

function readFlags(
  field: 'daysOfWeek' | 'weeksInMonth',
  values: Flags,
  length: number,
  found: Violation[],
): readonly number[] | undefined {
  const path = `/repeatOptions/${field}`
  if (values.length !== length) {
    found.push({ path, code: 'wrong_length', message: `${field} must have exactly ${length} items.` })
    return undefined
  }
  const flags = values.map(Number)
  for (const [index, flag] of flags.entries()) {
    if (flag === 0 || flag === 1 || values[index] === undefined) continue
    found.push({ path: `${path}/${index}`, code: 'not_allowed', message: `Each item of ${field} must be 0 or 1.` })
  }
  return flags.every((flag) => flag === 0 || flag === 1) ? flags : undefined
}

function readInterval(interval: number | null | undefined, found: Violation[]): number {
  if (interval === null || interval === undefined) return 1
  if (interval < 1 || interval > maxInterval) {
    found.push({
      path: '/repeatOptions/interval',
      code: 'out_of_range',
      message: `interval must be from 1 to ${maxInterval}.`,
    })
  }
  return interval
}

function readEndDate(text: string | null | undefined, startsAt: Date | undefined, found: Violation[]): Date | null {
  if (text === null || text === undefined) return null
  const path = '/repeatOptions/endDate'
  const endsBy = readTimestamp(text)
  if (endsBy === undefined) {
    found.push({ path, code: 'bad_format', message: notATimestamp('endDate') })
    return null
  }
  if (startsAt !== undefined && endsBy > latestEndDate(startsAt)) {
    found.push({
      path,
      code: 'too_late',
      message: `endDate must be at most ${maxSeriesYears} years after startTime; leave it out for a series without an end.`,
    })
  }
  return endsBy
}

/** The latest end that a series with an end may have. */
export function latestEndDate(startsAt: Date): Date {
  const latest = new Date(startsAt)
  latest.setUTCFullYear(latest.getUTCFullYear() + maxSeriesYears)
  return latest
}
