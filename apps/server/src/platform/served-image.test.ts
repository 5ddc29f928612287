import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { ImageRefused, maxImageBytes, readImage } from './served-image.ts'

/** Images of 8 × 6 pixels as Chromium writes them, without its metadata. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAYAAAD+Bd/7AAAAQElEQVR4AayN0QkAIAhEwx36dajmaIdqh+ZojYZpiUBU/BC/FJ7HHQcHF3FGQO' +
    'Hrpw6BIxItkHNeYmG3twS79AEAAP//xDuGWQAAAAZJREFUAwAUZBgl79iERAAAAABJRU5ErkJggg==',
  'base64',
)
const lossy = Buffer.from(
  'UklGRlIAAABXRUJQVlA4IEYAAAAQAgCdASoIAAYAAsBMJbACdLoAAzv6vyUAAP2zC+HKiDY3QJgODMbiU+hbS2u91v5M2Y/4nfhTuenfLfROf9' +
    'v/wb+qgAAA',
  'base64',
)
const lossyWithAlpha = Buffer.from(
  'UklGRn4AAABXRUJQVlA4WAoAAAAQAAAABwAABQAAQUxQSA4AAAABD/DA/4iI8PH/iP5HCFZQOCBKAAAAEAIAnQEqCAAGAALATCWwAnS6AAM7+g' +
    '7xYAD+iTCUzUNrpXERw+Y8vJouqV+hbS2vBiOH+atoD+Z38Kdz07+P7yHv5nfwb/UAAAA=',
  'base64',
)
const lossless = Buffer.from('UklGRiQAAABXRUJQVlA4TBcAAAAvB0ABEA9wD9ezHb/C43+A4YHhiOh/eAA=', 'base64')

/** A JPEG as Chromium writes it, without its profile. */
const jpeg = Buffer.from(
  '/9j/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8a' +
    'Gi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAGAAgDASIAAhEBAxEB/8QAFQABAQAA' +
    'AAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwX/xAAZEQABBQAAAAAAAAAAAAAAAAABAAMR' +
    'EnH/2gAMAwEAAhEDEQA/AIAAOma4FcYEW0r/2Q==',
  'base64',
)

const secret = Buffer.from('GPS 52.5200 13.4050 <script>alert(1)</script>')
const join = (...parts: (Buffer | string | number)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))))

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const littleUint32 = (value: number) => uint32(value).reverse()

const pngChunk = (type: string, data: Buffer) => join(uint32(data.length), type, data, uint32(crc32(data, crc32(type))))
const pngHeader = (width: number, height: number, rest = [8, 6, 0, 0, 0]) =>
  pngChunk('IHDR', join(uint32(width), uint32(height), Buffer.from(rest)))
/** The end of the header. */
const pngBody = png.subarray(33)
const pngWith = (...chunks: Buffer[]) => join(png.subarray(0, 33), ...chunks, pngBody)

const webpChunk = (type: string, data: Buffer) =>
  join(type, littleUint32(data.length), data, Buffer.alloc(data.length % 2))
const webp = (...chunks: Buffer[]) => {
  const body = join('WEBP', ...chunks)
  return join('RIFF', littleUint32(body.length), body)
}
const canvas = (flags: number, width = 8, height = 6) =>
  webpChunk('VP8X', join(flags, 0, 0, 0, width - 1, 0, 0, height - 1, 0, 0))

function lossyOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(lossy)
  bytes.writeUInt16LE(width, 26)
  bytes.writeUInt16LE(height, 28)
  return bytes
}
function losslessOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(lossless)
  bytes.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  return bytes
}
const pngOf = (width: number, height: number) => join(png.subarray(0, 8), pngHeader(width, height), pngBody)

const samples = { png, lossy, lossyWithAlpha, lossless }
const formats = {
  png: { mediaType: 'image/png', ofSize: pngOf },
  lossy: { mediaType: 'image/webp', ofSize: lossyOf },
  lossless: { mediaType: 'image/webp', ofSize: losslessOf },
}

