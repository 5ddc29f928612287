import { clockOptions, regional } from '../../texts/dates.ts'
import { numbersAndWords, plainText } from './typed-text.ts'

/** Times of day and durations as the reader types and reads them. A time is 09:30, with seconds where they are not zero. */

const two = (number: number | string) => String(number).padStart(2, '0')

const anyDay = '2030-01-07'

/** "09:30" or "9:30 am", as the reader has chosen; an invalid time is written as it is. */
export function writeTime(time: string, language: string): string {
  const at = new Date(`${anyDay}T${time}Z`)
  if (Number.isNaN(at.getTime())) return time
  return formatFor(regional(language), at.getUTCSeconds() !== 0).format(at)
}

/** Constructing a formatter costs as much as a hundred uses of it, and a list has a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(tag: string, hasSeconds: boolean): Intl.DateTimeFormat {
  const key = `${tag} ${hasSeconds}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(tag, {
    ...clockOptions(tag),
    ...(hasSeconds && { second: '2-digit' }),
    timeZone: 'UTC',
  })
  formats.set(key, format)
  return format
}

type Half = 'am' | 'pm'

/** The names of the halves of the day, in the reader's language and in English, without points. */
function halfNames(language: string): Map<string, Half> {
  const nameAt = (hour: number, tag: string) =>
    new Intl.DateTimeFormat(tag, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
      .formatToParts(new Date(`${anyDay}T${two(hour)}:00Z`))
      .find(({ type }) => type === 'dayPeriod')?.value ?? ''
  const names = [regional(language), 'en'].flatMap((tag): [string, Half][] => [
    [nameAt(9, tag), 'am'],
    [nameAt(21, tag), 'pm'],
  ])
  const plain = names.map(([name, half]): [string, Half] => [withoutPoints(plainText(name, language)), half])
  return new Map([...plain, ['a', 'am'], ['p', 'pm']])
}

const withoutPoints = (text: string) => text.replaceAll(/[.\s]/g, '')

/** "9", "930", "9:30", "21.30", "21h30", "9 Uhr" */
const withSeparator = /^(\d{1,2})(?: ?[:.,h٫] ?(\d{2})(?::(\d{2}))?)?(?: ?(?:h|uhr))?$/
const withoutSeparator = /^(\d{1,2})(\d{2})(?: ?(?:h|uhr))?$/

type TimeParts = { hour: number; minute: number; second: number; half: Half | undefined; hasMinutes: boolean }

function readParts(typed: string, language: string): TimeParts | undefined {
  const text = plainText(typed, language)
  const [, clock = '', end = ''] = /^(.*\d(?: ?(?:h|uhr))?)\.? ?(\D*)$/.exec(text) ?? []
  const named = withoutPoints(end)
  const half = named === '' ? undefined : halfNames(language).get(named)
  if (named !== '' && half === undefined) return undefined
  const found = withSeparator.exec(clock) ?? withoutSeparator.exec(clock)
  if (found === null) return undefined
  const [, hour = '', minute, second = '0'] = found
  return {
    hour: Number(hour),
    minute: Number(minute ?? 0),
    second: Number(second),
    half,
    hasMinutes: minute !== undefined,
  }
}

const hoursInHalf = 12

/** Read a time of day; without a half of the day, its hour is one of 24. */
export function readTime(typed: string, language: string): string | undefined {
  const parts = readParts(typed, language)
  if (parts === undefined) return undefined
  const { hour, minute, second, half } = parts
  if (half === 'am' && hour > hoursInHalf) return undefined
  const isMorning = half === 'am' && hour === hoursInHalf
  const isAfternoon = half === 'pm' && hour < hoursInHalf
  const inDay = isMorning ? 0 : isAfternoon ? hour + hoursInHalf : hour
  if (inDay > 23 || minute > 59 || second > 59) return undefined
  return `${two(inDay)}:${two(minute)}${second === 0 ? '' : `:${two(second)}`}`
}

const minutesInDay = 1440
const quarter = 15

export const quarterHours: readonly string[] = Array.from({ length: minutesInDay / quarter }, (_, at) => {
  const minutes = at * quarter
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
})

/** What a typed text can mean: the time that it says, then the quarter hours that begin so, in both halves of the day. */
export function timesLike(typed: string, language: string): string[] {
  const said = readTime(typed, language)
  const parts = readParts(typed, language)
  if (said === undefined || parts === undefined) return []
  const isOpen = parts.half === undefined && parts.hour > 0 && parts.hour < hoursInHalf
  const later = isOpen ? two(Number(said.slice(0, 2)) + hoursInHalf) + said.slice(2) : undefined
  const starts = [said, ...(later === undefined ? [] : [later])]
  if (parts.hasMinutes) return starts
  return starts.flatMap((start) => quarterHours.filter((time) => time.slice(0, 2) === start.slice(0, 2)))
}

const minuteMs = 60_000
const minutesInHour = 60

/** Smaller numbers without a unit are hours of the day. */
const minBareMinutes = 24

/** A year: longer durations are slips of the keyboard, and their end may be beyond every calendar. */
const maxDurationMinutes = 366 * minutesInDay

/** Read a duration such as "45 min", "1 h 30", "1:30 h" or "1.5 hours", in milliseconds; "45" alone is minutes. */
export function readDuration(typed: string, language: string): number | undefined {
  const text = plainText(typed, language)
  if (/^\d{2,4}$/.test(text)) return Number(text) >= minBareMinutes ? Number(text) * minuteMs : undefined
  const withColon = /^(\d+):([0-5]\d)(?= ?\D)/.exec(text)
  const plain = withColon ? text.replace(withColon[0], `${withColon[1]} h ${withColon[2]}`).replace(/\D+$/, '') : text
  if (withColon && unitOf(numbersAndWords(text).words[0] ?? '', language) !== 'hour') return undefined
  let minutes = 0
  let last: 'hour' | 'minute' | undefined
  let rest = plain
  while (rest !== '') {
    const part = /^[^\p{L}\p{M}\d]*(\d+(?:[.,٫]\d+)?) ?([\p{L}\p{M}]*)[^\p{L}\p{M}\d]*/u.exec(rest)
    if (part === null) return undefined
    const [whole, number = '', word = ''] = part
    const unit = word === '' ? (last === 'hour' ? 'minute' : undefined) : unitOf(word, language)
    if (unit === undefined || unit === last || last === 'minute') return undefined
    minutes += Number(number.replace(/[,٫]/, '.')) * (unit === 'hour' ? minutesInHour : 1)
    last = unit
    rest = rest.slice(whole.length)
  }
  const rounded = Math.round(minutes)
  return last === undefined || rounded < 1 || rounded > maxDurationMinutes ? undefined : rounded * minuteMs
}

function unitOf(word: string, language: string): 'hour' | 'minute' | undefined {
  if (word === '') return undefined
  return (['hour', 'minute'] as const).find((unit) => unitNames(unit, language).some((name) => name.startsWith(word)))
}

/** The forms that a unit has with these numbers cover the plurals of the languages of the pages. */
const countsOfForms = [1, 2, 3, 11]

const unitNames = (unit: 'hour' | 'minute', language: string): string[] =>
  [language, 'en'].flatMap((tag) =>
    (['long', 'short', 'narrow'] as const).flatMap((unitDisplay) => {
      const format = new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay })
      return countsOfForms.flatMap((count) => numbersAndWords(plainText(format.format(count), language)).words)
    }),
  )
