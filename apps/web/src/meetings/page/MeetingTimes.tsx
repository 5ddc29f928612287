import { Anchor, Skeleton, Stack, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { IconMapPin, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { hueOf } from '../hue.ts'
import { LinkedText } from '../LinkedText.tsx'
import { ColourButton } from '../MeetingColour.tsx'
import { nextDatesQuery } from '../meeting-queries.ts'
import { isForAdministration } from '../meeting-status.ts'
import { differsAt } from '../times.ts'
import { useIsOver, useRepeatSentence } from '../use-meeting-dates.ts'
import { OwnAnswer } from './Invitation.tsx'
import classes from './MeetingTimes.module.css'
import { OpenedDate } from './NextDates.tsx'

/** The head of the page: the next date, where it takes place, who may join, and the reader's answer. */
export function MeetingTimes({ meeting, etag }: { meeting: SingleMeetingReply; etag: string }) {
  const { t } = useTranslation(['meeting', 'app'])
  const repeats = useRepeatSentence(meeting)
  const { date } = useSearch({ from: '/signed-in/meetings/$meetingId' })
  const { data, error } = useQuery({ ...nextDatesQuery(meeting._id), enabled: meeting.recur })
  const isOver = useIsOver(meeting)
  const isSeriesOver = meeting.recur && isOver
  // The first dates of the list; it is read again once they are over.
  const now = useNow(tickMs)
  const next = data?.active.find(({ endTime }) => new Date(endTime) > now) ?? (meeting.recur ? undefined : meeting)
  // OpenedDate is not needed when the opened date is the next one, which is shown anyway.
  const isOther = meeting.recur && date !== undefined && Date.parse(date) !== Date.parse(next?.startTime ?? '')
  return (
    <section className={classes.head} style={hueOf(meeting.colour)} aria-label={t('app:when')}>
      <div className={classes.facts}>
        {isOther && <OpenedDate meeting={meeting} etag={etag} date={date} hasNext={next !== undefined} />}
        {next !== undefined && <NextDate meeting={meeting} date={next} />}
        {meeting.recur && data === undefined && error === null && <Skeleton h={54} w="60%" aria-busy="true" />}
        {isSeriesOver && next === undefined && (
          <Text size="2xl" fw={600} className={classes.date}>
            {t('dates.over')}
          </Text>
        )}
        {repeats !== '' && <FactLine icon={<IconRepeat size={16} aria-hidden />}>{repeats}</FactLine>}
        {meeting.location.trim() !== '' && (
          <FactLine icon={<IconMapPin size={16} aria-hidden />} name={t('app:location')}>
            <LinkedText text={meeting.location} />
          </FactLine>
        )}
        <SplitLinks meeting={meeting} />
        <div className={classes.chips}>
          <Options meeting={meeting} />
          {!isForAdministration(meeting) && <ColourButton meetingId={meeting._id} colour={meeting.colour} />}
        </div>
      </div>
      <OwnAnswer meeting={meeting} />
    </section>
  )
}

const tickMs = 1_000

type NextDateProps = { meeting: SingleMeetingReply; date: { startTime: string; endTime: string } }

/** One date in the reader's time zone, and in the meeting's where the local times differ. */
function NextDate({ meeting, date: { startTime, endTime } }: NextDateProps) {
  const { t } = useTranslation(['meetings', 'meeting', 'app'])
  const now = useNow(tickMs)
  const { timeZoneIana } = meeting.repeatOptions
  const own = useDates()
  const there = useDates(timeZoneIana)
  const ahead = meeting.status === 'active' && new Date(endTime) > now
  const running = new Date(startTime) <= now
  return (
    <>
      {ahead && (
        <Text size="sm" fw={500} c="var(--parley-accent)" role="timer">
          {t(running ? 'next.ends' : 'app:starts', {
            distance: own.countdown(running ? endTime : startTime, now),
          })}
        </Text>
      )}
      <div className={classes.times}>
        <Text
          size="2xl"
          fw={600}
          className={classes.date}
          {...(meeting.status === 'cancelled' && { c: 'dimmed', td: 'line-through' })}
        >
          {own.range(startTime, endTime)}
        </Text>
        <Text size="sm" c="dimmed">
          {own.zone(startTime)}
        </Text>
      </div>
      {differsAt(startTime, ownTimeZone(), timeZoneIana) && (
        <Text size="sm">
          {t('meeting:inItsZone', { times: there.range(startTime, endTime), zone: there.zone(startTime) })}
        </Text>
      )}
    </>
  )
}

/** A fact with its sign; `name` says what it is where the sign alone does. */
function FactLine({ icon, name, children }: { icon: ReactNode; name?: string; children: ReactNode }) {
  return (
    <div className={classes.line} {...(name !== undefined && { role: 'group', 'aria-label': name })}>
      {icon}
      <Text style={{ overflowWrap: 'anywhere' }} dir="auto">
        {children}
      </Text>
    </div>
  )
}

/** The options that decide who joins and how, in the order of the form. */
const shownOptions = [
  'waitingRoom',
  'joinBeforeHost',
  'isRestrictedMeeting',
  'loggedInOnly',
  'colleagueOnly',
  'participantHardAudioMute',
] as const

function Options({ meeting: { advancedOptions } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const chosen = shownOptions.filter((option) => advancedOptions[option])
  if (chosen.length === 0) return null
  return (
    <ul className={classes.options} aria-label={t('options.title')}>
      {chosen.map((option) => (
        <li key={option} className={classes.option}>
          {t(`options.${option}`)}
        </li>
      ))}
    </ul>
  )
}

/** Where the earlier and the later dates of a series are that was split; nothing for others. */
function SplitLinks({ meeting: { continues, continuedBy } }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('occurrence')
  if (continues === null && continuedBy === null) return null
  const linkTo = (meetingId: string, label: string) => (
    <Anchor size="sm" renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
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
