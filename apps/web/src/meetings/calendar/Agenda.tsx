import { Badge, Group, Text, Title } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { type Day, dayOf, writeFullDay } from '../../ui/date-time/days.ts'
import { EmptyState } from '../../ui/Rows.tsx'
import { AnswerChip } from '../Answers.tsx'
import { ScheduleButton } from '../MeetingButtons.tsx'
import classes from './Agenda.module.css'
import type { CalendarDate } from './calendar-dates.ts'
import { DateLink } from './DateLink.tsx'

type AgendaProps = {
  meetings: readonly CalendarDate[]
  today: Day
  /** The day to begin at, and how often it was chosen: each time, the page scrolls to it. */
  day: Day
  chosen: number
}

/** The dates as a list grouped by day, which suits phones and screen readers best. */
export function Agenda({ meetings, today, day: shown, chosen }: AgendaProps) {
  const { t, i18n } = useTranslation('meetings')
  const first = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each choice scrolls, also that of the same day
  useEffect(() => {
    first.current?.scrollIntoView({ block: 'start' })
  }, [shown, chosen])
  const dates = useDates()
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
  // The last days of a month may have no meetings: the page then begins at the last one that has.
  const firstShown = [...days.keys()].find((day) => day >= shown) ?? [...days.keys()].at(-1)
  return [...days].map(([day, dated]) => (
    <section
      key={day}
      ref={day === firstShown ? first : undefined}
      className={classes.day}
      aria-labelledby={`day-${day}`}
    >
      <Group gap="xs">
        <Title order={3} size="h5" id={`day-${day}`}>
          {writeFullDay(i18n.language)(day)}
        </Title>
        {day === today && (
          <Badge variant="light" tt="none">
            {t('days.today')}
          </Badge>
        )}
      </Group>
      <ul className={classes.meetings}>
        {dated.map((date) => {
          const { meetingId, topic, startTime, endTime } = date
          return (
            <li key={meetingId + startTime}>
              <Text c="dimmed" className={classes.times}>
                {dayOf(new Date(endTime)) === day
                  ? dates.timeRange(startTime, endTime)
                  : dates.range(startTime, endTime)}
              </Text>
              <DateLink date={date} className={classes.topic}>
                <bdi>{topic}</bdi>
              </DateLink>
              {date.response !== undefined && <AnswerChip answer={date.response} />}
            </li>
          )
        })}
      </ul>
    </section>
  ))
}
