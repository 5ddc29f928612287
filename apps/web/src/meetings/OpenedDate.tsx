import { Badge, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../texts/dates.ts'
import { openedDateQuery } from './meeting-queries.ts'

type OpenedDateProps = { meetingId: string; date: string }

/**
 * The date of a series that was opened from the calendar, above the next date; nothing when the series has no such
 * date.
 */
export function OpenedDate({ meetingId, date }: OpenedDateProps) {
  const { t, i18n } = useTranslation(['meeting', 'app'])
  const { data: occurrence } = useQuery(openedDateQuery(meetingId, date))
  if (occurrence === undefined || occurrence === null) return null
  const { startTime, endTime, status } = occurrence
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('dates.opened')}
      </Text>
      <Group gap="sm" mb="md">
        <Text size="lg" fw={600}>
          {writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })}
        </Text>
        {status === 'cancelled' && (
          <Badge color="red" tt="none">
            {t('app:cancelled')}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('dates.next')}
      </Text>
    </>
  )
}
