import type { Pool } from 'pg'
import type { Encryption } from '../../platform/encryption.ts'
import { tooManyRequests } from '../../platform/http/problem.ts'
import { createRateLimiter } from '../../platform/rate-limiter.ts'

/** `points` are attempts, `duration` is in seconds from the first one (docs/oauth-reference.md, "Limits"). */
const tokenLimits = {
  /** Wrong secrets for one client from one network: stops a backend whose secret was retired. */
  failuresOfClient: { points: 50, duration: 15 * 60 },
  /** Wrong secrets from one network for any client id, unknown ones included. */
  failuresOfNetwork: { points: 1_000, duration: 15 * 60 },
  /** More than any backend needs for all of its users, and less than an instance can serve. */
  successesOfClient: { points: 6_000, duration: 60 },
  /**
   * Requests for one public client from one network: its users' own devices send them, many of an organisation from one
   * address. The limit is counted by network, because anyone may send the client's id: a stranger cannot use up the
   * limit for users elsewhere.
   */
  requestsOfPublicClient: { points: 600, duration: 60 },
} as const

/**
 * Limits on client authentication. Only failures of confidential clients count against a network, because apps share
 * addresses with strangers in data centres and behind proxies. Secrets of 256 bits cannot be guessed; the limit on
 * failures protects from load.
 */
type TokenLimits = {
  /**
   * Count a failed authentication of a client id, known or not.
   * @throws too_many_requests when the client or its network has failed too often
   */
  countFailure(clientId: string, network: string): Promise<void>
  /** Count a successful authentication. @throws too_many_requests beyond the limit */
  countSuccess(clientId: string): Promise<void>
  /** Count a request for a public client. @throws too_many_requests beyond the limit */
  countPublic(clientId: string, network: string): Promise<void>
}

type TokenLimitsOptions = {
  encryption: Encryption
  /** False in benchmarks. */
  rateLimits: boolean
  /** The database where all instances count together; without it, this process counts in memory. */
  pool?: Pool
}

/**
 * Failures are counted in the database; each instance remembers in memory which keys it has refused. Successes, and the
 * requests of public clients, are counted by each instance in memory, since they protect that instance.
 */
export function createTokenLimits({ encryption, rateLimits, pool }: TokenLimitsOptions): TokenLimits {
  if (!rateLimits) return { countFailure: async () => {}, countSuccess: async () => {}, countPublic: async () => {} }
  const limiterOf = (name: keyof typeof tokenLimits, sharedPool?: Pool) =>
    createRateLimiter({ ...tokenLimits[name], name }, sharedPool)
  const [ofClient, ofNetwork] = [limiterOf('failuresOfClient', pool), limiterOf('failuresOfNetwork', pool)]
  const successes = limiterOf('successesOfClient')
  const publicRequests = limiterOf('requestsOfPublicClient')
  // Keys are keyed hashes, so that the table stores neither addresses nor client ids.
  const keyOf = (...parts: string[]) => encryption.mac('token limits', JSON.stringify(parts)).toString('base64url')

  return {
    async countFailure(clientId, network) {
      const [client, ofAll] = [keyOf(clientId, network), keyOf(network)]
      // Keys that this instance has refused before cost no statement.
      refuse(await Promise.all([ofClient.findKnownWaitMs(client), ofNetwork.findKnownWaitMs(ofAll)]))
      refuse(await Promise.all([ofClient.count(client), ofNetwork.count(ofAll)]))
    },
    async countSuccess(clientId) {
      refuse([await successes.count(keyOf(clientId))])
    },
    async countPublic(clientId, network) {
      refuse([await publicRequests.count(keyOf(clientId, network))])
    },
  }
}

function refuse(waitsMs: readonly (number | undefined)[]): void {
  for (const waitMs of waitsMs) if (waitMs !== undefined) throw tooManyRequests(waitMs)
}
