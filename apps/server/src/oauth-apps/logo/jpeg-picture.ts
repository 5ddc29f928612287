import { damaged, type Picture, PictureBytes, PictureRefused, pictureOf } from './picture-bytes.ts'

export const jpegSignature = Buffer.from('ffd8ff', 'hex')

const startOfImage = Buffer.from('ffd8', 'hex')
const endOfImage = Buffer.from('ffd9', 'hex')

/** Baseline, extended and progressive frames; browsers show no others (T.81, table B.1). */
const frames = [0xc0, 0xc1, 0xc2]
const quantization = 0xdb
const huffman = 0xc4
const restartInterval = 0xdd
const scan = 0xda
const end = 0xd9
/** Adobe's note of how four colours, or three that are no YCbCr, are meant. */
const adobe = 0xee
const adobeForm = /^Adobe[\s\S]{7}$/

/**
 * Reads a JPEG (ITU-T T.81, annex B) and keeps what makes the picture: without Exif and other notes, which may hold a place
 * or a name, and without what follows the end. The orientation of a photo goes with them.
 * @throws PictureRefused
 */
export function readJpeg(bytes: Buffer): Picture {
  const source = new PictureBytes(bytes)
  source.expect(startOfImage)
  const parts: Buffer[] = [startOfImage]
  let size: { width: number; height: number } | undefined
  let scans = 0
  for (let marker = readMarker(source); marker !== end; marker = readMarker(source)) {
    const segment = readSegment(source, marker)
    if (frames.includes(marker)) {
      if (size !== undefined) throw damaged()
      size = readFrame(segment.data)
      parts.push(segment.whole)
    } else if ([quantization, huffman, restartInterval].includes(marker)) parts.push(segment.whole)
    else if (marker === adobe && adobeForm.test(segment.data.toString('latin1'))) parts.push(segment.whole)
    else if (marker === scan) {
      if (size === undefined) throw damaged()
      scans += 1
      parts.push(
        segment.whole,
        source.taken(() => takeEntropyCoded(source)),
      )
    } else if (!isNote(marker)) throw new PictureRefused('is a JPEG of a kind that browsers do not show')
  }
  if (size === undefined || scans === 0) throw damaged()
  return pictureOf(size.width, size.height, [...parts, endOfImage])
}

/** Application data and comments. */
const isNote = (marker: number) => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe

function readMarker(source: PictureBytes): number {
  if (source.byte() !== 0xff) throw damaged()
  let marker = source.byte()
  while (marker === 0xff) marker = source.byte()
  return marker
}

function readSegment(source: PictureBytes, marker: number) {
  const length = source.take(2)
  const size = length.readUInt16BE(0)
  if (size < 2) throw damaged()
  const data = source.take(size - 2)
  return { data, whole: Buffer.concat([Buffer.of(0xff, marker), length, data]) }
}

function readFrame(data: Buffer) {
  const components = data[5] ?? 0
  if (![1, 3, 4].includes(components) || data.length !== 6 + 3 * components) throw damaged()
  if (data[0] !== 8) throw new PictureRefused('is a JPEG of a kind that browsers do not show')
  return { height: data.readUInt16BE(1), width: data.readUInt16BE(3) }
}

/** Takes all up to the next marker that begins a segment: a stuffed zero and a restart belong to the data (T.81, B.1.1.5). */
function takeEntropyCoded(source: PictureBytes): void {
  for (;;) {
    source.takeUntil(0xff)
    const [, next = 0] = source.ahead(2)
    const belongs = next === 0 || (next >= 0xd0 && next <= 0xd7)
    if (!belongs && next !== 0xff) return
    source.take(belongs ? 2 : 1)
  }
}
