import '@mantine/dates/styles.css'
import '@mantine/schedule/styles.css'
import { useMediaQuery } from '@mantine/hooks'
import { DayView, MonthView, type ScheduleEventData, WeekView } from '@mantine/schedule'
import { type ComponentPropsWithoutRef, type MouseEvent, use, useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { type Day, dayOf, writeDay, writeFullDay } from '../../ui/date-time/days.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { hueOf } from '../hue.ts'
import type { CalendarSearch } from '../search-params.ts'
import classes from './CalendarGrid.module.css'
import { type CalendarDate, isLastPiece, piecesOf, placeOf, wholeOf } from './calendar-dates.ts'
import { columnDays, narrowScreen, shownDays, writeWeekday } from './calendar-range.ts'
import { DateLink } from './DateLink.tsx'
import { DayHead, GridPart, useWeekNumbers, WeekNumber } from './GridHeads.tsx'
import { NewSpanLayer, useNewSpans } from './layers/NewSpan.tsx'
import { MovableDates } from './moving/MovableDates.tsx'
import { slotMinutes, type Times, timesFrom } from './moving/moves.ts'
import { MoveContext } from './moving/use-moving.ts'
import { cornerSelector, useOpeningScroll } from './opening-scroll.ts'
import { writeWallTime, ZoneHours, ZoneNames } from './SecondZone.tsx'

type CalendarGridProps = {
  view: 'month' | 'week' | 'day'
  day: Day
  firstWeekday: number
  meetings: readonly CalendarDate[]
  weekNumbers: boolean
  /** The IANA time zone whose hours stand beside the reader's own. */
  secondZone: string | undefined
  onShow(change: CalendarSearch): void
}

const monthClasses = {
  monthViewEvents: classes.mirrored ?? '',
  monthViewDay: classes.day ?? '',
  monthViewDayLabel: classes.dayLabel ?? '',
  monthViewWeekNumber: classes.weekNumber ?? '',
}

const weekClasses = {
  currentTimeIndicatorTimeBubble: classes.bubble ?? '',
  weekViewDayLabel: classes.weekday ?? '',
  weekViewCorner: classes.corner ?? '',
  weekViewInner: classes.inner ?? '',
  weekViewSlotLabels: classes.hours ?? '',
  weekViewSlotLabel: classes.hour ?? '',
}

const dayClasses = {
  currentTimeIndicatorTimeBubble: classes.bubble ?? '',
  dayViewSlotLabels: classes.dayHours ?? '',
  dayViewSlotLabel: classes.hour ?? '',
}

/** The column of hours, whose class name is the same in every build. */
const hoursSelector = '.mantine-WeekView-weekViewSlotLabels, .mantine-DayView-dayViewSlotLabels'

/** The hour of a new meeting after a click on a day of the month view. */
const defaultStart = '09:00:00'

/** The month, week and day views, whose dates can be moved. */
export function CalendarGrid(props: CalendarGridProps) {
  const { view, day, firstWeekday, meetings, onShow } = props
  const follow = ({ startTime }: Times) => {
    const { from, to } = shownDays(view, day, firstWeekday)
    const date = dayOf(new Date(startTime))
    if (date < from || date >= to) onShow({ date })
  }
  return (
    <MovableDates meetings={meetings} isMonth={view === 'month'} period={`${view} ${day}`} onShow={follow}>
      {(shown) => <DatesGrid {...props} meetings={shown} />}
    </MovableDates>
  )
}

/** The grid in the reader's time zone. A click on a free slot begins a new meeting there. */
function DatesGrid({ view, day, firstWeekday, meetings, weekNumbers, secondZone, onShow }: CalendarGridProps) {
  const { t, i18n } = useTranslation('meetings')
  const { language } = i18n
  const grid = useRef<HTMLDivElement>(null)
  const days = useMemo(() => columnDays(view, day, firstWeekday), [view, day, firstWeekday])
  const spans = useNewSpans(grid, days)
  const { durationMinutes } = usePerson().meetingDefaults
  const namesInSight = useNamesInSight()
  const datesOnADay = useDatesOnADay()
  const viewportRef = useOpeningScroll(view, day, firstWeekday)
  const events = useMemo(
    () => meetings.flatMap((meeting) => (view === 'month' ? [wholeOf(meeting)] : piecesOf(meeting))),
    [meetings, view],
  )
  const nameOfSlot = useNamesOfSlots()
  const writeDayInFull = useMemo(() => writeFullDay(language), [language])
  const writeNameOfWeekday = useMemo(() => writeWeekday(language), [language])
  const isNarrow = useMediaQuery(narrowScreen, undefined, atOnce)
  const zone = isNarrow || view === 'month' ? undefined : secondZone
  const numberOf = useWeekNumbers(firstWeekday)
  const corner = (
    <>
      {weekNumbers && <WeekNumber number={numberOf(day)} />}
      {zone !== undefined && <ZoneNames zone={zone} />}
    </>
  )
  const common = {
    date: day,
    events,
    withHeader: false,
    labels: {
      week: t('calendar.views.week'),
      weekday: t('calendar.views.day'),
      moreLabel: (count: number) => t('calendar.more', { count }),
    },
    renderEvent: GridMeeting,
    className: classes.grid,
  } as const
  // No meeting is longer than a day, which would need the slots of all-day events; one that passes midnight is shown on
  // both days.
  const times = {
    slotLabelFormat: (at: string) => writeWallTime(language, at.slice('YYYY-MM-DD '.length)),
    intervalMinutes: slotMinutes,
    onTimeSlotClick: ({ slotStart, nativeEvent }: { slotStart: string; nativeEvent: MouseEvent<HTMLElement> }) =>
      spans.choose(timesFrom(slotStart, durationMinutes), nativeEvent),
    getTimeSlotProps: ({ start }: { start: string }) => ({ 'aria-label': nameOfSlot(start) }),
    scrollAreaProps: { className: classes.scroll, viewportRef },
  }
  const weekdays = {
    firstDayOfWeek: firstWeekday as 0 | 1 | 6,
    // The grid passes a date with or without a time.
    weekdayFormat: (at: string) => writeNameOfWeekday(at.slice(0, 'YYYY-MM-DD'.length)),
  }
  return (
    <div
      ref={grid}
      data-printed="landscape"
      className={zone === undefined ? undefined : classes.twoZones}
      onPointerDown={spans.onPointerDown}
    >
      {view === 'month' && (
        <MonthView
          data-view="month"
          {...common}
          {...weekdays}
          maxEventsPerDay={datesOnADay}
          getDayProps={(date) => ({ 'aria-label': t('calendar.onDay', { day: writeDayInFull(date) }) })}
          withWeekNumbers={weekNumbers}
          // The grid counts weeks as ISO 8601 does, also those that do not begin on Monday.
          getWeekNumberProps={(start) => ({
            'aria-label': numberOf(start).words,
            renderRoot: (button: ComponentPropsWithoutRef<'button'>) => (
              <button {...button}>{numberOf(start).digits}</button>
            ),
          })}
          onWeekNumberClick={(date) => onShow({ view: 'week', date })}
          onDayClick={(date, click) => spans.choose(timesFrom(`${date} ${defaultStart}`, durationMinutes), click)}
          moreEventsProps={{ className: classes.more }}
          classNames={monthClasses}
        />
      )}
      {view === 'week' && (
        <div ref={namesInSight}>
          <WeekView
            data-view="week"
            {...common}
            {...weekdays}
            {...times}
            withAllDaySlots={false}
            withWeekNumber={false}
            highlightToday
            classNames={weekClasses}
            onDateChange={(date) => onShow({ view: 'day', date })}
          />
        </div>
      )}
      {view === 'week' && (
        <GridPart grid={grid} selector={cornerSelector}>
          {corner}
        </GridPart>
      )}
      {view === 'day' && (
        <>
          <DayHead day={day} corner={corner} />
          <DayView data-view="day" {...common} {...times} withAllDaySlot={false} classNames={dayClasses} />
        </>
      )}
      {zone !== undefined && (
        <GridPart grid={grid} selector={hoursSelector}>
          <ZoneHours zone={zone} days={days} />
        </GridPart>
      )}
      <NewSpanLayer />
    </div>
  )
}

/**
 * The grid labels weekdays by number only. Remove that label, so that their accessible name is their visible text (WCAG
 * 2.2, 2.5.3).
 */
function useNamesInSight() {
  const week = useRef<HTMLDivElement>(null)
  useEffect(() => {
    for (const day of week.current?.querySelectorAll(`.${classes.weekday}`) ?? []) day.removeAttribute('aria-label')
  })
  return week
}

type GridProps = ComponentPropsWithoutRef<'button'>

/**
 * "Schedule a meeting on Thursday 26 November at 10:30", for the grid's `2026-11-26 10:30:00`. A week has hundreds of
 * slots, and each day is written once.
 */
function useNamesOfSlots() {
  const { t, i18n } = useTranslation('meetings')
  const dates = useDates()
  return useMemo(() => {
    const writeDayOf = writeDay(i18n.language, { weekday: 'long', day: 'numeric', month: 'long' })
    const written = new Map<Day, string>()
    return (slot: string) => {
      const day = slot.slice(0, 'YYYY-MM-DD'.length)
      const inWords = written.get(day) ?? writeDayOf(day)
      written.set(day, inWords)
      return t('calendar.slot', { day: inWords, time: dates.time(slot.replace(' ', 'T')) })
    }
  }, [t, i18n.language, dates])
}

/** One date in the grid, as a link, so that it can be opened in another tab. */
const GridMeeting = (event: ScheduleEventData, props: GridProps) => (
  <MeetingLink date={event.payload as CalendarDate} grid={props} hasEnd={isLastPiece(event)} />
)

/** `hasEnd`: the element ends when the date does, and its lower edge can be dragged. */
function MeetingLink({ date, grid, hasEnd }: { date: CalendarDate; grid: GridProps; hasEnd: boolean }) {
  const moves = use(MoveContext)
  const { topic, startTime, endTime, colour } = date
  const dates = useDates()
  const facts = useFactsOf(date)
  return (
    <DateLink
      date={date}
      className={`${grid.className} ${classes.meeting}`}
      style={{ ...grid.style, ...hueOf(colour) }}
      title={[`${topic}, ${dates.timeRange(startTime, endTime)}`, ...facts].join(' · ')}
      data-past={Date.parse(endTime) < readClockMs() || undefined}
      data-response={date.response}
      data-date={placeOf(date)}
      {...moves?.propsOf(date)}
    >
      <span className={classes.time}>{dates.time(startTime)}</span>{' '}
      <span dir="auto" className={classes.topic}>
        {topic}
      </span>
      {hasEnd && <span className={classes.end} data-end aria-hidden />}
    </DateLink>
  )
}

/** What else there is to say of a date: the reader's answer, and why it cannot be moved. */
function useFactsOf({ response, role }: CalendarDate): string[] {
  const { t } = useTranslation(['meetings', 'occurrence'])
  return [
    ...(response === undefined ? [] : [t(`calendar.own.${response}`)]),
    ...(role === 'participant' ? [t('occurrence:move.notYours')] : []),
  ]
}

/** From these window heights on, a day of the month view (CalendarGrid.module.css) has room for one date more. */
const roomForThree = '(min-height: 65rem)'
const roomForFour = '(min-height: 75rem)'

const atOnce = { getInitialValueInEffect: false }

/** How many dates a day of the month view shows before "more". */
function useDatesOnADay(): number {
  const three = useMediaQuery(roomForThree, undefined, atOnce)
  const four = useMediaQuery(roomForFour, undefined, atOnce)
  if (four) return 4
  return three ? 3 : 2
}
