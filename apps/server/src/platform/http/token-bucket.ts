export type Rate = {
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
