import { Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { JoinButton } from '../MeetingButtons.tsx'
import classes from './CurrentDates.module.css'
import { currentDates, keyOf } from './list-dates.ts'
import type { AgendaDate } from './list-queries.ts'

/** Short enough for a countdown in seconds. */
const tickMs = 1_000

/** The dates that are running or scheduled now: the time left, and a button to join. Nothing without any. */
export function CurrentDates({ dates: all }: { dates: readonly AgendaDate[] }) {
  const { t } = useTranslation('meetings')
  const headingId = useId()
  const now = useNow(tickMs)
  return currentDates(all, now).map(({ kind, dates }) => (
    <section key={kind} className={classes.current} aria-labelledby={`${headingId}${kind}`}>
      <Title order={2} size="sm" id={`${headingId}${kind}`} className={classes.heading}>
        {t(`next.${kind}`)}
      </Title>
      {dates.map((date) => (
        <CurrentDate key={keyOf(date)} date={date} now={now} />
      ))}
    </section>
  ))
}

function CurrentDate({ date, now }: { date: AgendaDate; now: Date }) {
  const { t } = useTranslation(['meetings', 'app'])
  const dates = useDates()
  const { meetingId, svcMeetId, pin, topic, startTime, endTime, room, recur } = date
  const [starts, ends] = [new Date(startTime), new Date(endTime)]
  const distance = (time: string) => ({ distance: dates.countdown(time, now) })
  return (
    <div className={classes.date}>
      <div className={classes.facts}>
        <Link
          to="/meetings/$meetingId"
          params={{ meetingId }}
          search={recur ? { date: startTime } : {}}
          className={classes.topic}
        >
          <bdi>{topic}</bdi>
        </Link>
        <Text size="sm" className={classes.times}>
          <span role="timer">
            {starts > now && t('app:starts', distance(startTime))}
            {starts <= now && ends > now && t('next.ends', distance(endTime))}
            {ends <= now && t('next.over')}
          </span>
          {room === 'occupied' && ` · ${t('next.occupied')}`}
          {' · '}
          <span className={classes.range}>{dates.timeRange(startTime, endTime)}</span>
        </Text>
      </div>
      <JoinButton code={svcMeetId} pin={pin} topic={topic} />
    </div>
  )
}
