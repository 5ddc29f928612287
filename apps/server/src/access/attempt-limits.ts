import { pinLimits } from '@parley/rules/rooms/admission'
import type { Pool } from 'pg'
import type { Encryption } from '../platform/encryption.ts'
import { problem, wholeSeconds } from '../platform/http/problem.ts'
import { createRateLimiter, type RateLimiter } from '../platform/rate-limiter.ts'

/**
 * Limits on attempts (docs/decisions/0006). `points` are attempts, `duration` is in seconds from the first one.
 * Password guesses count only when they fail; requests that cost an email or a hash count always.
 */
export const attemptLimits = {
  /** Wrong passwords for one address from networks without an earlier sign-in: at most 960 guesses a day. */
  failuresFromElsewhere: { points: 10, duration: 15 * 60 },
  /** Wrong passwords from a network with an earlier sign-in, or of a session that changes the password. */
  failuresFromKnownNetwork: { points: 10, duration: 15 * 60 },
  /** Wrong passwords from one network for any accounts: an office or a school behind one address. */
  failuresOfNetwork: { points: 50, duration: 15 * 60 },
  /**
   * Right passwords of one account from one network: more than people and their scripts send, and few enough that a
   * flood is refused before anything is hashed.
   */
  rightPasswordsFromNetwork: { points: 60, duration: 60 },
  /**
   * The same from all networks, for an attacker with many of them; each success writes a session and an audit entry.
   */
  rightPasswordsOfAccount: { points: 240, duration: 60 },
  /** Requested emails to one address, by any requester. */
  mailsToAddress: { points: 6, duration: 60 * 60 },
  /** Sign-ups and requested emails of one network: a school that signs up together. */
  requestsOfNetwork: { points: 100, duration: 60 * 60 },
  /** Wrong set-up codes, while there is no account: room for typing mistakes, not for a search. */
  wrongSetUpCodesOfNetwork: { points: 10, duration: 15 * 60 },
  /** Passkey challenges of one network, each stored for five minutes: a whole school at once. */
  challengesOfNetwork: { points: 600, duration: 60 },
  /**
   * Wrong PINs of one meeting from one network, from all networks, and of a known person, who is counted separately.
   */
  wrongPinsOfNetwork: { points: pinLimits.ofNetwork.failures, duration: pinLimits.ofNetwork.withinMs / 1000 },
  wrongPinsOfMeeting: { points: pinLimits.ofMeeting.failures, duration: pinLimits.ofMeeting.withinMs / 1000 },
  wrongPinsOfPerson: { points: pinLimits.ofPerson.failures, duration: pinLimits.ofPerson.withinMs / 1000 },
  /** Unknown codes, of guests by network, of accounts by account: room for typing mistakes, not for a search. */
  unknownCodesOfNetwork: { points: 60, duration: 10 * 60 },
  unknownCodesOfAccount: { points: 60, duration: 10 * 60 },
  /** New guests of one network, each stored for a day: a full meeting behind one address. */
  guestsOfNetwork: { points: 1_200, duration: 10 * 60 },
  /** Changes of a person's name in one call, each sent to everyone in it. */
  renamesOfPerson: { points: 20, duration: 10 * 60 },
  /** A person's own changes of breakout room, each sent to everyone in the call: more than a host's round of 50 rooms. */
  breakoutMovesOfPerson: { points: 100, duration: 10 * 60 },
  /**
   * Authorization requests of one network, each stored for an hour. Enough for a school whose pupils all sign in at
   * once.
   */
  authorizationsOfNetwork: { points: 600, duration: 60 },
  /**
   * First uses of clients that are named by their document, each a request to another server and a row, from one site
   * (network.ts): more than an office tries in an hour, and few enough that the service is of no use for scanning or
   * flooding others. There is no common limit, because a few accounts could use it up for everyone else: concurrent
   * fetches take turns (client-admission.ts).
   */
  newClientsOfSite: { points: 20, duration: 60 * 60 },
  /** Each client waits for a reviewer. More than a person or the developer of a document tries in a day. */
  newClientsOfAccount: { points: 30, duration: 24 * 60 * 60 },
  /** Clients that register themselves (RFC 7591), each a row for a day: more than the programs of an office. */
  registrationsOfNetwork: { points: 20, duration: 60 * 60 },
  /** Exports of one account: each reads all of its data. */
  exportsOfAccount: { points: 10, duration: 60 * 60 },
  /**
   * New webhooks of one account, whichever app creates them: the maximum of a person and of an app with its sandbox.
   * Without this limit, creating and deleting webhooks in a loop would fill the audit log.
   */
  newWebhooksOfAccount: { points: 30, duration: 60 * 60 },
  /**
   * Webhooks that one account switches on. Switching a webhook on sends it an event, so the limit allows each webhook
   * once.
   */
  enabledWebhooksOfAccount: { points: 30, duration: 60 * 60 },
  /**
   * Test events of one account: enough to test each type several times. Each is a request to another server, and
   * deleting a webhook must not reset the limit.
   */
  testEventsOfAccount: { points: 60, duration: 60 * 60 },
  /** Suggestions of people: more than a fast typist asks for, and too few to read a directory. */
  suggestionsOfAccount: { points: 30, duration: 10 },
} as const
export type LimitName = keyof typeof attemptLimits

