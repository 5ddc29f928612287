import { maxPhotoBytes } from '@parley/contract'
import { toBase64 } from '../session/image-bytes.ts'

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

/** Twice the largest portrait of a page; the tile of a call enlarges it a little. */
export const photoPixels = 512

/** Render a square of a picture on a canvas, which has only its pixels: no place and no camera. */
export function renderPhoto(
  canvas: HTMLCanvasElement,
  picture: ImageBitmap,
  { left, top, side }: { left: number; top: number; side: number },
): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  // A JPEG has no transparency: without a ground, it would be black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, left, top, side, side, 0, 0, canvas.width, canvas.height)
}

/** Good for a face; the others are for pictures of noise, which no photograph of a person is. */
const qualities = [0.88, 0.7, 0.4]

/** Encode a canvas as a JPEG in base64, within the limit of the service. */
export async function encodePhoto(canvas: HTMLCanvasElement): Promise<string> {
  let image: Blob | null = null
  for (const quality of qualities) {
    image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (image !== null && image.size <= maxPhotoBytes) break
  }
  if (image === null) throw new TypeError('The browser cannot encode the canvas.')
  return toBase64(image)
}
