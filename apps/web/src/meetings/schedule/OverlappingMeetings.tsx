import { Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import classes from './PreviewedDates.module.css'
import { askAfterMs, conflictsQuery } from './preview-query.ts'

type Dates = { startTime: string; endTime: string }
type OverlappingMeetingsProps = {
  /** The dates that are being scheduled. */
  dates: readonly Dates[]
  /** The edited meeting, which does not overlap with itself. */
  meetingId: string | undefined
}

/** Later dates of a series are seldom what decides about its time. */
const maxComparedDates = 3
const maxShown = 5

/** The person's other meetings during the first dates of a draft. They prevent nothing. */
export function OverlappingMeetings({ dates, meetingId }: OverlappingMeetingsProps) {
  const { t, i18n } = useTranslation('schedule')
  // Serialized, so that equal dates do not restart the delay.
  const [compared] = useDebouncedValue(JSON.stringify(dates.slice(0, maxComparedDates)), askAfterMs)
  const queried: readonly Dates[] = JSON.parse(compared)
  const found = useQueries({ queries: queried.map(conflictsQuery) })
    .flatMap(({ data }) => data?.conflicts ?? [])
    .filter((conflict) => conflict.meetingId !== meetingId)
  // A long meeting may overlap with several of the dates.
  const conflicts = [...new Map(found.map((one) => [`${one.meetingId} ${one.startTime}`, one])).values()]
  if (conflicts.length === 0) return null
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  return (
    <div role="note" aria-live="polite">
      <Text size="sm">{t('dates.overlaps')}</Text>
      <ul className={classes.overlaps}>
        {conflicts.slice(0, maxShown).map(({ meetingId: id, topic, startTime, endTime }) => (
          <li key={`${id} ${startTime}`}>
            <Text size="sm" c="dimmed" component="span">
              <bdi>{topic}</bdi>, {writeSpan(startTime, endTime, dateFormat)}
            </Text>
          </li>
        ))}
      </ul>
      {conflicts.length > maxShown && (
        <Text size="sm" c="dimmed">
          {t('dates.andMore')}
        </Text>
      )}
    </div>
  )
}
