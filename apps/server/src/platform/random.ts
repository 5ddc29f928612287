import { randomBytes } from 'node:crypto'

/** Randomness, injected so that tests can set it. Everything derives from `bytes`. */
export type Random = {
  bytes(length: number): Buffer
  /**
   * A UUIDv7 (RFC 9562, 5.7) of `at`, in lower case. As long as times do not go back, each id sorts after the id
   * before, even within a millisecond.
   *
   * @throws RangeError for a time before 1970 or beyond 48 bits of milliseconds
   */
  uuid(at: Date): string
  /**
   * An unbiased integer from 0 to `bound` - 1.
   *
   * @throws RangeError unless `bound` is an integer from 1 to 2^48
   */
  below(bound: number): number
}

const range = 2 ** 48

/** Create the generators on `bytes`, which must be a cryptographically secure source outside tests. */
export function createRandom(bytes: (length: number) => Buffer): Random {
  let lastMs = -1
  let counter = 0

  return {
    bytes,
    uuid(at) {
      const ms = at.getTime()
      if (Number.isNaN(ms)) throw new RangeError('uuid() takes a valid time')
      const id = Buffer.allocUnsafe(16)
      id.writeUIntBE(ms, 0, 6)
      const randomBits = bytes(10)
      // RFC 9562, 6.2, method 1: a 32-bit counter with a random start each millisecond. The counter starts in the lower
      // half, so that no process can exhaust it within a millisecond.
      counter = ms === lastMs ? counter + 1 : randomBits.readUInt32BE(0) >>> 1
      lastMs = ms
      id[6] = 0x70 | (counter >>> 28)
      id[7] = counter >>> 20
      id[8] = 0x80 | ((counter >>> 14) & 0x3f)
      id[9] = counter >>> 6
      id[10] = (counter << 2) | (randomBits.readUInt8(4) & 0x03)
      randomBits.copy(id, 11, 5, 10)
      const hex = id.toString('hex')
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
    },
    below(bound) {
      if (!Number.isSafeInteger(bound) || bound < 1 || bound > range) {
        throw new RangeError(`below() takes an integer from 1 to 2^48, not ${bound}`)
      }
      // Reject values above the last whole multiple of the bound: a plain remainder would favour small numbers.
      const fairRange = range - (range % bound)
      let value = bytes(6).readUIntBE(0, 6)
      while (value >= fairRange) value = bytes(6).readUIntBE(0, 6)
      return value % bound
    },
  }
}

/** The size of one request to the operating system: ten bytes take as long. */
const bytesPerRefill = 8192

/** Return each byte once. */
function refill(): (length: number) => Buffer {
  let buffer = Buffer.alloc(0)
  return (length) => {
    if (length > bytesPerRefill) return randomBytes(length)
    if (buffer.length < length) buffer = randomBytes(bytesPerRefill)
    const handedOut = Buffer.from(buffer.subarray(0, length))
    buffer.fill(0, 0, length)
    buffer = buffer.subarray(length)
    return handedOut
  }
}

export const secureRandom: Random = createRandom(refill())
