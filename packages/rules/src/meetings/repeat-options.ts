import type { MonthlyDay, RecurrenceRule } from '../recurrence/recurrence.ts'
import { collect, combine, mapParsed, type Parsed, passed, refuseAt, refusedBySchema } from '../text/parsed.ts'
import { readTimestampField } from '../text/timestamp.ts'

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

export type Repetition = { rule: RecurrenceRule; endsBy: Date | null }

/**
 * Read the rule from `repeatOptions`. Fields that the chosen `repeat` does not use are ignored, because clients fill
 * them in anyway.
 */
export function readRepeatOptions(options: RepeatOptions, startsAt: Date | undefined): Parsed<Repetition> {
  const { repeat } = options
  if (repeat === undefined) return refusedBySchema
  if (repeat === 'none') return { value: { rule: { repeat }, endsBy: null } }
  const parsed = combine({
    interval: readInterval(options.interval),
    endsBy: readEndDate(options.endDate, startsAt),
    days: readDays(repeat, options),
  })
  return mapParsed(parsed, ({ interval, endsBy, days }) => ({ rule: { ...days, interval }, endsBy }))
}

/** Read the number of occurrences after which the series ends (RFC 5545, COUNT), if any. */
export function readCount({ repeat, count }: RepeatOptions): Parsed<number | undefined> {
  if (repeat === undefined || repeat === 'none' || count === undefined || count === null) return passed
  if (count >= 1 && count <= maxOccurrences) return { value: count }
  return refuseAt('/repeatOptions/count', 'out_of_range', `must be from 1 to ${maxOccurrences}`)
}

type Days =
  | { repeat: 'daily' }
  | { repeat: 'weekly'; daysOfWeek: readonly number[] }
  | { repeat: 'monthly'; on: MonthlyDay }

function readDays(repeat: Days['repeat'], options: RepeatOptions): Parsed<Days> {
  switch (repeat) {
    case 'daily':
      return { value: { repeat } }
    case 'weekly':
      return mapParsed(readDaysOfWeek(options), (daysOfWeek) => ({ repeat, daysOfWeek }))
    case 'monthly':
      return mapParsed(readMonthlyDay(options), (on) => ({ repeat, on }))
  }
}

/** `lastDayOfMonth` takes precedence over `weeksInMonth`, and both over `dateInMonth`, which clients pre-fill. */
function readMonthlyDay(options: RepeatOptions): Parsed<MonthlyDay> {
  if (options.lastDayOfMonth) return { value: { kind: 'last-day' } }
  if (options.weeksInMonth?.some((week) => Number(week) !== 0)) {
    const weeksInMonth = readFlags('weeksInMonth', options.weeksInMonth, 5)
    const parsed = combine({ weeksInMonth, daysOfWeek: readDaysOfWeek(options) })
    return mapParsed(parsed, (days) => ({ kind: 'weeks', ...days }))
  }
  const dateInMonth = options.dateInMonth ?? 0
  if (dateInMonth >= 1 && dateInMonth <= 31) return { value: { kind: 'date', dateInMonth } }
  const code = dateInMonth === 0 ? 'required' : 'out_of_range'
  const message =
    'must be from 1 to 31 for a monthly meeting without lastDayOfMonth, and without weeksInMonth and daysOfWeek'
  return refuseAt('/repeatOptions/dateInMonth', code, message)
}

function readDaysOfWeek({ daysOfWeek }: RepeatOptions): Parsed<readonly number[]> {
  const path = '/repeatOptions/daysOfWeek'
  if (daysOfWeek === undefined) {
    return refuseAt(path, 'required', 'is missing: 7 times 0 or 1, Sunday first')
  }
  const flags = readFlags('daysOfWeek', daysOfWeek, 7)
  if (flags.violations !== undefined || flags.value.includes(1)) return flags
  return refuseAt(path, 'no_day', 'must have a 1 for at least one day')
}

function readFlags(field: 'daysOfWeek' | 'weeksInMonth', values: Flags, length: number): Parsed<readonly number[]> {
  const path = `/repeatOptions/${field}`
  if (values.length !== length) {
    return refuseAt(path, 'wrong_length', `must have exactly ${length} items`)
  }
  return collect(
    values.map((value, index): Parsed<number> => {
      const flag = Number(value)
      if (flag === 0 || flag === 1) return { value: flag }
      if (value === undefined) return refusedBySchema
      return refuseAt(`${path}/${index}`, 'not_allowed', 'must be 0 or 1')
    }),
  )
}

function readInterval(interval: number | null | undefined): Parsed<number> {
  if (interval === null || interval === undefined) return { value: 1 }
  if (interval >= 1 && interval <= maxInterval) return { value: interval }
  return refuseAt('/repeatOptions/interval', 'out_of_range', `must be from 1 to ${maxInterval}`)
}

function readEndDate(text: string | null | undefined, startsAt: Date | undefined): Parsed<Date | null> {
  if (text === null || text === undefined) return { value: null }
  const path = '/repeatOptions/endDate'
  const endsBy = readTimestampField(path, text)
  if (endsBy.violations !== undefined || startsAt === undefined || endsBy.value <= latestEndDate(startsAt)) {
    return endsBy
  }
  const message = `must be at most ${maxSeriesYears} years after startTime; leave it out for a series without an end`
  return refuseAt(path, 'too_late', message)
}

/** The latest end that a series with an end may have. */
export function latestEndDate(startsAt: Date): Date {
  const latest = new Date(startsAt)
  latest.setUTCFullYear(latest.getUTCFullYear() + maxSeriesYears)
  return latest
}
