import { readGif } from './gif-picture.ts'
import { jpegSignature, readJpeg } from './jpeg-picture.ts'
import { type Picture, PictureRefused } from './picture-bytes.ts'
import { pngSignature, readPng } from './png-picture.ts'
import { readWebp } from './webp-picture.ts'

export type Logo = Picture & { mediaType: string }

/** As much as is fetched (oauth.md 4), and as much as a row should hold. */
export const maxLogoBytes = 1024 * 1024

/**
 * A logo as it can be shown from our origin: what it is by its own first bytes, whatever its server said, and made of
 * nothing but the picture. Its pixels are not decoded here: that is left to the reader's browser, which is built for it.
 * @throws PictureRefused
 */
export function readLogo(bytes: Buffer): Logo {
  if (bytes.length === 0) throw new PictureRefused('is empty')
  if (bytes.length > maxLogoBytes) throw new PictureRefused(`has more than ${maxLogoBytes / 1024} KiB`)
  if (startsWith(bytes, pngSignature)) return { mediaType: 'image/png', ...readPng(bytes) }
  if (startsWith(bytes, jpegSignature)) return { mediaType: 'image/jpeg', ...readJpeg(bytes) }
  if (startsWith(bytes, Buffer.from('GIF8'))) return { mediaType: 'image/gif', ...readGif(bytes) }
  if (startsWith(bytes, Buffer.from('RIFF'))) return { mediaType: 'image/webp', ...readWebp(bytes) }
  if (/<svg[\s>]/i.test(bytes.toString('latin1', 0, 4_096))) {
    throw new PictureRefused('is an SVG, which can hold programs; give a PNG, JPEG, WebP or GIF')
  }
  throw new PictureRefused('is no PNG, JPEG, WebP or GIF')
}

const startsWith = (bytes: Buffer, signature: Buffer) => bytes.subarray(0, signature.length).equals(signature)
