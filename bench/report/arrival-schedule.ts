export type ArrivalScheduleOptions = { ratePerSecond: number; durationMs: number }

/**
 * Arrivals at a constant rate. The schedule does not wait for replies: a request that finds every connection busy is
 * sent late, and its latency still counts from the time at which it was due. A slow reply therefore cannot hide the
 * requests that it held up (coordinated omission).
 */
export class ArrivalSchedule {
  readonly #intervalMs: number
  /** The number of arrivals in the whole schedule. */
  readonly total: number
  #taken = 0

  constructor({ ratePerSecond, durationMs }: ArrivalScheduleOptions) {
    if (!(ratePerSecond > 0)) throw new Error(`A rate must be above 0, not ${ratePerSecond}`)
    this.#intervalMs = 1000 / ratePerSecond
    this.total = Math.floor((durationMs * ratePerSecond) / 1000)
  }

  /** The number of arrivals that have not been taken yet. */
  get remaining(): number {
    return this.total - this.#taken
  }

  /**
   * Take the oldest arrival that is due.
   * @param elapsedMs since the start of the schedule
   * @returns when it was due, in milliseconds since the start; undefined when none is due
   */
  takeDue(elapsedMs: number): number | undefined {
    const dueMs = this.#taken * this.#intervalMs
    if (this.remaining <= 0 || dueMs > elapsedMs) return undefined
    this.#taken += 1
    return dueMs
  }

  /** Milliseconds until the next arrival is due, at least 0; infinity after the last one. */
  waitMs(elapsedMs: number): number {
    return this.remaining <= 0 ? Number.POSITIVE_INFINITY : Math.max(0, this.#taken * this.#intervalMs - elapsedMs)
  }
}
