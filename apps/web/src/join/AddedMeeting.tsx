import { Anchor, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { meetingQuery } from '../meetings/queries.ts'
import { ownTimeZone, writeSpan } from '../texts/dates.ts'
import { Section } from '../ui/Section.tsx'

/** Confirm the addition: name the meeting and link to the next pages. */
export function AddedMeeting({ meetingId }: { meetingId: string }) {
  const { t, i18n } = useTranslation(['join', 'app'])
  const { data } = useQuery(meetingQuery(meetingId))
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  return (
    <Section title={t('add.done')}>
      <div role="status">
        <Text fw={600} size="lg" mih="1.55em">
          {data?.meeting.topic}
        </Text>
        <Text mih="1.55em">
          {data !== undefined && writeSpan(data.meeting.startTime, data.meeting.endTime, dateFormat)}
        </Text>
      </div>
      <Group mt="md">
        <Button renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
          {t('add.open')}
        </Button>
        <Anchor href={`/api/meeting/meetingDetails/${meetingId}/invite.ics`} download="invite.ics">
          {t('app:calendarFile')}
        </Anchor>
      </Group>
    </Section>
  )
}
