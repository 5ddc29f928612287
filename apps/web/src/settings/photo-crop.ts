/** The part of a picture that a photo shows: a square, by its centre in fractions of the picture, and its enlargement. */
type PhotoCrop = { x: number; y: number; zoom: number }

export const maxZoom = 4

/** The centre of the picture, as large as a square of it can be. */
export const wholePicture: PhotoCrop = { x: 0.5, y: 0.5, zoom: 1 }

type Size = { width: number; height: number }

const between = (low: number, value: number, high: number) => Math.min(Math.max(value, low), high)

/** Keep a section within the picture. */
export function withinPicture({ x, y, zoom }: PhotoCrop, size: Size): PhotoCrop {
  const within = between(1, zoom, maxZoom)
  const half = sideOf(size, within) / 2
  const along = (centre: number, length: number) => between(half / length, centre, 1 - half / length)
  return { x: along(x, size.width), y: along(y, size.height), zoom: within }
}

/** The square of a section in pixels of the picture. */
export function squareOf({ x, y, zoom }: PhotoCrop, size: Size) {
  const side = sideOf(size, zoom)
  return { left: x * size.width - side / 2, top: y * size.height - side / 2, side }
}

const sideOf = ({ width, height }: Size, zoom: number) => Math.min(width, height) / zoom

/** Move a section by fractions of its own side, within the picture. */
export function movedBy(section: PhotoCrop, right: number, down: number, size: Size): PhotoCrop {
  const { side } = squareOf(section, size)
  const { x, y, zoom } = section
  return withinPicture({ x: x + (right * side) / size.width, y: y + (down * side) / size.height, zoom }, size)
}
