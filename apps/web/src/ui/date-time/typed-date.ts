import { regional } from '../../texts/dates.ts'
import { addDays, addMonths, beginOf, type Day, dayFrom, startOfMonth, writeDay } from './days.ts'
import { numbersAndWords, plainText } from './typed-text.ts'

/** Dates as the reader types and reads them. */

/** "Mon, 7 Jan 2030" */
export const writeShortDay = (language: string) =>
  writeDay(language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })

type Reading = {
  language: string
  today: Day
  /** The first day that a text without a year, or a day of the week, can mean; today without it. */
  from?: Day
  /** A text without a year means a day that is over. */
  isPast?: boolean
}

/**
 * Read a date in the order and with the names of the reader's language ("26.11.", "26 Nov", "11/26/2030"), a name such
 * as "tomorrow" or "Friday", or 2030-11-26.
 */
export function readDay(typed: string, reading: Reading): Day | undefined {
  const text = plainText(typed, reading.language)
  if (text === '') return undefined
  return namedDay(text, reading) ?? writtenDay(text, reading)
}

const daysAround = 31
const weeksAhead = 8

/** "tomorrow", "in 3 days", "next week", "Friday" */
function namedDay(text: string, { language, today, isPast = false }: Reading): Day | undefined {
  for (const tag of [language, 'en']) {
    const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
    const isNamed = (count: number, unit: 'day' | 'week') => plainText(relative.format(count, unit), tag) === text
    for (let days = -daysAround; days <= daysAround; days++) if (isNamed(days, 'day')) return addDays(today, days)
    for (let weeks = 1; weeks <= weeksAhead; weeks++) if (isNamed(weeks, 'week')) return addDays(today, 7 * weeks)
    const near = Array.from({ length: 7 }, (_, days) => addDays(today, isPast ? -days : days))
    for (const weekday of ['long', 'short'] as const) {
      const write = writeDay(tag, { weekday })
      const found = near.find((day) => plainText(write(day), tag) === text)
      if (found !== undefined) return found
    }
  }
  return undefined
}

type Order = readonly ('day' | 'month' | 'year')[]

const orderOf = (language: string): Order =>
  partsOf(language, { year: 'numeric', month: '2-digit', day: '2-digit' }).flatMap(({ type }) =>
    type === 'day' || type === 'month' || type === 'year' ? [type] : [],
  )