const refused =
  (message: RegExp = /is damaged/) =>
  (error: unknown) => {
    assert.ok(error instanceof ImageRefused, String(error))
    assert.match(error.message, message)
    return true
  }

for (const [name, { mediaType, ofSize }] of Object.entries(formats)) {
  test(`${name}: takes the type from the bytes, and the size from the header`, () => {
    const { bytes, ...logo } = readImage(ofSize(7, 9))
    assert.deepEqual(logo, { mediaType, width: 7, height: 9 })
    assert.deepEqual(bytes, ofSize(7, 9))
  })

  test(`${name}: accepts sides of up to 2048 pixels`, () => {
    for (const [width, height] of [
      [2047, 1],
      [2048, 1],
      [1, 2048],
      [2048, 2048],
    ] as const) {
      assert.deepEqual(
        [readImage(ofSize(width, height)).width, readImage(ofSize(width, height)).height],
        [width, height],
      )
    }
    for (const [width, height] of [
      [2049, 1],
      [1, 2049],
      [16_383, 16_383],
    ] as const) {
      assert.throws(() => readImage(ofSize(width, height)), refused(new RegExp(`is ${width} × ${height} pixels`)))
    }
  })
}

for (const [name, bytes] of Object.entries(samples)) {
  test(`${name}: keeps a plain image as it is, and drops the bytes after it`, () => {
    assert.deepEqual(readImage(bytes).bytes, bytes)
    assert.deepEqual(readImage(join(bytes, secret)).bytes, bytes)
  })

  test(`${name}: refuses an image that is cut off anywhere`, () => {
    for (let length = 0; length < bytes.length; length += 1) {
      assert.throws(() => readImage(bytes.subarray(0, length)), ImageRefused, String(length))
    }
  })

  test(`${name}: one changed byte never does more than refuse it, and nothing grows`, () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(bytes)
        changed[at] = value
        assert.ok(sizeOrRefusal(changed) <= bytes.length)
      }),
    )
  })
}

/** The size of the image to serve; 0 when refused. Any other error is a bug. */
function sizeOrRefusal(bytes: Buffer): number {
  try {
    return readImage(bytes).bytes.length
  } catch (error) {
    assert.ok(error instanceof ImageRefused, String(error))
    return 0
  }
}

test('random bytes after any beginning are accepted or refused, never more', () => {
  const beginnings = [
    Buffer.alloc(0),
    ...Object.values(samples).flatMap((one) => [4, 8, 16, 40].map((n) => one.subarray(0, n))),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 300 }), (beginning, rest) => {
      sizeOrRefusal(join(beginning, Buffer.from(rest)))
    }),
    { numRuns: 1_000 },
  )
})

test('reads its own output again, unchanged', () => {
  for (const bytes of Object.values(samples)) assert.deepEqual(readImage(readImage(bytes).bytes).bytes, bytes)
})

test('removes metadata, profile and animation from a PNG, and keeps palette and transparency', () => {
  const notes = ['tEXt', 'iTXt', 'zTXt', 'eXIf', 'iCCP', 'tIME', 'acTL', 'fcTL', 'prVt'].map((type) =>
    pngChunk(type, secret),
  )
  assert.deepEqual(readImage(pngWith(...notes)).bytes, png)
  const shown = [pngChunk('PLTE', Buffer.alloc(6)), pngChunk('tRNS', Buffer.of(0))]
  assert.deepEqual(readImage(pngWith(...shown)).bytes, pngWith(...shown))
})

