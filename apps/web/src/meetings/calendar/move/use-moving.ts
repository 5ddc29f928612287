import { type RefObject, useEffect, useState } from 'react'
import { readClockMs } from '../../../ui/hooks/use-now.ts'
import { type CalendarDate, isMovable, isSameDate, placeOf } from './calendar-date.ts'
import { followPointer } from './follow-pointer.ts'
import { isSameTimes, type Times } from './moved-times.ts'

/** A date that the calendar does not read again, because it is gone, is shown for so long. */
const finishesWithinMs = 3_000

type Moving = {
  /** As it was. */
  date: CalendarDate
  /** Where it is shown meanwhile. */
  times: Times
  by: 'pointer' | 'keys' | 'confirmation' | 'finished'
}

/** Move a date of the calendar by pointer or by keys, until the move is confirmed or cancelled. */
export function useMoving(grid: RefObject<HTMLElement | null>, meetings: readonly CalendarDate[]) {
  const [moving, setMoving] = useState<Moving>()
  const isFree = moving === undefined || moving.by === 'finished'
  const canMove = (date: CalendarDate) => isFree && isMovable(date, new Date(readClockMs()))

  useEffect(() => {
    if (moving?.by !== 'finished') return
    const place = placeOf({ ...moving.date, ...moving.times })
    const finish = () => {
      setMoving(undefined)
      returnFocus(grid.current, place)
    }
    if (meetings.some((one) => placeOf(one) === place)) return finish()
    const timer = setTimeout(finish, finishesWithinMs)
    return () => clearTimeout(timer)
  }, [moving, meetings, grid])

  /** The date is at these times now. It is shown there until the calendar has read it. */
  const end = (times: Times) => setMoving((before) => before && { ...before, times, by: 'finished' })
  const confirm = (date: CalendarDate, times: Times) =>
    setMoving({ date, times, by: isSameTimes(times, date) ? 'finished' : 'confirmation' })
  return {
    moving,
    shown: moving === undefined ? meetings : withMoved(meetings, moving),
    canMove,
    confirm,
    end,
    show: (times: Times) => setMoving((before) => before && { ...before, times }),
    beginByKeys: (date: CalendarDate) => setMoving({ date, times: date, by: 'keys' }),
    beginByPointer(date: CalendarDate, pressed: { clientX: number; clientY: number }) {
      if (grid.current === null) return
      followPointer(pressed, {
        grid: grid.current,
        times: date,
        onMove: (times) => setMoving({ date, times, by: 'pointer' }),
        onEnd: (times) => (times === undefined ? setMoving(undefined) : confirm(date, times)),
      })
    },
  }
}

/** The dates with the moved one in its new place, also where that is on days that are read only now. */
function withMoved(meetings: readonly CalendarDate[], { date, times }: Moving): readonly CalendarDate[] {
  const moved = { ...date, startTime: times.startTime, endTime: times.endTime }
  const others = meetings.filter((other) => !isSameDate(other, date) && placeOf(other) !== placeOf(moved))
  return [...others, moved]
}

/** Focus a date that was moved, unless something else has taken the focus meanwhile. */
function returnFocus(grid: HTMLElement | null, place: string): void {
  requestAnimationFrame(() => {
    const isFree = document.activeElement === document.body || document.activeElement === null
    const element = grid?.querySelector(`[data-date="${place}"]`)
    if (isFree && element instanceof HTMLElement) element.focus({ preventScroll: true })
  })
}
