import type { ScheduleEventData } from '@mantine/schedule'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentPropsWithoutRef, type MouseEvent, use } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeTime, writeTimes } from '../../texts/dates.ts'
import { hueOf } from '../../ui/hue.ts'
import classes from './GridMeeting.module.css'
import { type CalendarDate, placeOf } from './move/calendar-date.ts'
import { MoveContext } from './move/move-context.ts'

type GridProps = ComponentPropsWithoutRef<'button'>

/** One date in the grid, as a link, so that it can be opened in another tab. */
export const GridMeeting = (event: ScheduleEventData, props: GridProps) => (
  <MeetingLink date={event.payload as CalendarDate} grid={props} />
)

function MeetingLink({ date, grid }: { date: CalendarDate; grid: GridProps }) {
  const { i18n } = useTranslation('meetings')
  const navigate = useNavigate()
  const moves = use(MoveContext)
  const { meetingId, topic, startTime, endTime } = date
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const open = (click: MouseEvent) => {
    if (click.metaKey || click.ctrlKey || click.shiftKey) return
    click.preventDefault()
    void navigate({ to: '/meetings/$meetingId', params: { meetingId }, search: { date: startTime } })
  }
  return (
    <a
      href={`/meetings/${meetingId}?date=${encodeURIComponent(startTime)}`}
      onClick={open}
      className={`${grid.className} ${classes.meeting}`}
      style={{ ...grid.style, ...hueOf(meetingId) }}
      title={`${topic}, ${writeTimes(startTime, endTime, dateFormat)}`}
      data-date={placeOf(date)}
      {...moves?.propsOf(date)}
    >
      <span className={classes.time}>{writeTime(startTime, dateFormat)}</span>{' '}
      <span dir="auto" className={classes.topic}>
        {topic}
      </span>
    </a>
  )
}
