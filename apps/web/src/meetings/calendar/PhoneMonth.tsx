import { type HTMLAttributes, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Day } from '../../ui/date-time/days.ts'
import { MonthGrid } from '../../ui/date-time/MonthGrid.tsx'
import { hueOf } from '../hue.ts'
import type { CalendarSearch } from '../search-params.ts'
import { AgendaDay, datesByDay } from './Agenda.tsx'
import type { CalendarDate } from './calendar-dates.ts'
import { useWeekNumbers, WeekNumber } from './GridHeads.tsx'
import classes from './PhoneMonth.module.css'

type PhoneMonthProps = {
  meetings: readonly CalendarDate[]
  /** The chosen day, whose month is shown. */
  day: Day
  today: Day
  firstWeekday: number
  weekNumbers: boolean
  swipe: HTMLAttributes<HTMLElement>
  onShow(change: CalendarSearch): void
}

/** A month with dots for its dates, and the dates of the chosen day below it. */
export function PhoneMonth({ meetings, day, today, firstWeekday, weekNumbers, swipe, onShow }: PhoneMonthProps) {
  const dated = useMemo(() => datesByDay(meetings), [meetings])
  const show = (date: Day) => onShow({ date })
  const numberOf = useWeekNumbers(firstWeekday)
  return (
    <>
      <div {...swipe}>
        <div className={classes.month}>
          <MonthGrid
            size="wide"
            withoutHead
            day={day}
            today={today}
            chosen={day}
            onDay={show}
            onChoose={show}
            below={(one) => <Dots dates={dated.get(one) ?? []} />}
            {...(weekNumbers && { before: (one: Day) => <WeekNumber number={numberOf(one)} /> })}
          />
        </div>
      </div>
      <div aria-live="polite">
        <AgendaDay day={day} today={today} meetings={dated.get(day) ?? []} />
      </div>
    </>
  )
}

/** More dots would be wider than the day. */
const maxDots = 4

/** A dot in the colour of each date; their number for screen readers. */
function Dots({ dates }: { dates: readonly CalendarDate[] }) {
  const { t } = useTranslation('meetings')
  return (
    <>
      {dates.length > 0 && <span className="hidden">{t('calendar.dates', { count: dates.length })}</span>}
      <span className={classes.dots} aria-hidden>
        {dates.slice(0, maxDots).map(({ meetingId, startTime, response, colour }) => (
          <span key={meetingId + startTime} style={hueOf(colour)} data-response={response} />
        ))}
      </span>
    </>
  )
}
