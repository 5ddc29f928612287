import { useTranslation } from 'react-i18next'

/**
 * Dates and times in words. `Temporal` is not in every browser yet, so instants come from the server, and Intl formats
 * them for a language and a time zone. The server computes which day an occurrence falls on.
 */

const zoneOfTask = new Map<'own', string>()

/**
 * The reader's time zone, as an IANA name. Each date of a calendar asks for it, and the answer takes a new formatter:
 * it is read once in a task. In the next one, the device may be in another zone.
 */
export function ownTimeZone(): string {
  const known = zoneOfTask.get('own')
  if (known !== undefined) return known
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  zoneOfTask.set('own', zone)
  queueMicrotask(() => zoneOfTask.clear())
  return zone
}

/** How the reader writes times and weeks (UTS 35, keys `hc` and `fw`); what is empty follows language and region. */
type TimeFormat = { hourCycle: string; firstDayOfWeek: string }
const timeFormat: TimeFormat = { hourCycle: '', firstDayOfWeek: '' }

/** Returns whether anything is different now. `setTimeFormat` of i18n.ts also shows it. */
export function replaceTimeFormat({ hourCycle, firstDayOfWeek }: TimeFormat): boolean {
  if (hourCycle === timeFormat.hourCycle && firstDayOfWeek === timeFormat.firstDayOfWeek) return false
  Object.assign(timeFormat, { hourCycle, firstDayOfWeek })
  return true
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** The day with which the reader has weeks begin, 0 for Sunday; undefined: as usual in the language. */
export function chosenFirstWeekday(): number | undefined {
  const place = weekdays.indexOf(timeFormat.firstDayOfWeek)
  return place === -1 ? undefined : place
}

/** The language with the reader's region and hours: British and American English write dates differently. */
export function regional(language: string): string {
  const tag = navigator.languages.find((wanted) => wanted.split('-')[0] === language) ?? language
  return timeFormat.hourCycle === '' ? tag : `${tag}-u-hc-${timeFormat.hourCycle}`
}

/**
 * The options that write a time as in a span of times: Intl writes "8:30" alone and "08:30–09:30" in many languages.
 * @param tag with the reader's hours, from `regional`
 */
export function clockOptions(tag: string): Intl.DateTimeFormatOptions {
  const clock = { hour: 'numeric', minute: '2-digit' } as const
  const parts = new Intl.DateTimeFormat(tag, { ...clock, timeZone: 'UTC' }).formatRangeToParts(30_600_000, 34_200_000)
  const hour = parts.find(({ type }) => type === 'hour')?.value ?? ''
  return { ...clock, hour: hour.length === 2 ? '2-digit' : 'numeric' }
}

type Instant = Date | string

/** Instants in one language and time zone, in the style of each context. */
type Dates = {
  /** "Monday, 7 January 2030" */
  date(at: Instant): string
  /** "Mon, 7 Jan 2030" */
  day(at: Instant): string
  /** "7 Jan 2030" */
  shortDate(at: Instant): string
  /** "Monday, 7 January"; with the year unless `now` is in that year. */
  dayNear(at: Instant, now: Date): string
  /** "January 2030" */
  month(at: Instant): string
  /** "09:00" or "9:00 AM", by language. */
  time(at: Instant): string
  /** "Mon, 7 Jan 2030, 09:00" */
  dateTime(at: Instant): string
  /** "Mon, 7 Jan 2030, 09:00 – 09:30", without repeated parts. */
  range(from: Instant, to: Instant): string
  /** "Mon, 7 Jan, 09:00 – 09:30"; with the year unless `now` is in that year. */
  rangeNear(from: Instant, to: Instant, now: Date): string
  /** "09:00 – 09:30", and across midnight "Mon, 7 Jan, 23:30 – Tue, 8 Jan, 00:30" */
  timeRange(from: Instant, to: Instant): string
  /** "Indian Standard Time", or the offset when the language has no name for the zone. */
  zone(at: Instant): string
  /** "2 days ago", "in 3 hours", and "now" for differences below a minute; `now` is that of `useNow`. */
  relative(at: Instant, now: Date): string
  /** "in 25 minutes", "in 8 seconds": `relative` to the second, for what the reader waits for. */
  countdown(at: Instant, now: Date): string
}

/** Format instants in the reader's language, and in the reader's time zone unless another is given. */
export function useDates(timeZone: string = ownTimeZone()): Dates {
  const { i18n } = useTranslation()
  return datesIn(i18n.language, timeZone)
}

const known = new Map<string, Dates>()

/** `useDates` for functions that are no hooks. The same arguments return the same object. */
export function datesIn(language: string, timeZone: string): Dates {
  const key = `${regional(language)} ${timeZone}`
  const dates = known.get(key) ?? createDates(language, timeZone)
  known.set(key, dates)
  return dates
}

const day: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }

