export type Point = { x: number; y: number }
type Size = { width: number; height: number }

/** How much a picture is enlarged, and how far it is moved, in pixels from its middle. */
export type Zoom = Point & { scale: number }

export const notZoomed: Zoom = { scale: 1, x: 0, y: 0 }

/** The small print of a shared screen is legible on a phone. */
const maxScale = 6

/** Move the picture, as far as it covers its area. */
export function pan({ scale, x, y }: Zoom, by: Point, { width, height }: Size): Zoom {
  const clamp = (value: number, most: number) => Math.min(Math.max(value, -most), most)
  return {
    scale,
    x: clamp(x + by.x, ((scale - 1) * width) / 2),
    y: clamp(y + by.y, ((scale - 1) * height) / 2),
  }
}

/** Enlarge or reduce the picture; what is at the point, measured from the middle of the area, stays there. */
export function zoomAt(zoom: Zoom, factor: number, at: Point, size: Size): Zoom {
  const scale = Math.min(Math.max(zoom.scale * factor, 1), maxScale)
  const ratio = scale / zoom.scale
  const moved = { scale, x: at.x - (at.x - zoom.x) * ratio, y: at.y - (at.y - zoom.y) * ratio }
  return pan(moved, { x: 0, y: 0 }, size)
}
