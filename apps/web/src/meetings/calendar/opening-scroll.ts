import { useEffect, useRef } from 'react'
import { type Day, dayOf } from '../../ui/date-time/days.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import type { CalendarView } from '../search-params.ts'
import { shownDays } from './calendar-range.ts'

/** Class names of the grid's elements, which are the same in every build. */
const hoursSelector = '.mantine-WeekView-weekViewInner, .mantine-DayView-dayViewInner'
const namesSelector = '.mantine-WeekView-weekViewHeader'
export const cornerSelector = '.mantine-WeekView-weekViewCorner'
const todaySelector = '.mantine-WeekView-weekViewDayLabel[data-today]'

/**
 * Scroll the day and week views to the relevant hours, and a week wider than the screen to today. Navigating to other
 * days keeps the scroll position.
 */
export function useOpeningScroll(view: CalendarView, day: Day, firstWeekday: number) {
  const viewport = useRef<HTMLDivElement>(null)
  const { from, to } = shownDays(view, day, firstWeekday)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is another element
  useEffect(() => {
    const now = new Date(readClockMs())
    const today = dayOf(now)
    scrollToHours(viewport.current, from <= today && today < to ? now : undefined)
  }, [view])
  // biome-ignore lint/correctness/useExhaustiveDependencies: other days have another column for today, or none
  useEffect(() => scrollToToday(viewport.current), [view, from])
  return viewport
}

function scrollToHours(viewport: HTMLElement | null, now: Date | undefined): void {
  const hours = viewport?.querySelector(hoursSelector)
  if (!viewport || !hours) return
  const hourHeight = hours.getBoundingClientRect().height / hoursOfDay
  // The header with the days' names stays above the hours.
  const namesHeight = viewport.querySelector(namesSelector)?.getBoundingClientRect().height ?? 0
  const hoursInSight = (viewport.clientHeight - namesHeight) / hourHeight
  viewport.scrollTop = firstHourInSight(hoursInSight, now) * hourHeight
}

function scrollToToday(viewport: HTMLElement | null): void {
  const corner = viewport?.querySelector(cornerSelector)?.getBoundingClientRect()
  if (!viewport || !corner) return
  const today = viewport.querySelector(todaySelector)?.getBoundingClientRect()
  viewport.scrollLeft = 0
  if (today === undefined) return
  const isFromTheRight = getComputedStyle(viewport).direction === 'rtl'
  viewport.scrollLeft += isFromTheRight ? today.right - corner.left : today.left - corner.right
}

const hoursOfDay = 24

/** The usual beginning of a working day; earlier hours need scrolling. */
const defaultFirstHour = 8

/** The first hour in view: the default, unless the current time (for today's column) would be out of view. */
export function firstHourInSight(hoursInSight: number, now: Date | undefined): number {
  if (now === undefined) return defaultFirstHour
  const hour = now.getHours()
  // Leaves an hour below the current time in view.
  const isTooLate = hour + 2 > defaultFirstHour + hoursInSight
  return isTooLate ? Math.ceil(hour + 2 - hoursInSight) : Math.min(defaultFirstHour, hour)
}
