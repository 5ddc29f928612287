import { KeyedBuckets } from '../../platform/token-bucket.ts'

/** Repeated reloads of a page, and resumes with growing pauses, stay below this. */
export const identityRate = { perSecond: 0.5, burst: 10 }
/** A full room behind one address, such as a school's, may join at once, and half of it a second time. */
export const networkRate = { perSecond: 10, burst: 300 }
/** The most keys of each kind; the oldest are dropped. */
const maxKeys = 10_000

/**
 * Limits how often a participant and a network may open a signalling connection: each join may cost a DTLS handshake.
 */
export class JoinRates {
  readonly #ofIdentity = new KeyedBuckets(identityRate, maxKeys)
  readonly #ofNetwork = new KeyedBuckets(networkRate, maxKeys)

  /** Count a connection; false if it exceeds a limit. */
  take(room: string, identity: string, network: string | undefined, nowMs: number): boolean {
    if (!this.has(room, identity, network, nowMs)) return false
    this.#ofIdentity.take(keyOf(room, identity), nowMs)
    if (network !== undefined) this.#ofNetwork.take(network, nowMs)
    return true
  }

  /** Whether another connection is within the limits. */
  has(room: string, identity: string, network: string | undefined, nowMs: number): boolean {
    return (
      this.#ofIdentity.has(keyOf(room, identity), nowMs) &&
      (network === undefined || this.#ofNetwork.has(network, nowMs))
    )
  }
}

const keyOf = (room: string, identity: string) => JSON.stringify([room, identity])