export type AttemptLimits = {
  /** The seconds until an attempt is left; undefined if one is left now. Nothing is counted. */
  findPause(limit: LimitName, key: string): Promise<number | undefined>
  /** Count an attempt. Return the seconds until an attempt is left if this attempt exceeds the limit. */
  count(limit: LimitName, key: string): Promise<number | undefined>
  /** Require that an attempt is left, without counting one. @throws too_many_requests */
  require(limit: LimitName, key: string): Promise<void>
  /** Count an attempt. @throws too_many_requests beyond the limit */
  countOrRefuse(limit: LimitName, key: string): Promise<void>
  /**
   * Count an email that a person who is not signed in asks for. False beyond the limit of its address: the caller
   * answers as if it was sent, because a refusal would reveal what others have asked for.
   */
  maySendTo(addressKey: string): Promise<boolean>
}

type AttemptLimitsOptions = {
  encryption: Encryption
  /** False in benchmarks. */
  rateLimits: boolean
  /** The database where all instances count together; without it, this process counts in memory. */
  pool?: Pool
}

/**
 * Create the limits: counted in PostgreSQL, with memory as the fallback while it is unavailable, or in memory alone.
 */
export function createAttemptLimits({ encryption, rateLimits, pool }: AttemptLimitsOptions): AttemptLimits {
  // Keys are keyed hashes, so that the table stores neither addresses nor networks.
  const keyOf = (key: string) => encryption.mac('attempt limits', key).toString('base64url')
  const limiters = new Map<string, RateLimiter>()
  for (const [name, limit] of Object.entries(rateLimits ? attemptLimits : {})) {
    limiters.set(name, createRateLimiter({ ...limit, name }, pool))
  }

  const findPause = async (limit: LimitName, key: string) => pauseOf(await limiters.get(limit)?.findWaitMs(keyOf(key)))
  const count = async (limit: LimitName, key: string) => pauseOf(await limiters.get(limit)?.count(keyOf(key)))
  return {
    findPause,
    count,
    require: async (limit, key) => refuse(await findPause(limit, key)),
    countOrRefuse: async (limit, key) => refuse(await count(limit, key)),
    maySendTo: async (addressKey) => (await count('mailsToAddress', addressKey)) === undefined,
  }
}

const pauseOf = (waitMs: number | undefined) => (waitMs === undefined ? undefined : wholeSeconds(waitMs))

function refuse(retryAfterSeconds: number | undefined): void {
  if (retryAfterSeconds !== undefined) throw problem('too_many_requests', { retryAfterSeconds })
}