const { year: _, ...shortDayOfThisYear } = day
const { weekday: __, ...shortDate } = day

const styles = {
  dayOfThisYear: { weekday: 'long', day: 'numeric', month: 'long' },
  timeOfThisYear: shortDayOfThisYear,
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
  date: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  day,
  shortDate,
  time: {},
  dateTime: day,
  zone: { timeZoneName: 'long' },
} satisfies Record<string, Intl.DateTimeFormatOptions>

const withClock: (keyof typeof styles)[] = ['timeOfThisYear', 'time', 'dateTime']

function createDates(language: string, timeZone: string): Dates {
  /** Constructing a formatter costs as much as a hundred uses of it. */
  const made = new Map<keyof typeof styles, Intl.DateTimeFormat>()
  const formatter = (style: keyof typeof styles) => {
    const existing = made.get(style)
    if (existing !== undefined) return existing
    const tag = regional(language)
    const clock = withClock.includes(style) && clockOptions(tag)
    const format = new Intl.DateTimeFormat(tag, { ...styles[style], ...clock, timeZone })
    made.set(style, format)
    return format
  }
  const countdown: Dates['countdown'] = (at, now) => {
    const distanceMs = new Date(at).getTime() - now.getTime()
    const { unit, sizeMs } = units.find(({ fromMs }) => Math.abs(distanceMs) >= fromMs) ?? units[3]
    return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(Math.trunc(distanceMs / sizeMs), unit)
  }
  const isSame = (style: 'year' | 'shortDate', at: Instant, other: Instant) =>
    formatter(style).format(new Date(at)) === formatter(style).format(new Date(other))
  return {
    dayNear: (at, now) => formatter(isSame('year', at, now) ? 'dayOfThisYear' : 'date').format(new Date(at)),
    month: (at) => formatter('month').format(new Date(at)),
    date: (at) => formatter('date').format(new Date(at)),
    day: (at) => formatter('day').format(new Date(at)),
    shortDate: (at) => formatter('shortDate').format(new Date(at)),
    time: (at) => formatter('time').format(new Date(at)),
    dateTime: (at) => formatter('dateTime').format(new Date(at)),
    range: (from, to) => formatter('dateTime').formatRange(new Date(from), new Date(to)),
    rangeNear: (from, to, now) =>
      formatter(isSame('year', from, now) && isSame('year', to, now) ? 'timeOfThisYear' : 'dateTime').formatRange(
        new Date(from),
        new Date(to),
      ),
    timeRange: (from, to) =>
      formatter(isSame('shortDate', from, to) ? 'time' : 'timeOfThisYear').formatRange(new Date(from), new Date(to)),
    zone: (at) => {
      const parts = formatter('zone').formatToParts(new Date(at))
      return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
    },
    relative: (at, now) =>
      Math.abs(new Date(at).getTime() - now.getTime()) < minuteMs
        ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
        : countdown(at, now),
    countdown,
  }
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The distance from which on each unit is used: "in 85 minutes" is more exact than "in 1 hour". */
const units = [
  { unit: 'day', sizeMs: dayMs, fromMs: 36 * hourMs },
  { unit: 'hour', sizeMs: hourMs, fromMs: 90 * minuteMs },
  { unit: 'minute', sizeMs: minuteMs, fromMs: minuteMs },
  { unit: 'second', sizeMs: secondMs, fromMs: 0 },
] as const
