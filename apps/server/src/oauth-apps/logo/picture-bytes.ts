/** Why a picture is not taken: a sentence's end that goes after 'The picture'. */
export class PictureRefused extends Error {}

export const damaged = () => new PictureRefused('is damaged')

/** Reads a picture from its beginning, and refuses it where it ends too early: nothing is read beside its bytes. */
export class PictureBytes {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Buffer {
    if (length > this.left) throw damaged()
    const taken = this.#bytes.subarray(this.#at, this.#at + length)
    this.#at += length
    return taken
  }

  byte(): number {
    return this.take(1).readUInt8(0)
  }

  /** The next bytes, which are not taken. */
  ahead(length: number): Buffer {
    const bytes = this.take(length)
    this.#at -= length
    return bytes
  }

  /** All that `read` takes, in one piece: what is made of a million small ones is one all the same. */
  taken(read: () => void): Buffer {
    const start = this.#at
    read()
    return this.#bytes.subarray(start, this.#at)
  }

  expect(expected: Buffer | string): void {
    const bytes = Buffer.from(expected)
    if (!this.take(bytes.length).equals(bytes)) throw damaged()
  }

  /** Takes what lies before the next byte of this value. */
  takeUntil(value: number): void {
    const end = this.#bytes.indexOf(value, this.#at)
    if (end < 0) throw damaged()
    this.#at = end
  }
}

/** A larger picture is no logo, and unpacked it would fill the memory of whoever looks at it. */
export const maxPixelsPerSide = 2_048

export type Picture = { width: number; height: number; bytes: Buffer }

/** Puts a picture together again from the parts that were kept. */
export function pictureOf(width: number, height: number, parts: readonly Buffer[]): Picture {
  if (width < 1 || height < 1) throw damaged()
  if (width > maxPixelsPerSide || height > maxPixelsPerSide) {
    throw new PictureRefused(
      `is ${width} × ${height} pixels; at most ${maxPixelsPerSide} × ${maxPixelsPerSide} are taken`,
    )
  }
  return { width, height, bytes: Buffer.concat(parts) }
}
