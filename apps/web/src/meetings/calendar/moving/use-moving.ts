import { type ComponentPropsWithoutRef, createContext, type RefObject, useEffect, useState } from 'react'
import { readClockMs } from '../../../ui/hooks/use-now.ts'
import { type CalendarDate, isMovable, isSameDate, placeOf } from '../calendar-dates.ts'
import { isSameTimes, moveTimes, resizeTimes, snapMinutes, type Times } from './moves.ts'

/** How long a moved date is shown that the calendar does not read again: another user has moved or cancelled it. */
const finishesWithinMs = 10_000

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
    const { date, times } = moving
    const finish = () => {
      setMoving(undefined)
      returnFocus(grid.current, placeOf({ ...date, ...times }))
    }
    if (meetings.some((one) => one.meetingId === date.meetingId && isSameTimes(one, times))) return finish()
    const timer = setTimeout(finish, finishesWithinMs)
    return () => clearTimeout(timer)
  }, [moving, meetings, grid])

  /** The date is at these times now. It is shown there until the calendar has read it. */
  const end = (times: Times) => setMoving((before) => before && { ...before, times, by: 'finished' })
  /** The same of a date whose move was undone later; another that is being moved meanwhile stays where it is. */
  const endUndo = (date: CalendarDate, times: Times) =>
    setMoving((before) => (before === undefined || before.by === 'finished' ? { date, times, by: 'finished' } : before))
  const confirm = (date: CalendarDate, times: Times) =>
    setMoving({ date, times, by: isSameTimes(times, date) ? 'finished' : 'confirmation' })
  return {
    moving,
    shown: moving === undefined ? meetings : withMoved(meetings, moving),
    canMove,
    confirm,
    end,
    endUndo,
    show: (times: Times) => setMoving((before) => before && { ...before, times }),
    beginByKeys: (date: CalendarDate) => setMoving({ date, times: date, by: 'keys' }),
    /** `end`: its end follows the pointer, not the whole date. */
    beginByPointer(date: CalendarDate, pressed: Pressed, part: 'whole' | 'end') {
      if (grid.current === null) return
      followPointer(pressed, {
        grid: grid.current,
        times: date,
        part,
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
  // In the order of the calendar that is read afterwards: an element that changes its place loses the focus.
  const later = others.findIndex(({ startTime }) => startTime > moved.startTime)
  return later === -1 ? [...others, moved] : others.toSpliced(later, 0, moved)
}

/** Focus a date that was moved, unless something else has taken the focus meanwhile. */
function returnFocus(grid: HTMLElement | null, place: string): void {
  requestAnimationFrame(() => {
    const isFree = document.activeElement === document.body || document.activeElement === null
    const element = grid?.querySelector(`[data-date="${place}"]`)
    if (isFree && element instanceof HTMLElement) element.focus({ preventScroll: true })
  })
}

type MoveActions = {
  /** What the element of a date needs to be moved, or to show that it is; nothing where it cannot be moved. */
  propsOf(date: CalendarDate): ComponentPropsWithoutRef<'a'> & { 'data-movable'?: true; 'data-moving'?: true }
}

export const MoveContext = createContext<MoveActions | undefined>(undefined)

/** Class names of the grid's elements, which are the same in every build: a day of 24 hours, and a day of the month. */
const columnsSelector = '.mantine-WeekView-weekViewDaySlots, .mantine-DayView-dayViewTimeSlots'
const cellsSelector = '.mantine-MonthView-monthViewDay'
const viewportSelector = '.mantine-ScrollArea-viewport'

const minutesInDay = 24 * 60
/** A shorter way is a click. */
export const minDragPixels = 5
/** A finger that rests so long takes what is below it; one that moves before scrolls. */
export const longPressMs = 450
export const restPixels = 8
/** So near to the edge of the hours, they scroll. */
const edgePixels = 56
const scrollPixels = 8

type Point = { clientX: number; clientY: number }

type Pressed = Point & { pointerType: string; target: EventTarget }

type FollowOptions = {
  grid: HTMLElement
  times: Times
  part: 'whole' | 'end'
  onMove(times: Times): void
  /** Undefined: the drag was cancelled. */
  onEnd(times: Times | undefined): void
}

/** The columns of days; none in a month. */
export const columnsOf = (grid: HTMLElement): HTMLElement[] => [...grid.querySelectorAll<HTMLElement>(columnsSelector)]

/** Where a point is in the grid: the place of its day among those shown, and in day columns the minute of the day. */
export function gridPlaceAt(grid: HTMLElement, { clientX, clientY }: Point): { day: number; minute: number } {
  const columns = columnsOf(grid)
  const boxes = (columns.length > 0 ? columns : [...grid.querySelectorAll(cellsSelector)]).map((element) =>
    element.getBoundingClientRect(),
  )
  const beyond = (at: number, from: number, to: number) => Math.max(from - at, at - to, 0)
  const distances = boxes.map(({ left, right, top, bottom }) =>
    columns.length > 0 ? beyond(clientX, left, right) : beyond(clientX, left, right) + beyond(clientY, top, bottom),
  )
  const day = distances.indexOf(Math.min(...distances))
  const box = boxes[day]
  const isTimed = columns.length > 0 && box !== undefined
  return { day, minute: isTimed ? ((clientY - box.top) / box.height) * minutesInDay : 0 }
}

/**
 * Let a date, or its end, follow the pointer from where it was pressed until it is released; a finger takes it by a
 * rest. Escape cancels, and so does the browser when it takes the pointer.
 */
function followPointer(pressed: Pressed, { grid, times, part, onMove, onEnd }: FollowOptions): void {
  const isFinger = pressed.pointerType === 'touch'
  const start = gridPlaceAt(grid, pressed)
  const viewport = grid.querySelector(viewportSelector)
  const ending = new AbortController()
  const { signal } = ending
  let last: Point = pressed
  let isDragged = false
  let moved = times
  let frame = 0

  const nextTimes = ({ days, minutes }: { days: number; minutes: number }) =>
    part === 'end'
      ? resizeTimes(times, minutes)
      : moveTimes(times, { days, minutes: snapMinutes(times.startTime, minutes) })
  const update = () => {
    const place = gridPlaceAt(grid, last)
    const next = nextTimes({ days: place.day - start.day, minutes: place.minute - start.minute })
    if (isSameTimes(next, moved)) return
    moved = next
    onMove(moved)
  }
  const scroll = () => {
    frame = requestAnimationFrame(scroll)
    if (viewport === null) return
    const { top, bottom } = viewport.getBoundingClientRect()
    const before = viewport.scrollTop
    if (last.clientY < top + edgePixels) viewport.scrollTop -= scrollPixels
    if (last.clientY > bottom - edgePixels) viewport.scrollTop += scrollPixels
    if (viewport.scrollTop !== before) update()
  }
  const end = (result: Times | undefined, isReleased: boolean) => {
    ending.abort()
    clearTimeout(rest)
    cancelAnimationFrame(frame)
    if (isDragged) ignoreClick(isReleased)
    onEnd(result)
  }

  const take = () => {
    isDragged = true
    onMove(times)
  }
  const rest = isFinger ? setTimeout(take, longPressMs) : undefined
  addEventListener(
    'pointermove',
    (event) => {
      last = event
      const way = Math.hypot(last.clientX - pressed.clientX, last.clientY - pressed.clientY)
      if (isFinger && !isDragged) {
        if (way > restPixels) end(undefined, true)
        return
      }
      isDragged ||= way >= minDragPixels
      if (!isDragged) return
      if (frame === 0) scroll()
      update()
    },
    { signal },
  )
  // After the finger has rested, its way moves the date and no longer scrolls. The element of a date that moves is made
  // anew, and touches stay with the former one.
  pressed.target.addEventListener('touchmove', (event) => isDragged && event.preventDefault(), {
    signal,
    passive: false,
  })
  addEventListener('contextmenu', (event) => isFinger && event.preventDefault(), { signal })
  addEventListener('pointerup', () => end(isDragged ? moved : undefined, true), { signal })
  addEventListener('pointercancel', () => end(undefined, true), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !isDragged) return
      event.preventDefault()
      event.stopPropagation()
      end(undefined, false)
    },
    { signal, capture: true },
  )
}

/** The release of a dragged date is no click on it, nor on what lies below. */
export function ignoreClick(isReleased: boolean): void {
  const ignoring = new AbortController()
  const ignore = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', ignore, { capture: true, signal: ignoring.signal })
  // The click follows the release at once.
  const stop = () => setTimeout(() => ignoring.abort())
  if (isReleased) stop()
  else addEventListener('pointerup', stop, { once: true })
}
