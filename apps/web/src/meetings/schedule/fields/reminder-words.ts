import type { TFunction } from 'i18next'

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