const partsOf = (language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(regional(language), { ...options, calendar: 'gregory' }).formatToParts(beginOf('2030-11-26'))

type Written = { year?: number; month?: number; day: number }

function writtenDay(text: string, reading: Reading): Day | undefined {
  const named = findMonth(text, reading.language)
  if (named === undefined) return undefined
  const { month, numbers } = named
  const written = month === undefined ? inNumbers(numbers, orderOf(reading.language)) : besideMonth(numbers, month)
  return written && complete(written, reading)
}

/** The month that is named, and the numbers beside it; undefined for a word that is no part of a date. */
function findMonth(text: string, language: string): { month: number | undefined; numbers: string[] } | undefined {
  const months = monthNames(language)
  // Some months have names of two words.
  const long = months.find(({ name }) => name.includes(' ') && text.includes(name))
  const { numbers, words } = numbersAndWords(long === undefined ? text : text.replace(long.name, ' '))
  const ignored = ignoredWords(language)
  const monthOf = (word: string) => {
    const begun = months.filter(({ name }) => name.startsWith(word))
    return begun.find(({ name }) => name === word)?.month ?? (isOneMonth(begun) ? begun[0]?.month : undefined)
  }
  const said = words.filter((word) => !ignored.has(word)).map(monthOf)
  const found = new Set(long === undefined ? said : [long.month, ...said])
  if (found.size > 1 || found.has(undefined)) return undefined
  // "mar" is a day of the week and a month in Spanish.
  const [month = words.map((word) => months.find(({ name }) => name === word)?.month).find((one) => one)] = found
  return { month, numbers }
}

type MonthName = { name: string; month: number }

const minNameLength = 2

const isOneMonth = (names: readonly MonthName[]) => new Set(names.map(({ month }) => month)).size === 1

/** The names of months in the reader's language and in English, alone and beside a day. */
function monthNames(language: string): MonthName[] {
  const styles: Intl.DateTimeFormatOptions[] = [
    { month: 'long', day: 'numeric' },
    { month: 'long' },
    { month: 'short', day: 'numeric' },
    { month: 'short' },
  ]
  return [regional(language), 'en']
    .flatMap((tag) =>
      styles.flatMap((style) => {
        const format = new Intl.DateTimeFormat(tag, { ...style, calendar: 'gregory' })
        return Array.from({ length: 12 }, (_, at) => ({
          month: at + 1,
          name: plainText(
            format.formatToParts(new Date(2030, at, 1)).find(({ type }) => type === 'month')?.value ?? '',
            language,
          ),
        }))
      }),
    )
    .filter(({ name }) => name.length >= minNameLength)
}

/** The days of the week, what stands between the parts of a date ("de", "of"), and the endings of ordinals. */
function ignoredWords(language: string): Set<string> {
  const weekdays = [language, 'en'].flatMap((tag) =>
    (['long', 'short'] as const).flatMap((weekday) =>
      Array.from({ length: 7 }, (_, days) => writeDay(tag, { weekday })(addDays('2030-01-06', days))),
    ),
  )
  const between = partsOf(language, { dateStyle: 'full' })
    .filter(({ type }) => type === 'literal')
    .map(({ value }) => value)
  const all = [...weekdays, ...between, 'of st nd rd th er'].flatMap(
    (words) => numbersAndWords(plainText(words, language)).words,
  )
  return new Set(all)
}

const digitsOfYear = 4

/** "26 nov", "nov 26 2030", "2030 nov 26" */
function besideMonth(numbers: readonly string[], month: number): Written | undefined {
  const [first = '', second] = numbers
  if (numbers.length > 2) return undefined
  if (second === undefined) return first === '' ? undefined : { month, day: Number(first) }
  const isYearFirst = first.length === digitsOfYear
  const [day, year] = isYearFirst ? [second, first] : [first, second]
  return { month, day: Number(day), ...yearOf(year) }
}

/** "26", "26.11.", "26/11/30", "26112030", "2030-11-26" */
function inNumbers(numbers: readonly string[], order: Order): Written | undefined {
  const [first = '', second, third] = numbers
  if (numbers.length > 3) return undefined
  if (second === undefined) return joined(first, order)
  if (third === undefined) {
    const [one, other] = [Number(first), Number(second)]
    return order.indexOf('day') < order.indexOf('month') ? exchanged(one, other) : exchanged(other, one)
  }
  const isIso = first.length === digitsOfYear
  if (isIso) return { ...yearOf(first), month: Number(second), day: Number(third) }
  // A year of four digits stands last, whatever the order.
  const used: Order = order[0] === 'year' && third.length === digitsOfYear ? ['day', 'month', 'year'] : order
  const at = (part: 'day' | 'month' | 'year') => [first, second, third][used.indexOf(part)] ?? ''
  return { ...exchanged(Number(at('day')), Number(at('month'))), ...yearOf(at('year')) }
}

/** A day and a month that are the other way round are read as what they can only be. */
const exchanged = (day: number, month: number): Written =>
  month > 12 && day <= 12 ? { day: month, month: day } : { day, month }

/** Numbers without anything between them: a day, a day and a month, or a whole date. */
function joined(digits: string, order: Order): Written | undefined {
  if (digits.length <= 2) return { day: Number(digits) }
  const parts = digits.length === 4 ? order.filter((part) => part !== 'year') : order
  if (![4, 6, 8].includes(digits.length)) return undefined
  let at = 0
  const texts = new Map(
    parts.map((part) => {
      const length = part === 'year' && digits.length === 8 ? digitsOfYear : 2
      at += length
      return [part, digits.slice(at - length, at)]
    }),
  )
  const year = texts.get('year')
  return {
    ...exchanged(Number(texts.get('day')), Number(texts.get('month'))),
    ...(year !== undefined && yearOf(year)),
  }
}

const century = 2000

const yearOf = (digits: string) => ({ year: digits.length <= 2 ? century + Number(digits) : Number(digits) })

/** Years that a typed number can mean: others are slips of the keyboard. */
const years = { first: 1900, last: 2999 }

/** 29 February comes every eight years at the latest. */
const yearsToTry = 8
const monthsToTry = 12

/** Add the year or the month that is missing: those of the nearest such day. */
function complete({ year, month, day }: Written, { today, from, isPast = false }: Reading): Day | undefined {
  if (year !== undefined && month !== undefined) {
    return year < years.first || year > years.last ? undefined : dayFrom(year, month, day)
  }
  const direction = isPast ? -1 : 1
  const begin = from ?? today
  const isAhead = (found: Day | undefined) => found !== undefined && (isPast ? found <= begin : found >= begin)
  const [beginYear, beginMonth] = [Number(begin.slice(0, 4)), startOfMonth(begin)]
  const tries =
    month === undefined
      ? Array.from({ length: monthsToTry }, (_, at) => {
          const [inYear, inMonth] = addMonths(beginMonth, direction * at).split('-')
          return dayFrom(Number(inYear), Number(inMonth), day)
        })
      : Array.from({ length: yearsToTry + 1 }, (_, at) => dayFrom(beginYear + direction * at, month, day))
  return tries.find(isAhead)
}
