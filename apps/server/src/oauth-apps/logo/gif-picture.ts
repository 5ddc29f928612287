import { damaged, type Picture, PictureBytes, pictureOf } from './picture-bytes.ts'

const extension = 0x21
const image = 0x2c
const graphicControl = 0xf9
/** One block of four bytes, its length, and the empty block. */
const graphicControlLength = 6
const trailer = Buffer.of(0x3b)

/**
 * Reads a GIF (GIF89a) and keeps its first picture, with its transparency: a logo on a page of ours does not move, and
 * comments and other extensions are left out, as is all that follows.
 * @throws PictureRefused
 */
export function readGif(bytes: Buffer): Picture {
  const source = new PictureBytes(bytes)
  const version = source.take(6)
  if (!/^GIF8[79]a$/.test(version.toString('latin1'))) throw damaged()
  const screen = source.take(7)
  const width = screen.readUInt16LE(0)
  const height = screen.readUInt16LE(2)
  const head = [Buffer.from('GIF89a'), screen, source.take(colourTableLength(screen[4]))]

  let control: Buffer[] = []
  for (;;) {
    const introducer = source.byte()
    if (introducer === image) {
      const picture = readImage(source, width, height)
      return pictureOf(width, height, [...head, ...control, ...picture, trailer])
    }
    if (introducer !== extension) throw damaged()
    const label = source.byte()
    const blocks = source.taken(() => takeBlocks(source))
    if (label !== graphicControl) continue
    if (blocks.length !== graphicControlLength || blocks[0] !== graphicControlLength - 2) throw damaged()
    control = [Buffer.of(extension, label), blocks]
  }
}

function readImage(source: PictureBytes, width: number, height: number): Buffer[] {
  const place = source.take(9)
  const right = place.readUInt16LE(0) + place.readUInt16LE(4)
  const bottom = place.readUInt16LE(2) + place.readUInt16LE(6)
  if (right > width || bottom > height) throw damaged()
  const colours = source.take(colourTableLength(place[8]))
  const codeSize = source.byte()
  if (codeSize < 2 || codeSize > 8) throw damaged()
  const data = source.taken(() => takeBlocks(source))
  return [Buffer.of(image), place, colours, Buffer.of(codeSize), data]
}

/** Three bytes a colour, as many as the packed field says. */
const colourTableLength = (packed = 0) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 7) + 1))

/** Takes blocks with their lengths before them, up to and with the empty one that ends them. */
function takeBlocks(source: PictureBytes): void {
  for (let length = source.byte(); length > 0; length = source.byte()) source.take(length)
}
