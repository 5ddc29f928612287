import type { JoinOrigin } from './join-origin.ts'

export type PendingLimits = {
  /** For one host account: a full room whose people all come at the same moment. */
  perOwner: number
  /** For the whole engine. Each takes some 60 KB, so that all of them together do not hurt. */
  total: number
}

export const pendingLimits: PendingLimits = { perOwner: 200, total: 500 }

type Pending = JoinOrigin & { evict(): void }

/**
 * The joins over which no connection has come about yet. When there are too many the oldest one is evicted: of the owner who
 * has most of them, and of the network in it that has most of them, so that a flood evicts itself and not others.
 */
export class PendingJoins {
  readonly #limits: PendingLimits
  /** Oldest first. */
  readonly #pending = new Set<Pending>()

  constructor(limits: PendingLimits = pendingLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#pending.size
  }

  /** Adds one, and evicts another where there are too many. The function that is returned takes it out, and may be called twice. */
  add(origin: JoinOrigin, evict: () => void): () => void {
    const own = [...this.#pending].filter(({ owner }) => owner === origin.owner)
    if (own.length >= this.#limits.perOwner) this.#evictOldest(own)
    else if (this.#pending.size >= this.#limits.total)
      this.#evictOldest(largestGroup(this.#pending, ({ owner }) => owner))
    const pending = { ...origin, evict }
    this.#pending.add(pending)
    return () => void this.#pending.delete(pending)
  }

  #evictOldest(group: readonly Pending[]): void {
    const [oldest] = largestGroup(group, ({ network }) => network ?? '')
    if (oldest === undefined) return
    this.#pending.delete(oldest)
    oldest.evict()
  }
}

function largestGroup(all: Iterable<Pending>, keyOf: (one: Pending) => string): Pending[] {
  const groups = Map.groupBy(all, keyOf).values()
  return [...groups].reduce((one, other) => (other.length > one.length ? other : one), [])
}
