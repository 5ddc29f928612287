import { type RefObject, useState } from 'react'
import { readClockMs } from '../../../ui/hooks/use-now.ts'
import { type CalendarDate, isMovable, isSameDate, placeOf } from './calendar-date.ts'
import { followPointer } from './follow-pointer.ts'
import { isSameTimes, type Times } from './moved-times.ts'

type Moving = {
  /** As it was. */
  date: CalendarDate
  /** Where it is shown meanwhile. */
  times: Times
  by: 'pointer' | 'keys' | 'confirmation'
}

/** Move a date of the calendar by pointer or by keys, until the move is confirmed or cancelled. */
export function useMoving(grid: RefObject<HTMLElement | null>, meetings: readonly CalendarDate[]) {
  const [moving, setMoving] = useState<Moving>()
  const canMove = (date: CalendarDate) => moving === undefined && isMovable(date, new Date(readClockMs()))

  /** Show the date where it is now, and return the focus to it. */
  const end = ({ startTime }: Times) => {
    const { meetingId = '' } = moving?.date ?? {}
    setMoving(undefined)
    requestAnimationFrame(() => {
      const isFree = document.activeElement === document.body || document.activeElement === null
      const element = grid.current?.querySelector(`[data-date="${placeOf({ meetingId, startTime })}"]`)
      if (isFree && element instanceof HTMLElement) element.focus({ preventScroll: true })
    })
  }
  const confirm = (date: CalendarDate, times: Times) =>
    isSameTimes(times, date) ? end(date) : setMoving({ date, times, by: 'confirmation' })
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
