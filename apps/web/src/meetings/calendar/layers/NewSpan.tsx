import { lazy, type MouseEvent, type PointerEvent, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useDates } from '../../../texts/dates.ts'
import type { Day } from '../../../ui/date-time/days.ts'
import { createStore, useStore } from '../../../ui/hooks/create-store.ts'
import { isDateOpened } from '../DateLink.tsx'
import { spanBetween, type Times } from '../moving/moves.ts'
import { columnsOf, gridPlaceAt, ignoreClick, longPressMs, minDragPixels, restPixels } from '../moving/use-moving.ts'
import classes from './NewSpan.module.css'

/**
 * The time that was chosen for a new meeting: in the column of its day, or on the cell of a month. Outside of the
 * calendar's state: choosing renders no dates.
 */
type NewSpan = { times: Times; place: HTMLElement; isInColumn: boolean; isChosen: boolean }

const span = createStore<NewSpan | undefined>(undefined)

const minutesInDay = 24 * 60

const slotSelector = '.mantine-WeekView-weekViewDaySlot, .mantine-DayView-dayViewSlot'

type NewSpans = {
  /** A press on free time: with a mouse or a pen it can be dragged, with a finger after it has rested. */
  onPointerDown(event: PointerEvent<HTMLElement>): void
  /** Free time was clicked, or Enter pressed on it. */
  choose(times: Times, click: MouseEvent<HTMLElement>): void
}

/** Choose the time of a new meeting in the grid. `days` are those of its columns. */
export function useNewSpans(grid: RefObject<HTMLElement | null>, days: readonly Day[]): NewSpans {
  // A click beside an open layer closes it, and does nothing else.
  const closesLayer = useRef(false)
  return {
    choose(times, { currentTarget: clicked, detail }) {
      // A click by keys has no detail.
      if (closesLayer.current && detail !== 0) return
      const column = clicked.matches(slotSelector) ? clicked.parentElement : null
      span.replace({ times, place: column ?? clicked, isInColumn: column !== null, isChosen: true })
    },
    onPointerDown(event) {
      closesLayer.current = isDateOpened() || span.read() !== undefined
      const { current } = grid
      const slot = event.target instanceof Element ? event.target.closest(slotSelector) : null
      if (current === null || slot === null || closesLayer.current || event.button !== 0) return
      followSpan(event, { grid: current, days })
    },
  }
}

/** Let the span grow with the pointer until it is released. Escape and the browser's own gestures end it. */
function followSpan(pressed: PointerEvent, { grid, days }: { grid: HTMLElement; days: readonly Day[] }): void {
  const start = gridPlaceAt(grid, pressed)
  const [day, column] = [days[start.day], columnsOf(grid)[start.day]]
  if (day === undefined || column === undefined) return
  const isFinger = pressed.pointerType === 'touch'
  const ending = new AbortController()
  const { signal } = ending
  let isDragged = false
  const grow = (minute: number) => {
    isDragged = true
    const times = spanBetween(day, start.minute, minute)
    if (span.read()?.times.endTime === times.endTime && span.read()?.times.startTime === times.startTime) return
    span.replace({ times, place: column, isInColumn: true, isChosen: false })
  }
  const end = (isKept: boolean, isReleased: boolean) => {
    ending.abort()
    clearTimeout(rest)
    const shown = span.read()
    if (isDragged) ignoreClick(isReleased)
    if (isDragged) span.replace(isKept && shown !== undefined ? { ...shown, isChosen: true } : undefined)
  }
  const rest = isFinger ? setTimeout(() => grow(start.minute), longPressMs) : undefined
  addEventListener(
    'pointermove',
    (event) => {
      const way = Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY)
      if (isFinger && !isDragged) {
        if (way > restPixels) end(false, true)
        return
      }
      if (isDragged || way >= minDragPixels) grow(gridPlaceAt(grid, event).minute)
    },
    { signal },
  )
  // After the finger has rested, its way chooses and no longer scrolls.
  addEventListener('touchmove', (event) => isDragged && event.preventDefault(), { signal, passive: false })
  addEventListener('contextmenu', (event) => isFinger && event.preventDefault(), { signal })
  addEventListener('pointerup', () => end(true, true), { signal })
  addEventListener('pointercancel', () => end(false, true), { signal })
  addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !isDragged) return
      event.preventDefault()
      event.stopPropagation()
      end(false, false)
    },
    { signal, capture: true },
  )
}

const QuickCreate = lazy(async () => ({ default: (await import('./QuickCreate.tsx')).QuickCreate }))

/** The chosen span in the grid, and the layer that schedules a meeting there. */
export function NewSpanLayer() {
  const shown = useStore(span)
  const [overlay, setOverlay] = useState<HTMLElement | null>(null)
  const dates = useDates()
  useEffect(() => () => span.replace(undefined), [])
  if (shown === undefined) return null
  const { times, place, isInColumn, isChosen } = shown
  const target = isInColumn ? overlay : place
  return (
    <>
      {isInColumn &&
        createPortal(
          <div ref={setOverlay} className={classes.span} style={boxOf(times)} data-span aria-hidden>
            {dates.timeRange(times.startTime, times.endTime)}
          </div>,
          place,
        )}
      {isChosen && target !== null && (
        <Suspense fallback={null}>
          <QuickCreate key={times.startTime} times={times} target={target} onClose={() => span.replace(undefined)} />
        </Suspense>
      )}
    </>
  )
}

/** Where the span is in the column of its day, which ends at midnight. */
function boxOf({ startTime, endTime }: Times) {
  const start = new Date(startTime)
  const from = start.getHours() * 60 + start.getMinutes()
  const minutes = Math.min((Date.parse(endTime) - start.getTime()) / 60_000, minutesInDay - from)
  return { top: `${(from / minutesInDay) * 100}%`, height: `${(minutes / minutesInDay) * 100}%` }
}
