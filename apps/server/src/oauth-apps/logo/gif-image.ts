import { createImage, damagedImage, type Image, ImageReader } from './image-reader.ts'

const extension = 0x21
const image = 0x2c
const graphicControl = 0xf9
/** One block of four bytes, its length, and the terminating empty block. */
const graphicControlLength = 6
const trailer = Buffer.of(0x3b)

/**
 * Read a GIF (GIF89a) and keep its first frame with its transparency. Logos are not animated: later frames, comments
 * and other extensions are dropped.
 * @throws ImageRefused
 */
export function readGif(bytes: Buffer): Image {
  const source = new ImageReader(bytes)
  const version = source.take(6)
  if (!/^GIF8[79]a$/.test(version.toString('latin1'))) throw damagedImage()
  const screen = source.take(7)
  const width = screen.readUInt16LE(0)
  const height = screen.readUInt16LE(2)
  const head = [Buffer.from('GIF89a'), screen, source.take(colourTableLength(screen[4]))]

  let control: Buffer[] = []
  for (;;) {
    const introducer = source.byte()
    if (introducer === image) {
      const picture = readImage(source, width, height)
      return createImage(width, height, [...head, ...control, ...picture, trailer])
    }
    if (introducer !== extension) throw damagedImage()
    const label = source.byte()
    const blocks = source.taken(() => takeBlocks(source))
    if (label !== graphicControl) continue
    if (blocks.length !== graphicControlLength || blocks[0] !== graphicControlLength - 2) throw damagedImage()
    control = [Buffer.of(extension, label), blocks]
  }
}

function readImage(source: ImageReader, width: number, height: number): Buffer[] {
  const place = source.take(9)
  const right = place.readUInt16LE(0) + place.readUInt16LE(4)
  const bottom = place.readUInt16LE(2) + place.readUInt16LE(6)
  if (right > width || bottom > height) throw damagedImage()
  const colours = source.take(colourTableLength(place[8]))
  const codeSize = source.byte()
  if (codeSize < 2 || codeSize > 8) throw damagedImage()
  const data = source.taken(() => takeBlocks(source))
  return [Buffer.of(image), place, colours, Buffer.of(codeSize), data]
}

/** The length of a colour table in bytes: three per colour, as many as the packed field says. */
const colourTableLength = (packed = 0) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1))

/** Skip length-prefixed blocks, up to and including the empty one that terminates them. */
function takeBlocks(source: ImageReader): void {
  for (let length = source.byte(); length > 0; length = source.byte()) source.take(length)
}
