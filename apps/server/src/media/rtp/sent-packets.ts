/** A packet as it was sent, without what changes when it is sent again. */
export type SentPacket = {
  sequenceNumber: number
  timestamp: number
  marker: boolean
  payload: Buffer
  audioLevel: Buffer | undefined
  orientation: Buffer | undefined
  sentMs: number
}

/** At 2 Mbit/s, two seconds. The payloads are shared among those who got them. */
const capacity = 512
/** A round trip that is shorter than this cannot have brought a second wish for the same packet. */
const resendIntervalMs = 20

/** The last packets of a stream, for who asks for one again. */
export class SentPackets {
  readonly #ring: (SentPacket | undefined)[] = new Array(capacity)

  add(packet: SentPacket): void {
    this.#ring[packet.sequenceNumber % capacity] = packet
  }

  /** The packet, unless it is gone or was sent a moment ago. */
  take(sequenceNumber: number, nowMs: number): SentPacket | undefined {
    const found = this.#ring[sequenceNumber % capacity]
    if (found?.sequenceNumber !== sequenceNumber || nowMs - found.sentMs < resendIntervalMs) return undefined
    found.sentMs = nowMs
    return found
  }
}
