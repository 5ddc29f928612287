import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { regional } from '../../texts/dates.ts'
import { type Day, dayOf, startOfWeek, writeDay, writeFullDay } from '../../ui/date-time/days.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { writeWeekday } from './calendar-range.ts'
import classes from './GridHeads.module.css'
import { minimalDaysOf, weekNumberOf } from './week-numbers.ts'

type GridPartProps = { grid: RefObject<HTMLElement | null>; selector: string; children: ReactNode }

/** Write into a part of the grid for which the grid has no property. */
export function GridPart({ grid, selector, children }: GridPartProps) {
  const [part, setPart] = useState<Element | null>(null)
  // After each render: another view has other elements.
  useEffect(() => setPart(grid.current?.querySelector(selector) ?? null))
  return part && createPortal(children, part)
}

/** The number of the week with a day: as digits, and in words. */
export function useWeekNumbers(firstWeekday: number): (day: Day) => { digits: string; words: string } {
  const { t, i18n } = useTranslation('meetings')
  const minimalDays = minimalDaysOf(firstWeekday, regional(i18n.language))
  return (day) => {
    const number = weekNumberOf(startOfWeek(day, firstWeekday), minimalDays)
    const digits = new Intl.NumberFormat(i18n.language).format(number)
    return { digits, words: t('calendar.week', { number: digits }) }
  }
}

/** "Week 48", on a phone "48". */
export function WeekNumber({ number: { digits, words } }: { number: { digits: string; words: string } }) {
  return (
    <span className={classes.week}>
      <span className={classes.words}>{words}</span>
      <span className={classes.digits} aria-hidden>
        {digits}
      </span>
    </span>
  )
}

type DayHeadProps = { day: Day; corner: ReactNode }

/** The head of the day view: the week's number and the time zones above the hours, weekday and date above the day. */
export function DayHead({ day, corner }: DayHeadProps) {
  const { i18n } = useTranslation()
  const isToday = day === dayOf(new Date(readClockMs()))
  return (
    <div className={classes.dayHead}>
      <div className={classes.dayCorner}>{corner}</div>
      <div className={classes.dayName} {...(isToday && { 'aria-current': 'date' })}>
        <span className="hidden">{writeFullDay(i18n.language)(day)}</span>
        <span aria-hidden>{writeWeekday(i18n.language)(day)}</span>
        <span className={classes.dayNumber} aria-hidden>
          {writeDay(i18n.language, { day: 'numeric' })(day)}
        </span>
      </div>
    </div>
  )
}
