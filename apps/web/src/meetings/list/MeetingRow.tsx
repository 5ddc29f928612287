import { Group, Text } from '@mantine/core'
import type { ListedMeetingReply } from '@parley/contract'
import { IconUserStar } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { ownTimeZone, writeSpan, writeTimes } from '../../texts/dates.ts'
import { hueOf } from '../../ui/hue.ts'
import { dayOf } from '../calendar/calendar-range.ts'
import { JoinButton } from '../JoinButton.tsx'
import { statusOf, writeName } from '../meeting-status.ts'
import { rhythmOf } from '../times.ts'
import { timesOf } from './list-days.ts'
import { MeetingFaces } from './MeetingFaces.tsx'
import classes from './MeetingRow.module.css'

type MeetingRowProps = {
  meeting: ListedMeetingReply
  /** The date in the group's heading, which the row does not repeat. */
  day?: string
  joins?: boolean
}

/** One meeting of the list; the whole row links to its page. */
export function MeetingRow({ meeting, day, joins = false }: MeetingRowProps) {
  const { t } = useTranslation(['meetings', 'app'])
  const ownRole = statusOf(usePerson(), meeting)
  const times = useTimes(meeting, day)
  const rhythm = rhythmOf(meeting)
  const facts = [
    meeting.recur && (day === undefined ? t(`every.${rhythm}`, { times }) : t(`app:repeats.${rhythm}`)),
    ownRole === 'participant' && t('app:hostedBy', { name: writeName(meeting.hostInfo) }),
  ].filter((fact) => fact !== false)
  return (
    <li className={classes.row} style={hueOf(meeting._id)}>
      {(day !== undefined || !meeting.recur) && <Text className={classes.times}>{times}</Text>}
      <div className={classes.facts}>
        <Link to="/meetings/$meetingId" params={{ meetingId: meeting._id }} className={classes.topic}>
          <bdi>{meeting.topic}</bdi>
        </Link>
        {facts.length > 0 && (
          <Text c="dimmed" size="sm">
            {facts.join(' · ')}
          </Text>
        )}
      </div>
      <Group gap="sm" className={classes.marks}>
        {meeting.status === 'cancelled' && (
          <Text size="sm" className={classes.cancelled}>
            {t('app:cancelled')}
          </Text>
        )}
        <MeetingFaces meeting={meeting} />
        {ownRole !== 'participant' && (
          <span className={classes.role} title={t(`you.${ownRole}`)}>
            <IconUserStar size={18} aria-hidden />
            <span className="hidden">{t(`you.${ownRole}`)}</span>
          </span>
        )}
        {joins && (
          <span className={classes.join}>
            <JoinButton code={meeting.svcMeetId} pin={meeting.pin} topic={meeting.topic} quiet />
          </span>
        )}
      </Group>
    </li>
  )
}

/** Times without the date of the heading, unless the meeting ends on another day. */
function useTimes(meeting: ListedMeetingReply, day: string | undefined): string {
  const { i18n } = useTranslation()
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const { startTime, endTime } = timesOf(meeting)
  const isWithinDay = [startTime, endTime].every((time) => dayOf(new Date(time)) === day)
  return isWithinDay ? writeTimes(startTime, endTime, dateFormat) : writeSpan(startTime, endTime, dateFormat)
}
