import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Encryption } from '../../platform/encryption.ts'
import { TokenRefusal } from './token-errors.ts'

/** `points` are attempts, `duration` is in seconds from the first one (docs/oauth.md, "Limits"). */
const limits = {
  /** Wrong secrets for one client from one network: stops a backend whose secret was retired. */
  failuresOfClient: { points: 50, duration: 15 * 60 },
  /** Wrong secrets from one network for any client id, unknown ones included. */
  failuresOfNetwork: { points: 1_000, duration: 15 * 60 },
  /** More than any backend needs for all of its users, and less than an instance bears. */
  successesOfClient: { points: 6_000, duration: 60 },
} as const

/**
 * Limits on client authentication. Only failures count against a network, because apps share addresses with strangers
 * in data centres and behind proxies. Secrets of 256 bits cannot be guessed; the limit on failures protects from load.
 */
export type TokenLimits = {
  /**
   * Count a failed authentication of a client id, known or not.
   * @throws TokenRefusal slow_down when the client or its network has failed too often
   */
  countFailure(clientId: string, network: string): Promise<void>
  /** Count a successful authentication. @throws TokenRefusal slow_down beyond the limit */
  countSuccess(clientId: string): Promise<void>
}

export type TokenLimitsOptions = {
  encryption: Encryption
  /** False in benchmarks. */
  rateLimits: boolean
  /** The database in which several instances count together; absent, this process counts in memory. */
  pool?: Pool
}

/**
 * Failures are counted in the database; each instance remembers in memory which keys it has refused. Successes are
 * counted by each instance in memory, since they protect that instance.
 */
export function createTokenLimits({ encryption, rateLimits, pool }: TokenLimitsOptions): TokenLimits {
  if (!rateLimits) return { countFailure: async () => {}, countSuccess: async () => {} }
  const counterOf = (name: keyof typeof limits) => {
    const limit = { ...limits[name], keyPrefix: name }
    const memory = new RateLimiterMemory(limit)
    if (pool === undefined || name === 'successesOfClient') return { memory, shared: memory }
    const store = { storeClient: pool, storeType: 'pool', tableName: 'attempt_count', tableCreated: true }
    return { memory, shared: new RateLimiterPostgres({ ...limit, ...store, insuranceLimiter: memory }) }
  }
  const [ofClient, ofNetwork] = [counterOf('failuresOfClient'), counterOf('failuresOfNetwork')]
  const successes = counterOf('successesOfClient')
  // Keys are keyed hashes, so that the table stores neither addresses nor client ids.
  const keyOf = (...parts: string[]) => encryption.mac('token limits', JSON.stringify(parts)).toString('base64url')

  return {
    async countFailure(clientId, network) {
      const counts = [
        { counter: ofClient, key: keyOf(clientId, network) },
        { counter: ofNetwork, key: keyOf(network) },
      ]
      // Keys that this instance has refused before cost no statement.
      await Promise.all(counts.map(({ counter, key }) => refuseSpent(counter, key)))
      await Promise.all(counts.map(({ counter, key }) => consume(counter, key)))
    },
    countSuccess: (clientId) => consume(successes, keyOf(clientId)),
  }
}

type Counter = { memory: RateLimiterMemory; shared: RateLimiterMemory | RateLimiterPostgres }

async function refuseSpent({ memory }: Counter, key: string) {
  const counted = await memory.get(key)
  if (counted !== null && counted.consumedPoints >= memory.points) throw slowDown(counted.msBeforeNext)
}

async function consume({ memory, shared }: Counter, key: string) {
  try {
    const { remainingPoints, msBeforeNext } = await shared.consume(key)
    if (remainingPoints === 0 && shared !== memory) await memory.block(key, Math.ceil(msBeforeNext / 1000))
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    if (shared !== memory) await memory.block(key, Math.ceil(refusal.msBeforeNext / 1000))
    throw slowDown(refusal.msBeforeNext)
  }
}

const slowDown = (retryAfterMs: number) =>
  new TokenRefusal('slow_down', 'There were too many requests.', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
    event: null,
  })
