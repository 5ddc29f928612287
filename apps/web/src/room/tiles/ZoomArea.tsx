import { type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import classes from './TileView.module.css'
import { notZoomed, type Point, pan, type Zoom, zoomAt } from './zoom.ts'

/** How much a double tap and the button enlarge. */
export const tapFactor = 2.5
/** The second tap of a double tap. */
const tapWithinMs = 300
const tapWithinPixels = 20
/** A pinch on a touchpad is a wheel with Ctrl; its steps are about ten pixels. */
const wheelPixels = 100

const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y)

type ZoomAreaProps = { zoom: Zoom; onZoom(change: (zoom: Zoom) => Zoom): void; children: ReactNode }

/** A picture that is enlarged by a pinch or a double tap, and moved by a finger or the mouse. */
export function ZoomArea({ zoom, onZoom, children }: ZoomAreaProps) {
  const area = useRef<HTMLDivElement>(null)
  const fingers = useRef(new Map<number, Point>())
  const lastTap = useRef({ at: 0, where: { x: 0, y: 0 } })
  const change = useRef(onZoom)
  change.current = onZoom

  /** The position measured from the middle, and the size of the area. */
  const measure = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top, width, height } = area.current?.getBoundingClientRect() ?? new DOMRect()
    return { point: { x: clientX - left - width / 2, y: clientY - top - height / 2 }, size: { width, height } }
  }
  const measured = useRef(measure)
  measured.current = measure

  useEffect(() => {
    const element = area.current
    // React listens passively, and the browser would enlarge the whole page.
    const zoomByWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      const { point, size } = measured.current(event)
      change.current((before) => zoomAt(before, Math.exp(-event.deltaY / wheelPixels), point, size))
    }
    element?.addEventListener('wheel', zoomByWheel, { passive: false })
    return () => element?.removeEventListener('wheel', zoomByWheel)
  }, [])

  const begin = (event: PointerEvent) => {
    const { point, size } = measure(event)
    area.current?.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, point)
    const isSecond =
      event.timeStamp - lastTap.current.at < tapWithinMs && distance(point, lastTap.current.where) < tapWithinPixels
    lastTap.current = { at: isSecond || fingers.current.size > 1 ? 0 : event.timeStamp, where: point }
    if (isSecond) onZoom((before) => (before.scale > 1 ? notZoomed : zoomAt(before, tapFactor, point, size)))
  }
  const move = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (before === undefined) return
    const { point, size } = measure(event)
    const [other] = [...fingers.current].flatMap(([id, where]) => (id === event.pointerId ? [] : [where]))
    fingers.current.set(event.pointerId, point)
    const by = { x: point.x - before.x, y: point.y - before.y }
    if (other === undefined) return onZoom((zoomed) => pan(zoomed, by, size))
    const factor = distance(point, other) / Math.max(distance(before, other), 1)
    const between = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 }
    onZoom((zoomed) => pan(zoomAt(zoomed, factor, between, size), { x: by.x / 2, y: by.y / 2 }, size))
  }
  const end = (event: PointerEvent) => void fingers.current.delete(event.pointerId)
  return (
    <div
      ref={area}
      className={classes.zoomArea}
      data-zoomed={zoom.scale > 1}
      onPointerDown={begin}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
    >
      <div className={classes.zoomed} style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}>
        {children}
      </div>
    </div>
  )
}
