/** An image that is not accepted; the message continues the sentence "The picture …". */
export class ImageRefused extends Error {}

export const damagedImage = () => new ImageRefused('is damaged')

/** Reads an image from the beginning, and refuses one that ends too early; reads stay within its bytes. */
export class ImageReader {
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

  expect(expected: Buffer | string): void {
    const bytes = Buffer.from(expected)
    if (!this.take(bytes.length).equals(bytes)) throw damagedImage()
  }
}

/** Larger images are no logos, and unpacked they would fill the viewer's memory. */
const maxPixelsPerSide = 2_048

export type Image = { width: number; height: number; bytes: Buffer }

/** Assemble an image from the parts to keep. @throws ImageRefused when its size is not accepted */
export function createImage(width: number, height: number, parts: readonly Buffer[]): Image {
  if (width < 1 || height < 1) throw damagedImage()
  if (width > maxPixelsPerSide || height > maxPixelsPerSide) {
    throw new ImageRefused(
      `is ${width} × ${height} pixels; at most ${maxPixelsPerSide} × ${maxPixelsPerSide} are taken`,
    )
  }
  return { width, height, bytes: Buffer.concat(parts) }
}
