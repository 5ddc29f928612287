import { Group, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { openedDateQuery } from './meeting-queries.ts'
import { DateActions } from './occurrence/DateActions.tsx'
import { DateFacts } from './occurrence/DateFacts.tsx'

type OpenedDateProps = { meeting: SingleMeetingReply; etag: string; date: string }

/**
 * The date of a series that was opened from the calendar, above the next date; nothing when the series has no such
 * date.
 */
export function OpenedDate({ meeting, etag, date }: OpenedDateProps) {
  const { t } = useTranslation('meeting')
  const { data: occurrence } = useQuery(openedDateQuery(meeting._id, date))
  if (occurrence === undefined || occurrence === null) return null
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('dates.opened')}
      </Text>
      <Group gap="sm" mb="md" wrap="nowrap" align="flex-start">
        <DateFacts occurrence={occurrence} durationMs={meeting.scheduledDuration} isLarge />
        <DateActions meeting={meeting} etag={etag} occurrence={occurrence} />
      </Group>
      <Text size="sm" c="dimmed">
        {t('dates.next')}
      </Text>
    </>
  )
}
