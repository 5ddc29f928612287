import { Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { writeDistance } from '../../texts/distance.ts'
import { JoinButton } from '../JoinButton.tsx'
import { meetingQuery } from '../meeting-queries.ts'
import { useCurrentDates } from '../use-current-dates.ts'
import type { DatedMeeting } from './dated-meetings.ts'
import classes from './NextMeeting.module.css'
import { nextMeetings } from './next-meetings.ts'

/** Short enough for a countdown in seconds. */
const tickMs = 1_000

/** Every running meeting, otherwise the next one within a week: the time left, and a button to join. */
export function NextMeeting() {
  const { t } = useTranslation('meetings')
  const headingId = useId()
  const { now, dates } = useCurrentDates(tickMs)
  const groups = nextMeetings(dates ?? [], now)
  return groups.map(({ kind, meetings }) => (
    <section
      key={kind}
      className={classes.next}
      aria-labelledby={`${headingId}${kind}`}
      aria-busy={dates === undefined}
    >
      <Title order={2} size="h5" id={`${headingId}${kind}`} className={classes.heading}>
        {t(`next.${kind}`)}
      </Title>
      {dates === undefined && <Skeleton h={54} />}
      {dates !== undefined && meetings.length === 0 && (
        <Text c="dimmed" className={classes.quiet}>
          {t('next.quiet')}
        </Text>
      )}
      <Stack gap="md">
        {meetings.map((meeting) => (
          <OneMeeting key={`${meeting.meetingId} ${meeting.startTime}`} meeting={meeting} now={now} />
        ))}
      </Stack>
    </section>
  ))
}

function OneMeeting({ meeting, now }: { meeting: DatedMeeting; now: Date }) {
  const { t, i18n } = useTranslation(['meetings', 'app'])
  const { meetingId, topic, startTime, endTime, room } = meeting
  const { data: details } = useQuery(meetingQuery(meetingId))
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const [starts, ends] = [new Date(startTime), new Date(endTime)]
  const distance = (time: string) => ({ distance: writeDistance(time, now, i18n.language) })
  return (
    <Group justify="space-between" gap="md">
      <div className={classes.facts}>
        <Link to="/meetings/$meetingId" params={{ meetingId }} className={classes.topic}>
          <bdi>{topic}</bdi>
        </Link>
        <Text>
          <strong role="timer">
            {starts > now && t('app:starts', distance(startTime))}
            {starts <= now && ends > now && t('next.ends', distance(endTime))}
            {ends <= now && t('next.over')}
          </strong>
          {room === 'occupied' && ` · ${t('next.occupied')}`}
          <Text span c="dimmed">
            {' · '}
            {writeSpan(startTime, endTime, dateFormat)}
          </Text>
        </Text>
      </div>
      {details !== undefined && <JoinButton code={details.meeting.svcMeetId} pin={details.meeting.pin} topic={topic} />}
    </Group>
  )
}
