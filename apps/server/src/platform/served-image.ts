import { crc32 } from 'node:zlib'
import { type Parsed, refuseAt } from '@parley/rules/text/parsed'
import type { FastifyInstance } from 'fastify'
import { problem } from './http/problem.ts'
import { matchesEtag } from './http/static-file.ts'

export type ServedImage = Image & { mediaType: string }

/** The maximum that is fetched and stored. */
export const maxImageBytes = 1024 * 1024

type ImageOptions = { maxBytes?: number; takesJpeg?: boolean }

/**
 * Read an image for serving from our origin: its first bytes decide the type, not its server's header, and metadata is
 * dropped. Pixels are not decoded: the browser is built for that.
 * @throws ImageRefused
 */
export function readImage(
  bytes: Buffer,
  { maxBytes = maxImageBytes, takesJpeg = false }: ImageOptions = {},
): ServedImage {
  if (bytes.length === 0) throw new ImageRefused('is empty')
  if (bytes.length > maxBytes) throw new ImageRefused(`has more than ${maxBytes / 1024} KiB`)
  if (startsWith(bytes, pngSignature)) return { mediaType: 'image/png', ...readPng(bytes) }
  if (takesJpeg && startsWith(bytes, jpegSignature)) return { mediaType: 'image/jpeg', ...readJpeg(bytes) }
  if (startsWith(bytes, Buffer.from('RIFF'))) return { mediaType: 'image/webp', ...readWebp(bytes) }
  if (/<svg[\s>]/i.test(bytes.toString('latin1', 0, 4_096))) {
    throw new ImageRefused('is an SVG, which can hold programs; give a PNG or a WebP')
  }
  throw new ImageRefused(takesJpeg ? 'is no PNG, JPEG or WebP' : 'is neither a PNG nor a WebP')
}

/** Read the field `image` of a request: an image in base64. */
export function readImageField(image: string, maxBytes: number): Parsed<ServedImage> {
  if (!/^[\w+/]*={0,2}$/.test(image)) return refuseAt('/image', 'bad_image', 'must be base64')
  try {
    return { value: readImage(Buffer.from(image, 'base64'), { maxBytes, takesJpeg: true }) }
  } catch (error) {
    if (error instanceof ImageRefused) return refuseAt('/image', 'bad_image', error.message)
    throw error
  }
}

type ImageAddresses = {
  find: (id: string) => Promise<{ mediaType: string; bytes: Buffer } | undefined>
  cacheControl: string
}

/** What our addresses of images contain: a digest or random bytes in base64url. */
const idForm = /^[\w-]{22,43}$/

/** Serve the images at `path`, which has the parameter `:id`, to anyone, as images and nothing else. */
export function serveImages(http: FastifyInstance, path: string, { find, cacheControl }: ImageAddresses): void {
  http.get<{ Params: { id: string } }>(path, async ({ params: { id }, headers }, reply) => {
    const image = idForm.test(id) ? await find(id) : undefined
    if (image === undefined) throw problem('not_found')
    reply.headers({
      'content-disposition': 'inline',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': cacheControl,
      etag: `"${id}"`,
    })
    if (matchesEtag(headers['if-none-match'], id)) return reply.status(304).send()
    return reply.type(image.mediaType).send(image.bytes)
  })
}

const startsWith = (bytes: Buffer, signature: Buffer) => bytes.subarray(0, signature.length).equals(signature)

/** An image that is not accepted; the message continues the sentence "The picture …". */
export class ImageRefused extends Error {}

const damagedImage = () => new ImageRefused('is damaged')

/** Reader of an image from its beginning. An image that ends too early is refused; reads stay within its bytes. */
class ImageReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Buffer {
    if (length > this.left) throw damagedImage()
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return taken
  }

  byte(): number {
    return this.take(1).readUInt8(0)
  }

  /** Take the coded data of a JPEG's scan, up to the next marker that is neither a restart nor a stuffed byte. */
  takeScan(): Buffer {
    const from = this.#at
    for (;;) {
      const at = this.#bytes.indexOf(0xff, this.#at)
      if (at === -1) throw damagedImage()
      this.#at = at + 1
      const next = this.byte()
      if (next !== 0 && (next & 0xf8) !== 0xd0) {
        this.#at = at
        return this.#bytes.subarray(from, at)
      }
    }
  }

  expect(expected: Buffer | string): void {
    const bytes = Buffer.from(expected)
    if (!this.take(bytes.length).equals(bytes)) throw damagedImage()
  }
}

/** Larger images are neither logos nor portraits, and unpacked they would fill the viewer's memory. */
const maxPixelsPerSide = 2_048

type Image = { width: number; height: number; bytes: Buffer }

