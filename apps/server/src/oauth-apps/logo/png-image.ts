import { crc32 } from 'node:zlib'
import { createImage, damagedImage, type Image, ImageReader } from './image-reader.ts'

export const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

/** The chunks that affect how the image looks; texts, times, profiles and others are dropped. */
const kept = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/** The bit depths of each colour type (PNG, 11.2.1). */
const bitDepths = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
])

/**
 * Read a PNG (W3C PNG, 5 and 11) and keep the chunks that the image needs. Of an animation the first frame remains;
 * trailing bytes are dropped.
 * @throws ImageRefused
 */
export function readPng(bytes: Buffer): Image {
  const source = new ImageReader(bytes)
  source.expect(pngSignature)
  const chunks: { type: string; data: Buffer; whole: Buffer }[] = []
  let type: string
  do {
    const chunk = readChunk(source)
    type = chunk.type
    // Decoders must refuse unknown critical chunks (PNG, 5.4).
    if (/^[A-Z]/.test(type) && !kept.has(type)) throw damagedImage()
    if (kept.has(type)) chunks.push(chunk)
  } while (type !== 'IEND')

  // One header, at most one palette and one transparency before the data, and the data in one run.
  if (!/^IHDR(,PLTE)?(,tRNS)?(,IDAT)+,IEND$/.test(chunks.map((chunk) => chunk.type).join())) throw damagedImage()
  const [header] = chunks
  if (header?.data.length !== 13) throw damagedImage()
  const { data } = header
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = data.subarray(8)
  if (!bitDepths.get(colour)?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1)
    throw damagedImage()
  const whole = chunks.map((chunk) => chunk.whole)
  return createImage(data.readUInt32BE(0), data.readUInt32BE(4), [pngSignature, ...whole])
}

function readChunk(source: ImageReader) {
  const head = source.take(8)
  const type = head.toString('latin1', 4)
  if (!/^[A-Za-z]{4}$/.test(type)) throw damagedImage()
  const data = source.take(head.readUInt32BE(0))
  const checksum = source.take(4)
  if (checksum.readUInt32BE(0) !== crc32(data, crc32(type))) throw damagedImage()
  return { type, data, whole: Buffer.concat([head, data, checksum]) }
}
