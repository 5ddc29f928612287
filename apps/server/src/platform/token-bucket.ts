type Rate = {
  perSecond: number
  /** The maximum after a pause. */
  burst: number
}

/** A token bucket: `rate.perSecond` over time, at most `rate.burst` at once. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #updatedMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#updatedMs = nowMs
  }

  /** Take `count` tokens if there are enough. */
  take(count: number, nowMs: number): boolean {
    if (this.level(nowMs) < count) return false
    this.#tokens -= count
    return true
  }

  /** Take `count` tokens and owe the missing ones: for costs that are known only afterwards. */
  charge(count: number, nowMs: number): void {
    this.#tokens = this.level(nowMs) - count
  }

  /** Return tokens, up to the burst. */
  credit(count: number): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + count)
  }

  /** The number of tokens; negative while some are owed. */
  level(nowMs: number): number {
    // A clock that is set back changes nothing.
    const elapsedMs = Math.max(0, nowMs - this.#updatedMs)
    this.#updatedMs = nowMs
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + (elapsedMs * this.#rate.perSecond) / 1000)
    return this.#tokens
  }
}

/** A token bucket for each key. Unused keys are removed when their bucket is full again. */
export class KeyedBuckets {
  readonly #rate: Rate
  readonly #maxKeys: number
  readonly #buckets = new Map<string, TokenBucket>()

  constructor(rate: Rate, maxKeys: number) {
    this.#rate = rate
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#buckets.size
  }

  take(key: string, nowMs: number): boolean {
    return this.#bucketOf(key, nowMs).take(1, nowMs)
  }

  /** Take all tokens that are left. */
  drain(key: string, nowMs: number): void {
    const bucket = this.#bucketOf(key, nowMs)
    bucket.charge(Math.max(0, bucket.level(nowMs)), nowMs)
  }

  /** Whether a token is available, without taking it. */
  has(key: string, nowMs: number): boolean {
    return (this.#buckets.get(key)?.level(nowMs) ?? this.#rate.burst) >= 1
  }

  #bucketOf(key: string, nowMs: number): TokenBucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    if (this.#buckets.size >= this.#maxKeys) this.#makeRoom(nowMs)
    const bucket = new TokenBucket(this.#rate, nowMs)
    this.#buckets.set(key, bucket)
    return bucket
  }

  /** Remove full buckets, which equal new ones. When none is full, remove the oldest. */
  #makeRoom(nowMs: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.level(nowMs) >= this.#rate.burst) this.#buckets.delete(key)
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size >= this.#maxKeys && oldest !== undefined) this.#buckets.delete(oldest)
  }
}
