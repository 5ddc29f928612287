import { Badge, Group, Text } from '@mantine/core'
import type { ListedMeetingReply } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../session/session.ts'
import { ownTimeZone, writeSpan } from '../texts/dates.ts'
import type { DatedMeeting } from './dated-meetings.ts'
import classes from './MeetingRow.module.css'
import { standingOf, writeName } from './standing.ts'
import { rhythmOf } from './times.ts'

/** One meeting of the list, a series at its next date where that is known; the whole row leads to its page. */
export function MeetingRow({ meeting, next }: { meeting: ListedMeetingReply; next?: DatedMeeting | undefined }) {
  const { t, i18n } = useTranslation('meetings')
  const standing = standingOf(usePerson(), meeting)
  const where = { language: i18n.language, timeZone: ownTimeZone() }
  const { startTime, endTime } = next ?? meeting
  const times = writeSpan(startTime, endTime, where)
  const rhythm = rhythmOf(meeting)
  return (
    <li className={classes.row}>
      <div className={classes.facts}>
        <Link to="/meetings/$meetingId" params={{ meetingId: meeting._id }} className={classes.topic}>
          {meeting.topic}
        </Link>
        <Text c="dimmed" size="sm">
          {meeting.recur ? t(next ? `next.every.${rhythm}` : `every.${rhythm}`, { times }) : times}
        </Text>
      </div>
      <Group gap="xs" className={classes.marks}>
        {meeting.status === 'cancelled' && (
          <Badge color="red" tt="none">
            {t('cancelled')}
          </Badge>
        )}
        <Text size="sm" c="dimmed">
          {standing === 'participant' ? t('hostedBy', { name: writeName(meeting.hostInfo) }) : t(`you.${standing}`)}
        </Text>
      </Group>
    </li>
  )
}
