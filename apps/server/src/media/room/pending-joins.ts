import type { JoinOrigin } from './join-origin.ts'

type PendingLimits = {
  /** The limit of one host account: enough for a full room that joins at once. */
  perOwner: number
  /** The limit of the whole engine. Each join takes about 60 KB, all together 30 MB. */
  total: number
}

export const pendingLimits: PendingLimits = { perOwner: 200, total: 500 }

type Pending = JoinOrigin & { evict(): void }

/**
 * The joins that have not connected yet. Beyond the limit, the oldest join of the largest owner's largest network is
 * evicted, so that a flood evicts itself rather than others.
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

  /**
   * Add a join, and evict another beyond the limit.
   * @returns a function that removes it; a second call does nothing
   */
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

function largestGroup(all: Iterable<Pending>, keyOf: (pending: Pending) => string): Pending[] {
  const groups = Map.groupBy(all, keyOf).values()
  return [...groups].reduce((largest, group) => (group.length > largest.length ? group : largest), [])
}
