import { Group, Skeleton, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../texts/dates.ts'
import { writeDistance } from '../texts/distance.ts'
import { useNow } from '../ui/use-now.ts'
import { datedMeetingsQuery } from './dated-meetings.ts'
import { JoinButton } from './JoinButton.tsx'
import { meetingQuery } from './meeting-queries.ts'
import classes from './NextMeeting.module.css'

const hourMs = 3_600_000
const soonMs = 7 * 24 * hourMs
/** The first that is not over is among them, unless this many end within the hour. */
const mostWithinAnHour = 100
/** Short enough for a countdown in seconds. */
const tickMs = 1_000

/** What is running or begins within a week: how long until then, and the way in. */
export function NextMeeting() {
  const { t, i18n } = useTranslation('meetings')
  const headingId = useId()
  const now = useNow(tickMs)
  // The same question for an hour, so that it is asked once.
  const hour = Math.floor(now.getTime() / hourMs) * hourMs
  const { data } = useQuery(datedMeetingsQuery(new Date(hour), new Date(hour + soonMs), mostWithinAnHour))
  const next = data?.occurrences.find(({ endTime }) => new Date(endTime) > now)
  const { data: details } = useQuery({ ...meetingQuery(next?.meetingId ?? ''), enabled: next !== undefined })

  const where = { language: i18n.language, timeZone: ownTimeZone() }
  const running = next !== undefined && new Date(next.startTime) <= now
  return (
    <section className={classes.next} aria-labelledby={headingId} aria-busy={data === undefined}>
      <Title order={2} size="h5" id={headingId} className={classes.heading}>
        {running ? t('next.running') : t('next.title')}
      </Title>
      {data === undefined && <Skeleton h={54} />}
      {data !== undefined && next === undefined && (
        <Text c="dimmed" className={classes.quiet}>
          {t('next.quiet')}
        </Text>
      )}
      {next !== undefined && (
        <Group justify="space-between" gap="md">
          <div className={classes.facts}>
            <Link to="/meetings/$meetingId" params={{ meetingId: next.meetingId }} className={classes.topic}>
              {next.topic}
            </Link>
            <Text>
              <strong role="timer">
                {t(running ? 'next.ends' : 'next.starts', {
                  distance: writeDistance(running ? next.endTime : next.startTime, now, i18n.language),
                })}
              </strong>
              <Text span c="dimmed">
                {' · '}
                {writeSpan(next.startTime, next.endTime, where)}
              </Text>
            </Text>
          </div>
          {details !== undefined && (
            <JoinButton code={details.meeting.svcMeetId} pin={details.meeting.pin} topic={next.topic} />
          )}
        </Group>
      )}
    </section>
  )
}
