import { createImage, damagedImage, type Image, ImageReader, ImageRefused } from './image-reader.ts'

export const jpegSignature = Buffer.from('ffd8ff', 'hex')

const startOfImage = Buffer.from('ffd8', 'hex')
const endOfImage = Buffer.from('ffd9', 'hex')

/** Baseline, extended and progressive frames, the only ones that browsers show (T.81, table B.1). */
const frames = [0xc0, 0xc1, 0xc2]
const quantization = 0xdb
const huffman = 0xc4
const restartInterval = 0xdd
const scan = 0xda
const end = 0xd9
/** Adobe's segment, which tells the colour space of four components, or of three that are not YCbCr. */
const adobe = 0xee
const adobeForm = /^Adobe[\s\S]{7}$/

/**
 * Read a JPEG (ITU-T T.81, annex B) and keep the segments that the image needs. Exif and other metadata, which may hold
 * a location or a name, and trailing bytes are dropped; so is the orientation of a photo.
 * @throws ImageRefused
 */
export function readJpeg(bytes: Buffer): Image {
  const source = new ImageReader(bytes)
  source.expect(startOfImage)
  const parts: Buffer[] = [startOfImage]
  let size: { width: number; height: number } | undefined
  let scans = 0
  for (let marker = readMarker(source); marker !== end; marker = readMarker(source)) {
    const segment = readSegment(source, marker)
    if (frames.includes(marker)) {
      if (size !== undefined) throw damagedImage()
      size = readFrame(segment.data)
      parts.push(segment.whole)
    } else if ([quantization, huffman, restartInterval].includes(marker)) parts.push(segment.whole)
    else if (marker === adobe && adobeForm.test(segment.data.toString('latin1'))) parts.push(segment.whole)
    else if (marker === scan) {
      if (size === undefined) throw damagedImage()
      scans += 1
      parts.push(
        segment.whole,
        source.taken(() => takeEntropyCoded(source)),
      )
    } else if (!isNote(marker)) throw new ImageRefused('is a JPEG of a kind that browsers do not show')
  }
  if (size === undefined || scans === 0) throw damagedImage()
  return createImage(size.width, size.height, [...parts, endOfImage])
}

/** Application data and comments. */
const isNote = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

function readMarker(source: ImageReader): number {
  if (source.byte() !== 0xff) throw damagedImage()
  let marker = source.byte()
  while (marker === 0xff) marker = source.byte()
  return marker
}

function readSegment(source: ImageReader, marker: number) {
  const length = source.take(2)
  const size = length.readUInt16BE(0)
  if (size < 2) throw damagedImage()
  const data = source.take(size - 2)
  return { data, whole: Buffer.concat([Buffer.of(0xff, marker), length, data]) }
}

function readFrame(data: Buffer) {
  const components = data[5] ?? 0
  if (![1, 3, 4].includes(components) || data.length !== 6 + 3 * components) throw damagedImage()
  if (data[0] !== 8) throw new ImageRefused('is a JPEG of a kind that browsers do not show')
  return { height: data.readUInt16BE(1), width: data.readUInt16BE(3) }
}

/**
 * Skip entropy-coded data up to the next marker that begins a segment: stuffed zeros and restart markers belong to the
 * data (T.81, B.1.1.5).
 */
function takeEntropyCoded(source: ImageReader): void {
  for (;;) {
    source.takeUntil(0xff)
    const [, next = 0] = source.ahead(2)
    const belongs = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!belongs && next !== 0xff) return
    source.take(belongs ? 2 : 1)
  }
}
