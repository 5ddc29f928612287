import { createImage, damagedImage, type Image, ImageReader, ImageRefused } from './image-reader.ts'

type Chunk = { type: string; data: Buffer }

/** The only flag of the extended header that is kept: the image has an alpha chunk. */
const alphaFlag = 0x10

/** The start code of a lossy key frame, after its tag (RFC 6386, 9.1). */
const lossyStart = Buffer.from('9d012a', 'hex')
const losslessStart = 0x2f

/**
 * Read a WebP (RFC 9649) and keep the chunks that the image needs, without Exif, XMP, profiles and trailing bytes.
 * @throws ImageRefused
 */
export function readWebp(bytes: Buffer): Image {
  const file = new ImageReader(bytes)
  file.expect('RIFF')
  const source = new ImageReader(file.take(file.take(4).readUInt32LE(0)))
  source.expect('WEBP')
  const chunks: Chunk[] = []
  while (source.left > 0) chunks.push(readChunk(source))

  const extended = chunks.find(({ type }) => type === 'VP8X')
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) {
    throw new ImageRefused('moves; only a still one is taken')
  }
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const [picture] = pictures
  if (picture === undefined || pictures.length > 1) throw damagedImage()
  const { width, height } = picture.type === 'VP8 ' ? lossySize(picture.data) : losslessSize(picture.data)
  if (extended !== undefined) expectCanvas(extended.data, width, height)
  else if (chunks[0] !== picture) throw damagedImage()

  const alpha = picture.type === 'VP8 ' && extended && chunks.find(({ type }) => type === 'ALPH')
  const kept = alpha ? [extendedHeader(width, height), alpha, picture] : [picture]
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept.map(writeChunk)])
  return createImage(width, height, [Buffer.from('RIFF'), uint32(body.length), body])
}

function readChunk(source: ImageReader): Chunk {
  const type = source.take(4).toString('latin1')
  const length = source.take(4).readUInt32LE(0)
  const data = source.take(length)
  if (length % 2 === 1) source.take(1)
  return { type, data }
}

function lossySize(data: Buffer) {
  const frame = new ImageReader(data)
  const tag = frame.byte()
  frame.take(2)
  // The lowest bit marks an interframe, which depends on another frame.
  if ((tag & 1) !== 0) throw damagedImage()
  frame.expect(lossyStart)
  const size = frame.take(4)
  return { width: size.readUInt16LE(0) & 0x3fff, height: size.readUInt16LE(2) & 0x3fff }
}

function losslessSize(data: Buffer) {
  const frame = new ImageReader(data)
  if (frame.byte() !== losslessStart) throw damagedImage()
  const bits = frame.take(4).readUInt32LE(0)
  // The version must be zero.
  if (bits >>> 29 !== 0) throw damagedImage()
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function expectCanvas(data: Buffer, width: number, height: number) {
  if (data.length < 10 || data.readUIntLE(4, 3) + 1 !== width || data.readUIntLE(7, 3) + 1 !== height)
    throw damagedImage()
}

function extendedHeader(width: number, height: number): Chunk {
  const data = Buffer.alloc(10)
  data[0] = alphaFlag
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

function writeChunk({ type, data }: Chunk): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), uint32(data.length), data, Buffer.alloc(data.length % 2)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
