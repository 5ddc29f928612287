import type { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Encryption } from '../../platform/encryption.ts'
import { TokenRefusal } from './token-errors.ts'

/** `points` are tries, `duration` is in seconds from the first one (oauth.md 3.11). */
const limits = {
  /** Wrong secrets for one client from one network: a backend whose secret was retired stops here. */
  failuresOfClient: { points: 50, duration: 15 * 60 },
  /** Wrong secrets from one network for whatever clients, made-up ones included. */
  failuresOfNetwork: { points: 1_000, duration: 15 * 60 },
  /** A backend serves all of its users from one address; this is more than any has, and less than an instance bears. */
  successesOfClient: { points: 6_000, duration: 60 },
} as const

/**
 * Only what fails is counted against a network and held up: an app that proves itself shares its address with strangers, in
 * a data centre or behind one proxy. Nobody finds a secret of 256 bits by trying; failures are limited for the load they are.
 */
export type TokenLimits = {
  /**
   * Counts a try of a client, known or not, that did not prove itself.
   * @throws TokenRefusal slow_down when it, or its network, has failed too often.
   */
  countFailure(clientId: string, network: string): Promise<void>
  /** @throws TokenRefusal slow_down when it was one too many. */
  countSuccess(clientId: string): Promise<void>
}

export type TokenLimitsOptions = {
  encryption: Encryption
  /** `off` for benchmarks. */
  rateLimits: boolean
  /** Where several instances count together; absent, this process counts for itself. */
  pool?: Pool
}

/**
 * Failures are counted where all instances see them; each instance then keeps in memory whom it has refused. A request
 * that succeeds asks nobody. Successes are counted by each instance: what they protect is that instance.
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
  // Neither addresses nor what was sent as an id stand in the table: a keyed hash counts as well.
  const keyOf = (...parts: string[]) => encryption.mac('token limits', JSON.stringify(parts)).toString('base64url')

  return {
    async countFailure(clientId, network) {
      const counts = [
        { counter: ofClient, key: keyOf(clientId, network) },
        { counter: ofNetwork, key: keyOf(network) },
      ]
      // Whom this instance knows to be refused costs no statement.
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
