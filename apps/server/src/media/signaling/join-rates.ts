import { KeyedBuckets } from '../../platform/http/keyed-buckets.ts'

/** A page that is reloaded again and again, or a connection that is resumed with growing pauses, is within this. */
export const identityRate = { perSecond: 0.5, burst: 10 }
/** A full room behind one address, such as a school's, comes at once, and half of it a second time. */
export const networkRate = { perSecond: 10, burst: 300 }
/** Of each; what is older is forgotten. */
const maxKeys = 10_000

/** How often a person, and a network, may open a signalling connection: each costs a handshake when it is carried through. */
export class JoinRates {
  readonly #ofIdentity = new KeyedBuckets(identityRate, maxKeys)
  readonly #ofNetwork = new KeyedBuckets(networkRate, maxKeys)

  /** Counts a connection; false when it is one too many. */
  take(room: string, identity: string, network: string | undefined, nowMs: number): boolean {
    if (!this.has(room, identity, network, nowMs)) return false
    this.#ofIdentity.take(keyOf(room, identity), nowMs)
    if (network !== undefined) this.#ofNetwork.take(network, nowMs)
    return true
  }

  /** Whether another one is within the limits. */
  has(room: string, identity: string, network: string | undefined, nowMs: number): boolean {
    return (
      this.#ofIdentity.has(keyOf(room, identity), nowMs) &&
      (network === undefined || this.#ofNetwork.has(network, nowMs))
    )
  }
}

const keyOf = (room: string, identity: string) => JSON.stringify([room, identity])
