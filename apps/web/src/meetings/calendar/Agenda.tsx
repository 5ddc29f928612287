import { Badge, Group, Text, Title } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { type Day, dayOf, writeFullDay } from '../../ui/date-time/days.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { EmptyState } from '../../ui/Rows.tsx'
import { AnswerChip } from '../Answers.tsx'
import { hueOf } from '../hue.ts'
import { ScheduleButton } from '../MeetingButtons.tsx'
import classes from './Agenda.module.css'
import type { CalendarDate } from './calendar-dates.ts'
import { DateLink } from './DateLink.tsx'

type AgendaProps = {
  meetings: readonly CalendarDate[]
  /** The days that are shown: the first included, the last excluded. */
  range: { from: Day; to: Day }
  today: Day
  /** The day to begin at, and how often it was chosen: each time, the page scrolls to it. */
  day: Day
  chosen: number
}

/** The dates as a list grouped by day, which suits phones and screen readers best. Today is always listed. */
export function Agenda({ meetings, range: { from, to }, today, day: shown, chosen }: AgendaProps) {
  const { t } = useTranslation('meetings')
  const first = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each choice scrolls, also that of the same day
  useEffect(() => {
    first.current?.scrollIntoView({ block: 'start' })
  }, [shown, chosen])
  const dated = datesByDay(meetings)
  if (dated.size === 0) {
    return (
      <EmptyState
        icon={<IconCalendar size={40} />}
        title={t('calendar.none')}
        explanation={t('calendar.noneExplanation')}
        action={<ScheduleButton />}
      />
    )
  }
  const withToday = from <= today && today < to ? [...dated.keys(), today] : dated.keys()
  const days = [...new Set(withToday)].toSorted()
  // The shown days after the chosen one may have no meetings: the page then begins at the last day that has.
  const firstShown = days.find((day) => day >= shown) ?? days.at(-1) ?? shown
  const [past, later] = [days.filter((day) => day < firstShown), days.filter((day) => day >= firstShown)]
  const write = (day: Day) => <AgendaDay key={day} day={day} today={today} meetings={dated.get(day) ?? []} />
  return (
    <>
      {past.map(write)}
      <div ref={first} className={past.length === 0 ? undefined : classes.later}>
        {later.map(write)}
      </div>
    </>
  )
}

/** The dates by the day on which they start. */
export const datesByDay = (meetings: readonly CalendarDate[]): Map<Day, CalendarDate[]> =>
  Map.groupBy(meetings, ({ startTime }) => dayOf(new Date(startTime)))

type AgendaDayProps = { day: Day; today: Day; meetings: readonly CalendarDate[] }

/** A day with its dates, or with the words that it has none. */
export function AgendaDay({ day, today, meetings }: AgendaDayProps) {
  const { t, i18n } = useTranslation('meetings')
  return (
    <section className={classes.day} aria-labelledby={`day-${day}`}>
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
      {meetings.length === 0 ? (
        <Text c="dimmed" className={classes.none}>
          {t('calendar.noneOnDay')}
        </Text>
      ) : (
        <ul className={classes.meetings}>
          {meetings.map((date) => (
            <DateOfDay key={date.meetingId + date.startTime} date={date} day={day} />
          ))}
        </ul>
      )}
    </section>
  )
}

function DateOfDay({ date, day }: { date: CalendarDate; day: Day }) {
  const dates = useDates()
  const { topic, startTime, endTime, response, colour } = date
  return (
    <li
      style={hueOf(colour)}
      data-past={Date.parse(endTime) < readClockMs() || undefined}
      data-declined={response === 'declined' || undefined}
    >
      <Text size="sm" className={classes.times}>
        {dayOf(new Date(endTime)) === day ? dates.timeRange(startTime, endTime) : dates.range(startTime, endTime)}
      </Text>
      <DateLink date={date} className={classes.topic}>
        <bdi>{topic}</bdi>
      </DateLink>
      {response !== undefined && (
        <span className={classes.answer}>
          <AnswerChip answer={response} />
        </span>
      )}
    </li>
  )
}
