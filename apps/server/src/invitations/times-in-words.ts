import type { RecurrenceRule, Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import type { Language } from '@parley/texts/languages'
import type { TimeHeading } from '../email/mail-document.ts'
import { textsIn } from '../platform/texts.ts'

const textsOf = (language: Language) => textsIn(language, 'invitation-emails')

/** English dates have the day before the month, as everywhere but in America. */
const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language)

/** The format of an instant: the full date, hours and minutes as usual in the language. */
const dayAndTime = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const

/** Format start and end in `timeZone`, with the zone: `Monday, 7 January 2030, 09:00–09:30 (London, UTC)`. */
export function span(language: Language, startsAt: Date, durationMs: number, timeZone: string): string {
  const endsAt = new Date(startsAt.getTime() + durationMs)
  const written = format(localeOf(language), { ...dayAndTime, timeZone }).formatRange(startsAt, endsAt)
  return `${written} ${textsOf(language)('zone', { zone: zoneAt(startsAt, timeZone) })}`
}

/** Format start and end in `timeZone` for a large heading. */
export function timeHeading(language: Language, startsAt: Date, durationMs: number, timeZone: string): TimeHeading {
  const endsAt = new Date(startsAt.getTime() + durationMs)
  const locale = localeOf(language)
  const zone = zoneAt(startsAt, timeZone)
  const dayOf = format(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone })
  if (dayOf.format(startsAt) !== dayOf.format(endsAt)) {
    return { day: format(locale, { ...dayAndTime, timeZone }).formatRange(startsAt, endsAt), hours: '', zone }
  }
  const hours = format(locale, { hour: '2-digit', minute: '2-digit', timeZone })
  return { day: dayOf.format(startsAt), hours: hours.formatRange(startsAt, endsAt), zone }
}

/** Format an instant for a subject: `Mon, 7 Jan, 09:00 UTC`, with the year where it is not the year of `writtenAt`. */
export function shortMoment(language: Language, at: Date, timeZone: string, writtenAt: Date): string {
  const yearOf = (instant: Date) => format('en', { year: 'numeric', timeZone }).format(instant)
  return format(localeOf(language), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(yearOf(at) !== yearOf(writtenAt) && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
    timeZoneName: 'short',
  }).format(at)
}

/** Format an instant without its zone. */
export const moment = (language: Language, at: Date, timeZone: string): string =>
  format(localeOf(language), { ...dayAndTime, timeZone }).format(at)

export const day = (language: Language, at: Date, timeZone: string): string =>
  format(localeOf(language), { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(at)

/** Whether two zones show different times at this instant. */
export const showsOtherTime = (at: Date, timeZone: string, other: string): boolean =>
  offsetAt(at, timeZone) !== offsetAt(at, other)

/** The city of the zone, and its offset at this instant. */
const zoneAt = (at: Date, timeZone: string) => {
  const offset = offsetAt(at, timeZone)
  const city = currentTimeZoneName(timeZone).split('/').at(-1)?.replaceAll('_', ' ')
  return /^(Etc\/.*|UTC|GMT)$|^[+-]/.test(timeZone) ? offset : `${city}, ${offset}`
}

const offsetAt = (at: Date, timeZone: string): string => {
  const parts = format('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name.replace('GMT', 'UTC').replace('UTC+00:00', 'UTC')
}

/** Describe the rule, with the days of the meeting's own zone. */
export function repetition(language: Language, { rule, endsBy, timeZone }: Series): string {
  const rhythm = rhythmOf(language, rule)
  if (rule.count !== undefined) return textsOf(language)('times', { rhythm, count: rule.count })
  return rule.repeat === 'none' || endsBy === null
    ? rhythm
    : textsOf(language)('until', { rhythm, date: day(language, endsBy, timeZone) })
}

function rhythmOf(language: Language, rule: RecurrenceRule): string {
  const t = textsOf(language)
  switch (rule.repeat) {
    case 'none':
      return t('once')
    case 'daily':
      return t('everyDay', { count: rule.interval })
    case 'weekly':
      return t('everyWeek', { count: rule.interval, days: weekdays(language, rule.daysOfWeek) })
    case 'monthly':
      return t('everyMonth', { count: rule.interval, on: dayOfMonth(language, rule.on) })
  }
}

function dayOfMonth(language: Language, on: Extract<RecurrenceRule, { repeat: 'monthly' }>['on']): string {
  const t = textsOf(language)
  switch (on.kind) {
    case 'date':
      return t('onDate', { day: on.dateInMonth })
    case 'last-day':
      return t('onLastDay')
    case 'weeks': {
      const ordinals = t('ordinals', { returnObjects: true }).filter((_, week) => on.weeksInMonth[week] === 1)
      return t('onWeekdays', { ordinals: listed(language, ordinals), days: weekdays(language, on.daysOfWeek) })
    }
  }
}

/** 1 January 2023 was a Sunday. */
const weekdays = (language: Language, daysOfWeek: readonly number[]) => {
  const name = format(localeOf(language), { weekday: 'long', timeZone: 'UTC' })
  const chosen = [0, 1, 2, 3, 4, 5, 6].filter((weekday) => daysOfWeek[weekday] === 1)
  return listed(
    language,
    chosen.map((weekday) => name.format(Date.UTC(2023, 0, 1 + weekday))),
  )
}

const listed = (language: Language, items: readonly string[]) => new Intl.ListFormat(localeOf(language)).format(items)

/** Cached, because creating a formatter takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()
const maxFormats = 500

function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, options)
  if (formats.size >= maxFormats) formats.clear()
  formats.set(key, made)
  return made
}
