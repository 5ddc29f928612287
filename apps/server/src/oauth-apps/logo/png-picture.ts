import { crc32 } from 'node:zlib'
import { damaged, type Picture, PictureBytes, pictureOf } from './picture-bytes.ts'

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Without these the picture looks different; all others, such as texts, times and profiles, are left out. */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** Which bit depths go with a colour type (PNG, 11.2.1). */
const bitDepths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
])

/**
 * Reads a PNG (W3C PNG, 5 and 11) and keeps what makes the picture. An animation is left with its first picture, and what
 * follows the end is left out.
 * @throws PictureRefused
 */
export function readPng(bytes: Buffer): Picture {
  const source = new PictureBytes(bytes)
  source.expect(pngSignature)
  const chunks: { type: string; data: Buffer; whole: Buffer }[] = []
  let type: string
  do {
    const chunk = readChunk(source)
    type = chunk.type
    // Whoever knows no such chunk cannot show the picture, and neither do we know it.
    if (/^[A-Z]/.test(type) && !kept.has(type)) throw damaged()
    if (kept.has(type)) chunks.push(chunk)
  } while (type !== 'IEND')

  // One header, at most one palette and one transparency before the data, and the data in one run.
  if (!/^IHDR(,PLTE)?(,tRNS)?(,IDAT)+,IEND$/.test(chunks.map((chunk) => chunk.type).join())) throw damaged()
  const [header] = chunks
  if (header?.data.length !== 13) throw damaged()
  const { data } = header
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8)
  if (!bitDepths.get(colour)?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) throw damaged()
  const whole = chunks.map((chunk) => chunk.whole)
  return pictureOf(data.readUInt32BE(0), data.readUInt32BE(4), [pngSignature, ...whole])
}

function readChunk(source: PictureBytes) {
  const head = source.take(8)
  const type = head.toString('latin1', 4)
  if (!/^[A-Za-z]{4}$/.test(type)) throw damaged()
  const data = source.take(head.readUInt32BE(0))
  const checksum = source.take(4)
  if (checksum.readUInt32BE(0) !== crc32(data, crc32(type))) throw damaged()
  return { type, data, whole: Buffer.concat([head, data, checksum]) }
}
