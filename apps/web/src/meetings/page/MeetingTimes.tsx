import { Anchor, Stack, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { Section } from '../../ui/Section.tsx'
import { nextDatesQuery } from '../meeting-queries.ts'
import { differsAt } from '../times.ts'
import { useRepeatSentence } from '../use-meeting-dates.ts'
import { OpenedDate } from './NextDates.tsx'

const tickMs = 1_000

/** The meeting's time in the reader's time zone, and in its own where the local times differ. */
export function MeetingTimes({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation(['meetings', 'meeting', 'app'])
  const now = useNow(tickMs)
  const repeats = useRepeatSentence(meeting)
  const { data } = useQuery({ ...nextDatesQuery(meeting._id), enabled: meeting.recur })
  const next = data?.active.find(({ endTime }) => new Date(endTime) > now)
  const { startTime, endTime } = next ?? meeting
  const { date } = useSearch({ from: '/signed-in/meetings/$meetingId' })
  // OpenedDate is not needed when the opened date is the next one, which is shown anyway.
  const isOther = meeting.recur && date !== undefined && Date.parse(date) !== Date.parse(startTime)
  const { timeZoneIana } = meeting.repeatOptions
  const own = useDates()
  const there = useDates(timeZoneIana)
  const ahead = meeting.status === 'active' && new Date(endTime) > now
  const running = new Date(startTime) <= now
  return (
    <Section title={t('app:when')}>
      {isOther && <OpenedDate meeting={meeting} etag={etag} date={date} />}
      {ahead && (
        <Text size="sm" c="dimmed" role="timer">
          {t(running ? 'next.ends' : 'app:starts', {
            distance: own.countdown(running ? endTime : startTime, now),
          })}
        </Text>
      )}
      <Text size="lg" fw={600}>
        {own.range(startTime, endTime)}
      </Text>
      <Text c="dimmed">{own.zone(startTime)}</Text>
      {differsAt(startTime, ownTimeZone(), timeZoneIana) && (
        <Text mt="xs">
          {t('meeting:inItsZone', { times: there.range(startTime, endTime), zone: there.zone(startTime) })}
        </Text>
      )}
      {repeats !== '' && <Text mt="xs">{repeats}</Text>}
      <SplitLinks meeting={meeting} />
    </Section>
  )
}

/** Where the earlier and the later dates of a series are that was split; nothing for others. */
function SplitLinks({ meeting: { continues, continuedBy } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('occurrence')
  if (continues === null && continuedBy === null) return null
  const linkTo = (meetingId: string, label: string) => (
    <Anchor renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
      {label}
    </Anchor>
  )
  return (
    <Stack gap={4} mt="xs" align="flex-start">
      {continues !== null && linkTo(continues, t('split.earlier'))}
      {continuedBy !== null && linkTo(continuedBy, t('split.later'))}
    </Stack>
  )
}
