import { type Image, ImageRefused } from './image-reader.ts'
import { pngSignature, readPng } from './png-image.ts'
import { readWebp } from './webp-image.ts'

export type Logo = Image & { mediaType: string }

/** The maximum that is fetched and stored. */
export const maxLogoBytes = 1024 * 1024

/**
 * Read a logo for serving from our origin: its first bytes decide the type, not its server's header, and metadata is
 * dropped. Pixels are not decoded: the browser is built for that.
 * @throws ImageRefused
 */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length === 0) throw new ImageRefused('is empty')
  if (bytes.length > maxLogoBytes) throw new ImageRefused(`has more than ${maxLogoBytes / 1024} KiB`)
  if (startsWith(bytes, pngSignature)) return { mediaType: 'image/png', ...readPng(bytes) }
  if (startsWith(bytes, Buffer.from('RIFF'))) return { mediaType: 'image/webp', ...readWebp(bytes) }
  if (/<svg[\s>]/i.test(bytes.toString('latin1', 0, 4_096))) {
    throw new ImageRefused('is an SVG, which can hold programs; give a PNG or a WebP')
  }
  throw new ImageRefused('is neither a PNG nor a WebP')
}

const startsWith = (bytes: Buffer, signature: Buffer) => bytes.subarray(0, signature.length).equals(signature)
