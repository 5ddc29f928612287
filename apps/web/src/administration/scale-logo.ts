import { toBase64 } from '../session/image-bytes.ts'

/** Twice the size in which pages and mails show a logo, for screens with two pixels a point. */
const maxSize = { width: 480, height: 120 }
/** What mails carry (`logosInMail`); a larger image is scaled down further. */
const goodBytes = 32 * 1024
const smallestHeight = 40

/** Why a file is no logo. */
export type LogoRefusal = 'svg' | 'unreadable'

/** Scale an image of any size down to a PNG in base64. The pixels are drawn anew, so that nothing else is left of it. */
export async function scaleLogo(file: File): Promise<{ image: string } | { refusal: LogoRefusal }> {
  if (file.type === 'image/svg+xml' || /\.svgz?$/i.test(file.name)) return { refusal: 'svg' }
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (bitmap === undefined) return { refusal: 'unreadable' }
  try {
    const scale = Math.min(1, maxSize.width / bitmap.width, maxSize.height / bitmap.height)
    let [width, height] = [bitmap.width * scale, bitmap.height * scale]
    let blob = await renderPng(bitmap, width, height)
    while (blob.size > goodBytes && height * 0.8 > smallestHeight) {
      ;[width, height] = [width * 0.8, height * 0.8]
      blob = await renderPng(bitmap, width, height)
    }
    return { image: await toBase64(blob) }
  } finally {
    bitmap.close()
  }
}

async function renderPng(bitmap: ImageBitmap, width: number, height: number): Promise<Blob> {
  const [resizeWidth, resizeHeight] = [Math.max(1, Math.round(width)), Math.max(1, Math.round(height))]
  const scaled = await createImageBitmap(bitmap, { resizeWidth, resizeHeight, resizeQuality: 'high' })
  const canvas = new OffscreenCanvas(resizeWidth, resizeHeight)
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(scaled)
  return canvas.convertToBlob({ type: 'image/png' })
}
