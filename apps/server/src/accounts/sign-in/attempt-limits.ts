import { pinLimits } from '@parley/rules/rooms/admission'
import type { Pool } from 'pg'
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Encryption } from '../../platform/encryption.ts'
import { tooManyRequests } from '../../platform/http/problem.ts'

/**
 * What may be tried how often (docs/decisions/0006). `points` are tries, `duration` is in seconds from the first one.
 * Failures are counted where a password is guessed; what costs a mail or a hash is counted each time.
 */
const limits = {
  /** Wrong passwords for one address from networks that it has never signed in from: 960 guesses a day at most. */
  failuresFromElsewhere: { points: 10, duration: 15 * 60 },
  /** Wrong passwords from a network that the account has signed in from, or of a session that changes the password. */
  failuresFromKnownNetwork: { points: 10, duration: 15 * 60 },
  /** Wrong passwords from one network for whatever accounts: an office or a school behind one address. */
  failuresOfNetwork: { points: 50, duration: 15 * 60 },
  /**
   * Right passwords of one account from one network: more than people and their scripts type, and few enough that a flood
   * of them is refused before anything is hashed.
   */
  rightPasswordsFromNetwork: { points: 60, duration: 60 },
  /** The same from all networks, for an owner who has any number of them; each one writes a session and a line of the log. */
  rightPasswordsOfAccount: { points: 240, duration: 60 },
  /** Mails to one address that somebody asked for, whoever it was. */
  mailsToAddress: { points: 6, duration: 60 * 60 },
  /** Sign-ups and mails that one network asked for: a school that signs up together. */
  requestsOfNetwork: { points: 100, duration: 60 * 60 },
  /** Wrong set-up codes, while there is no account: typing mistakes, and no search for 80 bits. */
  wrongSetUpCodesOfNetwork: { points: 10, duration: 15 * 60 },
  /** Sign-ins with passkeys that begin in one network, each kept for five minutes: everybody of a school at once. */
  challengesOfNetwork: { points: 600, duration: 60 },
  /** Wrong PINs of one meeting from one network, from all of them, and of a person who is known there and counted alone. */
  wrongPinsOfNetwork: { points: pinLimits.ofAddress.failures, duration: pinLimits.ofAddress.withinMs / 1000 },
  wrongPinsOfMeeting: { points: pinLimits.ofMeeting.failures, duration: pinLimits.ofMeeting.withinMs / 1000 },
  wrongPinsOfPerson: { points: pinLimits.ofPerson.failures, duration: pinLimits.ofPerson.withinMs / 1000 },
  /** Codes that do not exist, of guests by network, of accounts alone: a few typing mistakes, and no search for codes. */
  unknownCodesOfNetwork: { points: 60, duration: 10 * 60 },
  unknownCodesOfAccount: { points: 60, duration: 10 * 60 },
  /** Guests who are not known yet, each kept for a day: everybody of a full meeting, behind one address. */
  guestsOfNetwork: { points: 1_200, duration: 10 * 60 },
  /** Ways to an app that begin in one network, each kept for its ten minutes: a school in which everybody signs in at once. */
  authorizationsOfNetwork: { points: 600, duration: 60 },
  /** Exports of one account: each reads all that is kept of it. */
  exportsOfAccount: { points: 10, duration: 60 * 60 },
} as const
export type LimitName = keyof typeof limits

export type AttemptLimits = {
  /** Whether another try is left; counts nothing. @throws too_many_requests */
  require(limit: LimitName, key: string): Promise<void>
  /** Counts a try. @throws too_many_requests when it was one too many. */
  count(limit: LimitName, key: string): Promise<void>
}

export type AttemptLimitsOptions = {
  encryption: Encryption
  /** `off` for benchmarks. */
  rateLimits: boolean
  /** Where several instances count together; absent, this process counts for itself. */
  pool?: Pool
}

/** Counts in memory, or in PostgreSQL with memory for the time that it is away. */
export function createAttemptLimits({ encryption, rateLimits, pool }: AttemptLimitsOptions): AttemptLimits {
  if (!rateLimits) return { require: async () => {}, count: async () => {} }
  const limiters = new Map<LimitName, RateLimiterAbstract>()
  for (const [name, limit] of Object.entries(limits)) {
    limiters.set(name as LimitName, createLimiter({ ...limit, keyPrefix: name }, pool))
  }
  // Neither addresses nor networks stand in the table: a keyed hash counts as well.
  const keyOf = (key: string) => encryption.mac('attempt limits', key).toString('base64url')
  const limiterOf = (name: LimitName) => limiters.get(name) as RateLimiterAbstract

  return {
    async require(name, key) {
      const counted = await limiterOf(name).get(keyOf(key))
      if (counted !== null && counted.consumedPoints >= limits[name].points) {
        throw tooManyRequests(counted.msBeforeNext)
      }
    },
    async count(name, key) {
      try {
        await limiterOf(name).consume(keyOf(key))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) throw tooManyRequests(refusal.msBeforeNext)
        throw refusal
      }
    },
  }
}

type LimiterOptions = { points: number; duration: number; keyPrefix: string }

const createLimiter = (limit: LimiterOptions, pool: Pool | undefined): RateLimiterAbstract =>
  pool === undefined
    ? new RateLimiterMemory(limit)
    : new RateLimiterPostgres({
        ...limit,
        storeClient: pool,
        storeType: 'pool',
        tableName: 'attempt_count',
        tableCreated: true,
        insuranceLimiter: new RateLimiterMemory(limit),
      })
