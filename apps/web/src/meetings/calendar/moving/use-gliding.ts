import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type CalendarDate, dateKeyOf, placeOf } from '../calendar-dates.ts'

type Point = { x: number; y: number }
/** `place` changes when the date is moved, and not when the window is made wider. */
type Position = Point & { place: string }

type GlidingOptions = {
  /** The view and the days that the grid shows. In others, dates have other places without being moved. */
  period: string
  /** False while a date follows the pointer. */
  isOn: boolean
}

/**
 * Let dates glide to the place where they are moved: by keys, by an undo, after a cancelled drag, or by another person
 * (CalendarGrid.module.css).
 */
export function useGliding(
  grid: RefObject<HTMLElement | null>,
  dates: readonly CalendarDate[],
  { period, isOn }: GlidingOptions,
): void {
  const before = useRef<{ period: string; positions: ReadonlyMap<string, Position> }>({
    period: '',
    positions: new Map(),
  })
  useLayoutEffect(() => {
    if (grid.current === null) return
    const elements = elementsOf(grid.current, dates)
    const positions = positionsOf(grid.current, elements)
    const former = before.current
    before.current = { period, positions }
    if (!isOn || former.period !== period) return
    for (const [key, { place, x, y }] of positions) {
      const from = former.positions.get(key)
      if (from !== undefined && from.place !== place) glide(elements.get(key), { x: from.x - x, y: from.y - y })
    }
  }, [grid, dates, period, isOn])
}

/** The elements of the dates that are shown; of a date that passes midnight, the first one. */
function elementsOf(grid: HTMLElement, dates: readonly CalendarDate[]): ReadonlyMap<string, HTMLElement> {
  const byPlace = new Map(dates.map((date) => [placeOf(date), dateKeyOf(date)]))
  const elements = new Map<string, HTMLElement>()
  for (const element of grid.querySelectorAll<HTMLElement>('[data-date]')) {
    const key = byPlace.get(element.dataset.date ?? '')
    if (key !== undefined && !elements.has(key)) elements.set(key, element)
  }
  return elements
}

/** Where elements are in the grid: laid out, and neither scrolled, mirrored nor on their way from another place. */
function positionsOf(grid: HTMLElement, elements: ReadonlyMap<string, HTMLElement>): ReadonlyMap<string, Position> {
  const origin = offsetOf(grid)
  return new Map(
    [...elements].map(([key, element]) => {
      const { x, y } = offsetOf(element)
      return [key, { place: element.dataset.date ?? '', x: x - origin.x, y: y - origin.y }]
    }),
  )
}

function offsetOf(element: HTMLElement): Point {
  const offset = { x: 0, y: 0 }
  for (let at: Element | null = element; at instanceof HTMLElement; at = at.offsetParent) {
    offset.x += at.offsetLeft
    offset.y += at.offsetTop
  }
  return offset
}

function glide(element: HTMLElement | undefined, { x, y }: Point): void {
  if (element === undefined) return
  element.style.setProperty('--glides-from', `${x}px ${y}px`)
  delete element.dataset.gliding
  // Begins the animation again where one runs.
  void element.offsetWidth
  element.dataset.gliding = ''
}
