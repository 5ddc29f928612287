import { maxPhotoBytes } from '@parley/contract'
import { toBase64 } from '../session/image-bytes.ts'

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
