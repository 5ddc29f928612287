import { Text, Title } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan, writeTimes } from '../../texts/dates.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { DatedMeeting } from '../list/dated-meetings.ts'
import { ScheduleButton } from '../ScheduleButton.tsx'
import classes from './Agenda.module.css'
import { writeFullDay } from './calendar-labels.ts'
import { dayOf } from './calendar-range.ts'

/** The dates as a list grouped by day, which suits phones and screen readers best. */
export function Agenda({ meetings }: { meetings: readonly DatedMeeting[] }) {
  const { t, i18n } = useTranslation('meetings')
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const days = Map.groupBy(meetings, ({ startTime }) => dayOf(new Date(startTime)))
  if (days.size === 0) {
    return (
      <EmptyState
        icon={<IconCalendar size={40} />}
        title={t('calendar.none')}
        explanation={t('calendar.noneExplanation')}
        action={<ScheduleButton />}
      />
    )
  }
  return [...days].map(([day, dated]) => (
    <section key={day} className={classes.day} aria-labelledby={`day-${day}`}>
      <Title order={3} size="h5" id={`day-${day}`}>
        {writeFullDay(i18n.language)(day)}
      </Title>
      <ul className={classes.meetings}>
        {dated.map(({ meetingId, topic, startTime, endTime }) => (
          <li key={meetingId + startTime}>
            <Text c="dimmed" className={classes.times}>
              {dayOf(new Date(endTime)) === day
                ? writeTimes(startTime, endTime, dateFormat)
                : writeSpan(startTime, endTime, dateFormat)}
            </Text>
            <Link
              to="/meetings/$meetingId"
              params={{ meetingId }}
              search={{ date: startTime }}
              className={classes.topic}
            >
              <bdi>{topic}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  ))
}