test('refuses a PNG that breaks the format’s rules', () => {
  const wrong = {
    'no data': join(png.subarray(0, 33), pngChunk('IEND', Buffer.alloc(0))),
    'two headers': pngWith(pngHeader(8, 6)),
    'a palette behind the data': join(png.subarray(0, -12), pngChunk('PLTE', Buffer.alloc(6)), png.subarray(-12)),
    'an unknown critical chunk': pngWith(pngChunk('EVIL', secret)),
    'a wrong checksum': Buffer.from(png).fill(0, 29, 33),
    'a colour type that is none': join(png.subarray(0, 8), pngHeader(8, 6, [8, 5, 0, 0, 0]), pngBody),
    'a depth that is none': join(png.subarray(0, 8), pngHeader(8, 6, [4, 6, 0, 0, 0]), pngBody),
    'no pixel': pngOf(0, 6),
    'an endless chunk': join(png.subarray(0, 33), uint32(0xffff_ffff), 'IDAT'),
  }
  for (const [name, bytes] of Object.entries(wrong)) assert.throws(() => readImage(bytes), refused(), name)
})

test('reads a PNG of very many small chunks like others', () => {
  const empty = pngChunk('IDAT', Buffer.alloc(0))
  const bytes = pngWith(Buffer.concat(Array.from({ length: 80_000 }, () => empty)))
  assert.ok(readImage(bytes).bytes.equals(bytes))
})

test('removes metadata and profile from a WebP, and the canvas when it has no transparency', () => {
  const notes = ['EXIF', 'XMP ', 'ICCP', 'prVt'].map((type) => webpChunk(type, secret))
  assert.deepEqual(readImage(webp(canvas(0x3c), ...notes, lossy.subarray(12), ...notes)).bytes, lossy)
  assert.deepEqual(readImage(webp(canvas(0x10), ...notes, lossless.subarray(12))).bytes, lossless)
  assert.deepEqual(readImage(webp(canvas(0x3c), ...notes, lossyWithAlpha.subarray(30))).bytes, lossyWithAlpha)
})

test('refuses a WebP that breaks the format’s rules, or is animated', () => {
  const picture = lossy.subarray(12)
  assert.throws(() => readImage(webp(canvas(2), webpChunk('ANIM', secret), picture)), refused(/moves/))
  const wrong = {
    'no picture': webp(canvas(0)),
    'two pictures': webp(picture, picture),
    'another canvas': webp(canvas(0, 9, 6), picture),
    'notes but no canvas': webp(webpChunk('EXIF', secret), picture),
    'no key frame': Buffer.from(lossy).fill(0x11, 20, 21),
    'another RIFF': join('RIFF', littleUint32(4), 'WAVE'),
  }
  for (const [name, bytes] of Object.entries(wrong)) assert.throws(() => readImage(bytes), refused(), name)
})

test('refuses a file that is no image, with a helpful message', () => {
  assert.throws(() => readImage(Buffer.alloc(0)), refused(/is empty/))
  for (const svg of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<?xml version="1.0"?>\n<!-- x --><SVG\n>']) {
    assert.throws(() => readImage(Buffer.from(svg)), refused(/is an SVG/))
  }
  const others = [
    '<!doctype html><p>not found',
    '%PDF-1.7',
    'BM',
    'GIF89a',
    '\xff\xd8\xff',
    '\0\0\0\x1cftypavif',
    ' \x89PNG',
  ]
  for (const other of others) {
    assert.throws(() => readImage(Buffer.from(other, 'latin1')), refused(/is neither a PNG nor a WebP/), other)
  }
})

test('accepts a logo of at most 1 MiB', () => {
  const sized = (size: number) => join(png, Buffer.alloc(size - png.length))
  assert.equal(readImage(sized(maxImageBytes)).mediaType, 'image/png')
  assert.throws(() => readImage(sized(maxImageBytes + 1)), refused(/has more than 1024 KiB/))
})

const jpegOptions = { takesJpeg: true }
const jpegSegment = (marker: number, data: Buffer) => join(0xff, marker, uint32(data.length + 2).subarray(2), data)
const jpegFrame = jpeg.indexOf(Buffer.of(0xff, 0xc0))
function jpegOf(width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg)
  bytes.writeUInt16BE(height, jpegFrame + 5)
  bytes.writeUInt16BE(width, jpegFrame + 7)
  return bytes
}

