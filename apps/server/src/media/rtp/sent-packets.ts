/** A sent packet, without the fields that differ in a retransmission. */
export type SentPacket = {
  sequenceNumber: number
  timestamp: number
  marker: boolean
  payload: Buffer
  audioLevel: Buffer | undefined
  orientation: Buffer | undefined
  sentMs: number
}

/** Two seconds at 2 Mbit/s. The subscribers of a track share the payloads. */
const capacity = 512
/** A repeated NACK within this time was sent before the retransmission could arrive. */
const resendIntervalMs = 20

/** The last packets of a stream, for retransmissions. */
export class SentPackets {
  readonly #ring: (SentPacket | undefined)[] = new Array(capacity)

  add(packet: SentPacket): void {
    this.#ring[packet.sequenceNumber % capacity] = packet
  }

  /** The packet; undefined if it is no longer stored or was just sent. */
  take(sequenceNumber: number, nowMs: number): SentPacket | undefined {
    const found = this.#ring[sequenceNumber % capacity]
    if (found?.sequenceNumber !== sequenceNumber || nowMs - found.sentMs < resendIntervalMs) return undefined
    found.sentMs = nowMs
    return found
  }
}
