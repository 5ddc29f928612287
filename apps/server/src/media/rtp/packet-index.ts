const sequenceSpan = 0x10000
const halfSpan = 0x8000

/**
 * The index nearest to `highest` with `sequenceNumber` as its lower 16 bits (RFC 3711, 3.3.1). May be negative at the
 * start.
 */
export function extendSequenceNumber(highest: number, sequenceNumber: number): number {
  const base = highest - (highest % sequenceSpan)
  const index = base + sequenceNumber
  if (index - highest > halfSpan) return index - sequenceSpan
  if (highest - index >= halfSpan) return index + sequenceSpan
  return index
}

/** How many packets late a packet is still accepted: half a second at 1,000 packets per second. */
const replayWindow = 512

/** The replay list of one stream (RFC 3711, 3.3.2). */
export class ReplayWindow {
  highest = -1
  readonly #seen = new Float64Array(replayWindow).fill(-1)

  /** The packet's index; undefined if it is too old or was accepted before. Records nothing. */
  indexOf(sequenceNumber: number): number | undefined {
    const index = this.highest === -1 ? sequenceNumber : extendSequenceNumber(this.highest, sequenceNumber)
    return this.isFresh(index) ? index : undefined
  }

  isFresh(index: number): boolean {
    return index >= 0 && index > this.highest - replayWindow && this.#seen[index % replayWindow] !== index
  }

  /** Record an authenticated packet. */
  accept(index: number): void {
    this.#seen[index % replayWindow] = index
    if (index > this.highest) this.highest = index
  }
}
