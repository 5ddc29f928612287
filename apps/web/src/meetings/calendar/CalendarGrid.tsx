import '@mantine/dates/styles.css'
import '@mantine/schedule/styles.css'
import { DayView, MonthView, type ScheduleEventData, WeekView } from '@mantine/schedule'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeTime } from '../../texts/dates.ts'
import type { DatedMeeting } from '../dated-meetings.ts'
import classes from './CalendarGrid.module.css'
import { writeFullDay, writeWeekday } from './calendar-labels.ts'
import { type Day, wallTimeHere } from './calendar-range.ts'
import type { CalendarSearch } from './calendar-search.ts'
import { GridMeeting } from './GridMeeting.tsx'

type CalendarGridProps = {
  view: 'month' | 'week' | 'day'
  day: Day
  firstWeekday: number
  meetings: readonly DatedMeeting[]
  onShow(change: CalendarSearch): void
}

const monthClasses = {
  monthViewEvents: classes.mirrored ?? '',
  monthViewDay: classes.day ?? '',
  monthViewDayLabel: classes.dayLabel ?? '',
}

/** When most people's day begins; the hours before are a scroll away. */
const firstHourInSight = '08:00:00'
/** A click on a day of the month means this hour of it. */
const usualStart = '09:00:00'

/** Months, weeks and days as a grid. It is drawn in the reader's zone; a free slot begins a meeting there. */
export function CalendarGrid({ view, day, firstWeekday, meetings, onShow }: CalendarGridProps) {
  const { t, i18n } = useTranslation('meetings')
  const { language } = i18n
  const navigate = useNavigate()
  const events = useMemo(() => meetings.map(eventOf), [meetings])
  const scheduleAt = (wallTime: string) =>
    void navigate({ to: '/meetings/new', search: { start: new Date(wallTime.replace(' ', 'T')).toISOString() } })
  const common = {
    date: day,
    events,
    withHeader: false,
    labels: {
      allDay: t('calendar.long'),
      week: t('calendar.views.week'),
      weekday: t('calendar.views.day'),
      timeSlot: t('calendar.slot'),
      moreLabel: (count: number) => t('calendar.more', { count }),
    },
    renderEvent: GridMeeting,
    className: classes.grid,
  } as const
  const times = {
    slotLabelFormat: (at: string) => writeTime(at.replace(' ', 'T'), { language, timeZone: ownTimeZone() }),
    startScrollTime: firstHourInSight,
    intervalMinutes: 30,
    onTimeSlotClick: ({ slotStart }: { slotStart: string }) => scheduleAt(slotStart),
    scrollAreaProps: { className: classes.scroll },
  }
  const week = {
    firstDayOfWeek: firstWeekday as 0 | 1 | 6,
    // The grid hands a day with or without its midnight.
    weekdayFormat: (at: string) => writeWeekday(language)(at.slice(0, 'YYYY-MM-DD'.length)),
  }
  switch (view) {
    case 'month':
      return (
        <MonthView
          {...common}
          {...week}
          maxEventsPerDay={3}
          getDayProps={(date) => ({ 'aria-label': t('calendar.onDay', { day: writeFullDay(language)(date) }) })}
          onDayClick={(date) => scheduleAt(`${date} ${usualStart}`)}
          moreEventsProps={{ className: classes.more }}
          classNames={monthClasses}
        />
      )
    case 'week':
      return (
        <WeekView
          {...common}
          {...week}
          {...times}
          withWeekNumber={false}
          highlightToday
          classNames={{ weekViewDayLabel: classes.weekday ?? '' }}
          onDateChange={(date) => onShow({ view: 'day', date })}
        />
      )
    case 'day':
      return <DayView {...common} {...times} />
  }
}

function eventOf({ meetingId, topic, startTime, endTime }: DatedMeeting): ScheduleEventData {
  return {
    id: `${meetingId} ${startTime}`,
    title: topic,
    start: wallTimeHere(startTime),
    end: wallTimeHere(endTime),
    color: 'accent',
    payload: { meetingId, startTime, endTime },
  }
}
