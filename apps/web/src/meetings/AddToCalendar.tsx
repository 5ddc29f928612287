import { Anchor, Group, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type CalendarEntry, googleLink, outlookLink, withoutPin } from './calendar-links.ts'
import { nextDatesQuery } from './meeting-queries.ts'

/**
 * Add the meeting to a calendar. The file has the whole series and the PIN; links to other services have the next date
 * only.
 */
export function AddToCalendar({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation(['meeting', 'app'])
  const { data } = useQuery({ ...nextDatesQuery(meeting._id), enabled: meeting.recur })
  const next = data?.active[0] ?? meeting
  const { topic, meetingUrl, _id } = meeting
  const entry: CalendarEntry = {
    topic,
    startTime: next.startTime,
    endTime: next.endTime,
    details: t('calendarEntry', { address: new URL(`/meetings/${_id}`, window.location.href).href }),
    location: withoutPin(meetingUrl),
  }
  const elsewhere = { target: '_blank', rel: 'noreferrer' }
  return (
    <div>
      <Text fw={500} size="sm">
        {t('addTo.title')}
      </Text>
      <Group gap="md">
        <Anchor href={`/api/meeting/meetingDetails/${_id}/invite.ics`} download="invite.ics">
          {t('app:calendarFile')}
        </Anchor>
        <Anchor href={googleLink(entry)} {...elsewhere}>
          Google
        </Anchor>
        <Anchor href={outlookLink(entry)} {...elsewhere}>
          Outlook
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {meeting.recur ? t('addTo.series') : t('addTo.single')}
      </Text>
    </div>
  )
}
