import { extendSequenceNumber } from './packet-index.ts'

/** Where in the incoming stream which distance to the outgoing one begins. */
type Segment = { from: number; distance: number }

/** Later packets than these many cuts ago are not repaired. */
const maxSegments = 64

/**
 * Makes one stream without gaps out of the parts of several that are forwarded: of the layers of a picture, and of what lies
 * between two silences. What is lost on its way stays lost, so that the receiver asks for it.
 */
export class RtpRewriter {
  #segments: Segment[] = []
  #highestIn = -1
  #highestOut = -1
  #timestampDistance = 0
  #lastTimestamp: number | undefined

  /** The last timestamp that went out, undefined before the first packet. */
  get lastTimestamp(): number | undefined {
    return this.#lastTimestamp
  }

  get timestampDistance(): number {
    return this.#timestampDistance
  }

  /** From this packet on the stream goes on; the next number out is the one after the last. */
  begin(sequenceNumber: number, timestampDistance: number): void {
    const distance = this.#highestOut === -1 ? 0 : this.#highestOut + 1 - sequenceNumber
    this.#segments = [{ from: sequenceNumber, distance }]
    this.#highestIn = sequenceNumber - 1
    this.#timestampDistance = timestampDistance
  }

  /** The packet's number and timestamp in the outgoing stream, or undefined when it lies before what is forwarded. */
  map(sequenceNumber: number, timestamp: number): { sequenceNumber: number; timestamp: number } | undefined {
    const index = this.#indexOf(sequenceNumber)
    const segment = this.#segments.findLast(({ from }) => from <= index)
    if (segment === undefined) return undefined
    const out = index + segment.distance
    const mapped = (timestamp + this.#timestampDistance) >>> 0
    this.#highestIn = Math.max(this.#highestIn, index)
    if (out > this.#highestOut) {
      this.#highestOut = out
      this.#lastTimestamp = mapped
    }
    return { sequenceNumber: out & 0xffff, timestamp: mapped }
  }

  /** A packet that is not forwarded and must leave no gap. One that comes late leaves it all the same. */
  skip(sequenceNumber: number): void {
    const index = this.#indexOf(sequenceNumber)
    const last = this.#segments.at(-1)
    if (index <= this.#highestIn || last === undefined) return
    this.#highestIn = index
    this.#segments.push({ from: index + 1, distance: last.distance - 1 })
    if (this.#segments.length > maxSegments) this.#segments.shift()
  }

  #indexOf(sequenceNumber: number): number {
    return this.#highestIn < 0 ? sequenceNumber : extendSequenceNumber(this.#highestIn, sequenceNumber)
  }
}

/** The signed distance from one 32-bit timestamp to another, the shorter way round. */
export const timestampDifference = (later: number, earlier: number) => (later - earlier) | 0

export type Reference = { ntpSeconds: number; ntpFraction: number; rtpTimestamp: number }

/**
 * What to add to the timestamps of `next` so that they stand on the clock of `current`, whose own are shifted by `distance`:
 * both name the same moment of the sender's clock.
 */
export function alignTimestamps(current: Reference, next: Reference, distance: number, clockRate: number): number {
  const seconds = next.ntpSeconds - current.ntpSeconds + (next.ntpFraction - current.ntpFraction) / 2 ** 32
  return (current.rtpTimestamp + Math.round(seconds * clockRate) + distance - next.rtpTimestamp) | 0
}
