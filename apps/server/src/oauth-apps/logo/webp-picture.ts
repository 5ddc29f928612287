import { damaged, type Picture, PictureBytes, PictureRefused, pictureOf } from './picture-bytes.ts'

type Chunk = { type: string; data: Buffer }

/** Only this flag of the extended header is kept: the picture has a chunk with its transparency. */
const alphaFlag = 0x10

/** A lossy key frame begins with these after its tag (RFC 6386, 9.1). */
const lossyStart = Buffer.from('9d012a', 'hex')
const losslessStart = 0x2f

/**
 * Reads a WebP (RFC 9649) and keeps what makes the picture: without Exif, XMP and profiles, and without what follows.
 * @throws PictureRefused
 */
export function readWebp(bytes: Buffer): Picture {
  const file = new PictureBytes(bytes)
  file.expect('RIFF')
  const source = new PictureBytes(file.take(file.take(4).readUInt32LE(0)))
  source.expect('WEBP')
  const chunks: Chunk[] = []
  while (source.left > 0) chunks.push(readChunk(source))

  const extended = chunks.find(({ type }) => type === 'VP8X')
  if (chunks.some(({ type }) => type === 'ANIM' || type === 'ANMF')) {
    throw new PictureRefused('moves; only a still one is taken')
  }
  const pictures = chunks.filter(({ type }) => type === 'VP8 ' || type === 'VP8L')
  const [picture] = pictures
  if (picture === undefined || pictures.length > 1) throw damaged()
  const { width, height } = picture.type === 'VP8 ' ? lossySize(picture.data) : losslessSize(picture.data)
  if (extended !== undefined) expectCanvas(extended.data, width, height)
  else if (chunks[0] !== picture) throw damaged()

  const alpha = picture.type === 'VP8 ' && extended && chunks.find(({ type }) => type === 'ALPH')
  const kept = alpha ? [extendedHeader(width, height), alpha, picture] : [picture]
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept.map(writeChunk)])
  return pictureOf(width, height, [Buffer.from('RIFF'), uint32(body.length), body])
}

function readChunk(source: PictureBytes): Chunk {
  const type = source.take(4).toString('latin1')
  const length = source.take(4).readUInt32LE(0)
  const data = source.take(length)
  if (length % 2 === 1) source.take(1)
  return { type, data }
}

function lossySize(data: Buffer) {
  const frame = new PictureBytes(data)
  const tag = frame.byte()
  frame.take(2)
  // The lowest bit says that the frame needs another before it.
  if ((tag & 1) !== 0) throw damaged()
  frame.expect(lossyStart)
  const size = frame.take(4)
  return { width: size.readUInt16LE(0) & 0x3fff, height: size.readUInt16LE(2) & 0x3fff }
}

function losslessSize(data: Buffer) {
  const frame = new PictureBytes(data)
  if (frame.byte() !== losslessStart) throw damaged()
  const bits = frame.take(4).readUInt32LE(0)
  // The version, which is zero.
  if (bits >>> 29 !== 0) throw damaged()
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

function expectCanvas(data: Buffer, width: number, height: number) {
  if (data.length < 10 || data.readUIntLE(4, 3) + 1 !== width || data.readUIntLE(7, 3) + 1 !== height) throw damaged()
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