test('takes a JPEG where it is wanted, and nowhere else', () => {
  assert.throws(() => readImage(jpeg), refused(/is neither a PNG nor a WebP/))
  const { bytes, ...logo } = readImage(jpeg, jpegOptions)
  assert.deepEqual(logo, { mediaType: 'image/jpeg', width: 8, height: 6 })
  assert.deepEqual(bytes, jpeg)
  assert.equal(readImage(jpegOf(2048, 1), jpegOptions).width, 2048)
  assert.throws(() => readImage(jpegOf(2049, 1), jpegOptions), refused(/is 2049 × 1 pixels/))
  assert.throws(() => readImage(jpegOf(8, 65_535), jpegOptions), refused(/is 8 × 65535 pixels/))
})

test('takes a JPEG of 100 scans, and refuses one more', () => {
  const start = jpeg.indexOf(Buffer.of(0xff, 0xda))
  const scan = jpeg.subarray(start, -2)
  const scanned = (count: number) =>
    join(jpeg.subarray(0, start), Buffer.alloc(count * scan.length, scan), jpeg.subarray(-2))
  assert.equal(readImage(scanned(100), jpegOptions).bytes.length, scanned(100).length)
  assert.throws(() => readImage(scanned(101), jpegOptions), refused(/is damaged/))
})

test('removes from a JPEG its texts, Exif, profiles and thumbnails, and what follows it', () => {
  const notes = [0xe0, 0xe1, 0xe2, 0xed, 0xfe].map((marker) => jpegSegment(marker, secret))
  const noted = join(jpeg.subarray(0, 2), ...notes, jpeg.subarray(2), secret)
  assert.deepEqual(readImage(noted, jpegOptions).bytes, jpeg)
  const adobe = join(jpeg.subarray(0, 2), jpegSegment(0xee, Buffer.from('Adobe')), jpeg.subarray(2))
  assert.deepEqual(readImage(adobe, jpegOptions).bytes, adobe)
  const scan = jpeg.length - 3
  const restarted = join(jpeg.subarray(0, scan), 0xff, 0xd0, 0xff, 0, jpeg.subarray(scan))
  assert.deepEqual(readImage(restarted, jpegOptions).bytes, restarted)
})

test('refuses a JPEG that is cut off or breaks the format’s rules, and never does more', () => {
  for (let length = 3; length < jpeg.length; length += 1) {
    assert.throws(() => readImage(jpeg.subarray(0, length), jpegOptions), refused(), String(length))
  }
  const frame = jpeg.subarray(jpegFrame, jpegFrame + 2 + jpeg.readUInt16BE(jpegFrame + 2))
  const wrong = {
    'no frame': join(jpeg.subarray(0, jpegFrame), jpeg.subarray(jpegFrame + frame.length)),
    'two frames': join(jpeg.subarray(0, jpegFrame), frame, jpeg.subarray(jpegFrame)),
    'no scan': join(jpeg.subarray(0, 2), frame, 0xff, 0xd9),
    'a segment of no length': join(jpeg.subarray(0, 2), 0xff, 0xdb, 0, 0),
    'no pixel': jpegOf(0, 6),
  }
  for (const [name, bytes] of Object.entries(wrong)) assert.throws(() => readImage(bytes, jpegOptions), refused(), name)
  fc.assert(
    fc.property(fc.nat(jpeg.length - 1), fc.nat(255), (at, value) => {
      const changed = Buffer.from(jpeg)
      changed[at] = value
      try {
        assert.ok(readImage(changed, jpegOptions).bytes.length <= jpeg.length)
      } catch (error) {
        assert.ok(error instanceof ImageRefused, String(error))
      }
    }),
  )
})