/** Assemble an image from the parts to keep. @throws ImageRefused when its size is not accepted */
function createImage(width: number, height: number, parts: readonly Buffer[]): Image {
  if (width < 1 || height < 1) throw damagedImage()
  if (width > maxPixelsPerSide || height > maxPixelsPerSide) {
    throw new ImageRefused(
      `is ${width} × ${height} pixels; at most ${maxPixelsPerSide} × ${maxPixelsPerSide} are taken`,
    )
  }
  return { width, height, bytes: Buffer.concat(parts) }
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex')

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
 * Read a PNG (W3C PNG, 5 and 11) and keep the chunks that the image needs. The first frame of an animation remains;
 * trailing bytes are dropped.
 * @throws ImageRefused
 */
function readPng(bytes: Buffer): Image {
  const source = new ImageReader(bytes)
  source.expect(pngSignature)
  const chunks: { type: string; data: Buffer; whole: Buffer }[] = []
  let type: string
  do {
    const chunk = readPngChunk(source)
    type = chunk.type
    // Decoders must refuse unknown critical chunks (PNG, 5.4).
    if (/^[A-Z]/.test(type) && !kept.has(type)) throw damagedImage()
    if (kept.has(type)) chunks.push(chunk)
  } while (type !== 'IEND')

  // Require one header, at most one palette and one transparency before the data, and the data in one run.
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

function readPngChunk(source: ImageReader) {
  const head = source.take(8)
  const type = head.toString('latin1', 4)
  if (!/^[A-Za-z]{4}$/.test(type)) throw damagedImage()
  const data = source.take(head.readUInt32BE(0))
  const checksum = source.take(4)
  if (checksum.readUInt32BE(0) !== crc32(data, crc32(type))) throw damagedImage()
  return { type, data, whole: Buffer.concat([head, data, checksum]) }
}

const jpegSignature = Buffer.from('ffd8ff', 'hex')

/** Markers of a JPEG (ITU-T T.81, table B.1). */
const markers = { startOfScan: 0xda, endOfImage: 0xd9 }
/** Baseline, extended and progressive frames with Huffman coding: the ones that browsers decode. */
const frames = [0xc0, 0xc1, 0xc2]
/**
 * The segments that affect how the image looks: frames, tables, restart intervals, and Adobe's, which says how colours
 * are coded. Others hold texts, profiles, thumbnails and Exif, also the rotation of a camera.
 */
const keptSegments = new Set([...frames, 0xc4, 0xdb, 0xdd, 0xee, markers.startOfScan])

/**
 * Encoders write about ten scans. A decoder may go over all pixels for each: the thousands that fit into the largest logo
 * would occupy the viewer's processor.
 */
const maxJpegScans = 100

/** Read a JPEG (ITU-T T.81, annex B) and keep the segments that the image needs. @throws ImageRefused */
function readJpeg(bytes: Buffer): Image {
  const source = new ImageReader(bytes)
  const parts = [source.take(2)]
  let size: { width: number; height: number } | undefined
  let scans = 0
  for (;;) {
    source.expect(Buffer.of(0xff))
    let marker = source.byte()
    while (marker === 0xff) marker = source.byte()
    if (marker === markers.endOfImage) break
    const length = source.take(2)
    const segmentLength = length.readUInt16BE()
    if (segmentLength < 2) throw damagedImage()
    const data = source.take(segmentLength - 2)
    if (frames.includes(marker)) {
      if (size !== undefined || data.length < 6) throw damagedImage()
      size = { width: data.readUInt16BE(3), height: data.readUInt16BE(1) }
    }
    if (marker === markers.startOfScan) {
      scans += 1
      if (size === undefined || scans > maxJpegScans) throw damagedImage()
    }
    if (keptSegments.has(marker)) parts.push(Buffer.of(0xff, marker), length, data)
    if (marker === markers.startOfScan) parts.push(source.takeScan())
  }
  if (size === undefined || scans === 0) throw damagedImage()
  return createImage(size.width, size.height, [...parts, Buffer.of(0xff, markers.endOfImage)])
}

type WebpChunk = { type: string; data: Buffer }

/** The only flag of the extended header that is kept: the image has an alpha chunk. */
const alphaFlag = 0x10

/** The start code of a lossy key frame, after its tag (RFC 6386, 9.1). */
const lossyStart = Buffer.from('9d012a', 'hex')
const losslessStart = 0x2f

/**
 * Read a WebP (RFC 9649) and keep the chunks that the image needs, without Exif, XMP, profiles and trailing bytes.
 * @throws ImageRefused
 */
function readWebp(bytes: Buffer): Image {
  const file = new ImageReader(bytes)
  file.expect('RIFF')
  const source = new ImageReader(file.take(file.take(4).readUInt32LE(0)))
  source.expect('WEBP')
  const chunks: WebpChunk[] = []
  while (source.left > 0) chunks.push(readWebpChunk(source))

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
  const body = Buffer.concat([Buffer.from('WEBP'), ...kept.map(writeWebpChunk)])
  return createImage(width, height, [Buffer.from('RIFF'), uint32(body.length), body])
}

function readWebpChunk(source: ImageReader): WebpChunk {
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

function extendedHeader(width: number, height: number): WebpChunk {
  const data = Buffer.alloc(10)
  data[0] = alphaFlag
  data.writeUIntLE(width - 1, 4, 3)
  data.writeUIntLE(height - 1, 7, 3)
  return { type: 'VP8X', data }
}

function writeWebpChunk({ type, data }: WebpChunk): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), uint32(data.length), data, Buffer.alloc(data.length % 2)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
