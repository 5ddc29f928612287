import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

type RateLimit = {
  /** The prefix of its keys in the table. */
  name: string
  /** The number of attempts. */
  points: number
  /** In seconds, from the first attempt. */
  duration: number
}

/** Each method returns the milliseconds until an attempt is left; undefined within the limit. */
export type RateLimiter = {
  /** Count nothing. */
  findWaitMs(key: string): Promise<number | undefined>
  /** Count nothing, and read only what this process knows: keys that it has seen reach the limit. */
  findKnownWaitMs(key: string): Promise<number | undefined>
  /** Count an attempt. */
  count(key: string): Promise<number | undefined>
}

/**
 * Limit attempts by key, together with other instances.
 * @param pool the database in which all instances count, with memory as the fallback while it is unavailable; undefined
 * counts in this process's memory alone
 */
export function createRateLimiter({ name, points, duration }: RateLimit, pool: Pool | undefined): RateLimiter {
  const limit = { keyPrefix: name, points, duration }
  const memory = new RateLimiterMemory(limit)
  const shared =
    pool === undefined
      ? memory
      : new RateLimiterPostgres({
          ...limit,
          storeClient: pool,
          storeType: 'pool',
          tableName: 'attempt_count',
          tableCreated: true,
          insuranceLimiter: memory,
        })
  const waitOf = (counted: RateLimiterRes | null) =>
    counted !== null && counted.consumedPoints >= points ? counted.msBeforeNext : undefined
  const remember = async (key: string, waitMs: number) => {
    if (shared !== memory) await memory.block(key, Math.ceil(waitMs / 1000))
  }

  return {
    findWaitMs: async (key) => waitOf(await shared.get(key)),
    findKnownWaitMs: async (key) => waitOf(await memory.get(key)),
    async count(key) {
      try {
        const { remainingPoints, msBeforeNext } = await shared.consume(key)
        if (remainingPoints === 0) await remember(key, msBeforeNext)
        return undefined
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        await remember(key, refusal.msBeforeNext)
        return refusal.msBeforeNext
      }
    },
  }
}
