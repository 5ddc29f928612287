import type { RecurrenceRule, Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import type { Words } from './words/words.ts'

/** The format of an instant: the full date, hours and minutes as usual in the language. */
const dayAndTime = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const

/** Format start and end in `timeZone`, with the zone: `Monday, 7 January 2030, 09:00–09:30 (Europe/London, GMT+0)`. */
export function span(words: Words, startsAt: Date, durationMs: number, timeZone: string): string {
  const endsAt = new Date(startsAt.getTime() + durationMs)
  const written = format(words.locale, { ...dayAndTime, timeZone }).formatRange(startsAt, endsAt)
  return `${written} ${words.zone(zoneAt(startsAt, timeZone))}`
}

/** Format an instant without its zone. */
export const moment = (words: Words, at: Date, timeZone: string): string =>
  format(words.locale, { ...dayAndTime, timeZone }).format(at)

export const day = (words: Words, at: Date, timeZone: string): string =>
  format(words.locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(at)

/** Whether two zones show different times at this instant. */
export const showsOtherTime = (at: Date, timeZone: string, other: string): boolean =>
  offsetAt(at, timeZone) !== offsetAt(at, other)

/** The familiar name of the zone, and its offset at this instant. */
const zoneAt = (at: Date, timeZone: string) => {
  const offset = offsetAt(at, timeZone)
  return /^(Etc\/)?(UTC|GMT)$|^[+-]/.test(timeZone) ? offset : `${currentTimeZoneName(timeZone)}, ${offset}`
}

const offsetAt = (at: Date, timeZone: string): string => {
  const parts = format('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  return name.replace('GMT', 'UTC').replace('UTC+00:00', 'UTC')
}

/** Describe the rule, with the days of the meeting's own zone. */
export function repetition(words: Words, { rule, endsBy, timeZone }: Series): string {
  const rhythm = rhythmOf(words, rule)
  if (rule.count !== undefined) return words.times(rhythm, rule.count)
  return rule.repeat === 'none' || endsBy === null ? rhythm : words.until(rhythm, day(words, endsBy, timeZone))
}

function rhythmOf(words: Words, rule: RecurrenceRule): string {
  switch (rule.repeat) {
    case 'none':
      return words.once
    case 'daily':
      return words.everyDay(rule.interval)
    case 'weekly':
      return words.everyWeek(rule.interval, weekdays(words, rule.daysOfWeek))
    case 'monthly':
      return words.everyMonth(rule.interval, dayOfMonth(words, rule.on))
  }
}

function dayOfMonth(words: Words, on: Extract<RecurrenceRule, { repeat: 'monthly' }>['on']): string {
  switch (on.kind) {
    case 'date':
      return words.onDate(on.dateInMonth)
    case 'last-day':
      return words.onLastDay
    case 'weeks': {
      const ordinals = words.ordinals.filter((_, week) => on.weeksInMonth[week] === 1)
      return words.onWeekdays(listed(words, ordinals), weekdays(words, on.daysOfWeek))
    }
  }
}

/** 1 January 2023 was a Sunday. */
const weekdays = (words: Words, daysOfWeek: readonly number[]) => {
  const name = format(words.locale, { weekday: 'long', timeZone: 'UTC' })
  const chosen = [0, 1, 2, 3, 4, 5, 6].filter((weekday) => daysOfWeek[weekday] === 1)
  return listed(
    words,
    chosen.map((weekday) => name.format(Date.UTC(2023, 0, 1 + weekday))),
  )
}

const listed = ({ locale }: Words, items: readonly string[]) => new Intl.ListFormat(locale).format(items)

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
