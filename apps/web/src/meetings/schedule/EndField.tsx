import { useTranslation } from 'react-i18next'
import { TypedChoice } from '../../ui/date-time/TypedChoice.tsx'
import { readDuration, readTime, timesLike, writeTime } from '../../ui/date-time/typed-time.ts'
import { writeDuration } from './calendar-words.ts'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import { minuteMs } from './meeting-draft.ts'
import { msUntil, wallTimeOf } from './wall-time.ts'

const quarterHour = 15
const halfHour = 30
const hour = 60
const day = 1440

const every = (stepMinutes: number, fromMinutes: number, toMinutes: number) =>
  Array.from(
    { length: (toMinutes - fromMinutes) / stepMinutes + 1 },
    (_, at) => (fromMinutes + at * stepMinutes) * minuteMs,
  )

const usualDurations = [
  ...every(quarterHour, quarterHour, hour),
  ...every(halfHour, hour + halfHour, 4 * hour),
  ...every(hour, 5 * hour, 8 * hour),
  12 * hour * minuteMs,
  day * minuteMs,
]

type EndFieldProps = {
  /** Undefined while the start is incomplete; the field is about durations then. */
  startsAt: Date | undefined
  zoneId: string
}

/** When a meeting ends: a time of day with its duration. Either one can be typed. */
export function EndField({ startsAt, zoneId }: EndFieldProps) {
  const form = useMeetingFormContext()
  const { durationMs } = form.values
  const { t, i18n } = useTranslation('schedule')
  const { language } = i18n
  const writeEnd = (ms: number) => {
    const duration = writeDuration(ms, language, 'short')
    if (startsAt === undefined) return duration
    const wall = wallTimeOf(new Date(startsAt.getTime() + ms), zoneId)
    const time = writeTime(wall.time, language)
    const isSameDay = wall.date === wallTimeOf(startsAt, zoneId).date
    return t('when.endWith', { end: isSameDay ? time : t('when.nextDay', { time }), duration })
  }
  const endAt = (time: string | undefined) =>
    time === undefined || startsAt === undefined ? undefined : msUntil(time, startsAt, zoneId)
  const read = (typed: string) => readDuration(typed, language) ?? endAt(readTime(typed, language))
  const choices = (typed: string | undefined) => {
    const found =
      typed === undefined
        ? [...usualDurations, durationMs].toSorted((one, other) => one - other)
        : [read(typed), ...timesLike(typed, language).map(endAt)]
    return [...new Set(found)].filter((ms): ms is number => ms !== undefined && ms > 0 && ms <= day * minuteMs)
  }
  return (
    <TypedChoice
      label={t('when.end')}
      required
      value={durationMs > 0 ? durationMs : undefined}
      write={writeEnd}
      read={read}
      choices={choices}
      onChange={(ms) => form.setFieldValue('durationMs', ms ?? 0)}
      error={form.errors.durationMs}
      unreadable={t('when.noEnd', {
        end: writeTime('17:30', language),
        duration: writeDuration(halfHour * minuteMs, language, 'short'),
      })}
    />
  )
}
