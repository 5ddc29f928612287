import { extendSequenceNumber } from './packet-index.ts'

/** From the incoming index `from` on, `offset` is added to get the outgoing index. */
type Segment = { from: number; offset: number }

/** Packets from before this many cuts cannot be retransmitted. */
const maxSegments = 64

/**
 * Rewrites parts of several streams, such as the layers of a video or the packets between two pauses, to one stream
 * without gaps. Packets that were lost on the way to the engine remain gaps, so that the receiver requests them.
 */
export class RtpRewriter {
  #segments: Segment[] = []
  #highestIn = -1
  #highestOut = -1
  #timestampOffset = 0
  #lastTimestamp: number | undefined

  /** The last outgoing timestamp; undefined before the first packet. */
  get lastTimestamp(): number | undefined {
    return this.#lastTimestamp
  }

  get timestampOffset(): number {
    return this.#timestampOffset
  }

  /** Continue the outgoing stream with this packet: it gets the sequence number after the last one. */
  begin(sequenceNumber: number, timestampOffset: number): void {
    const offset = this.#highestOut === -1 ? 0 : this.#highestOut + 1 - sequenceNumber
    this.#segments = [{ from: sequenceNumber, offset }]
    this.#highestIn = sequenceNumber - 1
    this.#timestampOffset = timestampOffset
  }

  /** The outgoing sequence number and timestamp of a packet; undefined if it precedes the forwarded part. */
  map(sequenceNumber: number, timestamp: number): { sequenceNumber: number; timestamp: number } | undefined {
    const index = this.#indexOf(sequenceNumber)
    const segment = this.#segments.findLast(({ from }) => from <= index)
    if (segment === undefined) return undefined
    const out = index + segment.offset
    const mapped = (timestamp + this.#timestampOffset) >>> 0
    this.#highestIn = Math.max(this.#highestIn, index)
    if (out > this.#highestOut) {
      this.#highestOut = out
      this.#lastTimestamp = mapped
    }
    return { sequenceNumber: out & 0xffff, timestamp: mapped }
  }

  /** Skip a packet without leaving a gap. A late packet still leaves one. */
  skip(sequenceNumber: number): void {
    const index = this.#indexOf(sequenceNumber)
    const last = this.#segments.at(-1)
    if (index <= this.#highestIn || last === undefined) return
    this.#highestIn = index
    this.#segments.push({ from: index + 1, offset: last.offset - 1 })
    if (this.#segments.length > maxSegments) this.#segments.shift()
  }

  #indexOf(sequenceNumber: number): number {
    return this.#highestIn < 0 ? sequenceNumber : extendSequenceNumber(this.#highestIn, sequenceNumber)
  }
}

/** The signed difference of two 32-bit timestamps, the shorter way round. */
export const timestampDifference = (later: number, earlier: number) => (later - earlier) | 0

type Reference = { ntpSeconds: number; ntpFraction: number; rtpTimestamp: number }

/**
 * The offset to add to timestamps of the stream `next` so that they continue the stream `current`, to which `offset` is
 * added. Both references give the RTP timestamp of an NTP time of the same sender.
 */
export function alignTimestamps(current: Reference, next: Reference, offset: number, clockRate: number): number {
  const seconds = next.ntpSeconds - current.ntpSeconds + (next.ntpFraction - current.ntpFraction) / 2 ** 32
  return (current.rtpTimestamp + Math.round(seconds * clockRate) + offset - next.rtpTimestamp) | 0
}
