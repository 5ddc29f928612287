import type { TFunction } from 'i18next'
import { regional } from '../../texts/dates.ts'

/** Calendar and time words in the reader's language, from Intl. */

/** "Monday, Wednesday and Friday" */
export const joinWords = (words: readonly string[], language: string): string =>
  new Intl.ListFormat(regional(language), { type: 'conjunction' }).format(words)

/** "30 June 2027" for 2027-06-30; an invalid date is returned unchanged. */
export function writeCalendarDate(date: string, language: string): string {
  const day = new Date(`${date}T00:00Z`)
  if (Number.isNaN(day.getTime())) return date
  return new Intl.DateTimeFormat(regional(language), { dateStyle: 'long', timeZone: 'UTC' }).format(day)
}

/** "1 hour, 30 minutes", or "1 hr, 30 min" if short; `Intl.DurationFormat` is not in every browser yet. */
export function writeDuration(durationMs: number, language: string, style: 'long' | 'short' = 'long'): string {
  const seconds = Math.round(durationMs / 1000)
  const parts = [
    { unit: 'hour', value: Math.floor(seconds / 3600) },
    { unit: 'minute', value: Math.floor((seconds % 3600) / 60) },
    { unit: 'second', value: seconds % 60 },
  ].filter(({ value }) => value > 0)
  const written = parts.map(({ unit, value }) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: style }).format(value),
  )
  return new Intl.ListFormat(language, { type: 'unit', style }).format(written)
}

type Words = { t: TFunction<'schedule'>; language: string }

const units = [
  { unit: 'day', minutes: 1440 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const

/** "30 minutes before"; null is the service's default, 0 is no reminder. */
export function writeReminder(minutes: number | null, { t, language }: Words): string {
  if (minutes === null) return t('reminder.usual')
  if (minutes === 0) return t('reminder.none')
  const { unit, minutes: inUnit } = units.find((one) => minutes % one.minutes === 0) ?? units[2]
  const time = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(minutes / inUnit)
  return t('reminder.before', { time })
}
