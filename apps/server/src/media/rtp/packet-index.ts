const sequenceSpan = 0x10000
const halfSpan = 0x8000

/** The index nearest to `highest` whose lower 16 bits are `sequenceNumber` (RFC 3711, 3.3.1). It can be negative at the start. */
export function extendSequenceNumber(highest: number, sequenceNumber: number): number {
  const base = highest - (highest % sequenceSpan)
  const index = base + sequenceNumber
  if (index - highest > halfSpan) return index - sequenceSpan
  if (highest - index >= halfSpan) return index + sequenceSpan
  return index
}

/** Packets that may come late and are still taken. At 1,000 packets a second, half a second. */
const replayWindow = 512

/** What one sender's packets were, so that none is taken twice (RFC 3711, 3.3.2). */
export class ReplayWindow {
  highest = -1
  readonly #seen = new Float64Array(replayWindow).fill(-1)

  /** The packet's index, or undefined for one that is too old or was seen. Nothing is noted yet. */
  indexOf(sequenceNumber: number): number | undefined {
    const index = this.highest === -1 ? sequenceNumber : extendSequenceNumber(this.highest, sequenceNumber)
    return this.isFresh(index) ? index : undefined
  }

  isFresh(index: number): boolean {
    return index >= 0 && index > this.highest - replayWindow && this.#seen[index % replayWindow] !== index
  }

  /** Notes a packet whose authenticity is proved. */
  accept(index: number): void {
    this.#seen[index % replayWindow] = index
    if (index > this.highest) this.highest = index
  }
}
