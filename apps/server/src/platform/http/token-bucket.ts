export type Rate = {
  perSecond: number
  /** What may be used at once after a pause. */
  burst: number
}

/** A token bucket: as much as `rate.perSecond` over time, as much as `rate.burst` at once. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #updatedMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#updatedMs = nowMs
  }

  /** Take so many tokens if there are as many. */
  take(count: number, nowMs: number): boolean {
    if (this.level(nowMs) < count) return false
    this.#tokens -= count
    return true
  }

  /** Take so many, and owe what is missing: for a cost that is only known afterwards. */
  charge(count: number, nowMs: number): void {
    this.#tokens = this.level(nowMs) - count
  }

  /** Give some back, up to the burst. */
  credit(count: number): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + count)
  }

  /** How many there are; below zero while some are owed. */
  level(nowMs: number): number {
    // A clock that is set back gives nothing, and takes nothing.
    const elapsedMs = Math.max(0, nowMs - this.#updatedMs)
    this.#updatedMs = nowMs
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + (elapsedMs * this.#rate.perSecond) / 1000)
    return this.#tokens
  }
}
