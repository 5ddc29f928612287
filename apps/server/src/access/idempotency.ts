import type { Endpoint } from '@parley/contract'
import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { problem, wholeSeconds } from '../platform/http/problem.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { sha256 } from '../platform/sha256.ts'
import type { Caller, Credential } from './caller.ts'

/** How long a key is stored; a later retry creates a second meeting. */
const idempotencyLifetimeMs = 24 * 60 * 60 * 1000

const maxKeyLength = 255

/**
 * Replies that are stored for one account within that time: 25,000 of usual meetings, or 250 of meetings with a thousand
 * participants.
 */
const maxStoredBytes = 50 * 1024 * 1024

/** Status and headers of a reply, which are stored with it. */
export type ReplyHead = {
  statusCode: number
  status(code: number): unknown
  header(name: string, value: string): unknown
  getHeader(name: string): unknown
}

export type IdempotentRunner = <Reply>(
  request: { caller: Caller; endpoint: Endpoint; key: string | string[]; content: unknown; reply: ReplyHead },
  answer: (database: Database) => Promise<Reply>,
) => Promise<Reply>

/**
 * Repeat the first reply to a request that is sent again with the same Idempotency-Key (docs/api-conventions.md,
 * "Retry without doing it twice"). The key is inserted in the transaction of the change: a refused or lost request leaves
 * none, and of two concurrent requests only one takes effect.
 */
export function createIdempotentRunner(options: {
  database: Database
  clock: Clock
  encryption: Encryption
  /** Whether the stored bytes are limited. */
  rateLimits: boolean
}): IdempotentRunner {
  const { database, clock, encryption, rateLimits } = options
  return async ({ caller, endpoint, key, content, reply }, answer) => {
    if (typeof key !== 'string' || key.length === 0 || key.length > maxKeyLength)
      throw problem('invalid_idempotency_key')
    const now = clock.now()
    const requestHash = sha256(JSON.stringify(content))
    const primaryKey = { accountId: caller.accountId, endpoint: endpointKeyOf(endpoint, caller.credential), key }

    return inTransaction(database, async (tx) => {
      const lockName = `${primaryKey.accountId} ${primaryKey.endpoint} ${primaryKey.key}`
      // A stored reply holds PINs: it can be decrypted for its own key alone.
      const owner = lockName
      const lock = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0)) as taken`.execute(tx)
      if (lock.rows[0]?.taken !== true) throw problem('key_in_flight', { retryAfterSeconds: 1 })

      const first = await tx
        .selectFrom('idempotencyKey')
        .select(['requestHash', 'sealedAnswer'])
        .where('accountId', '=', primaryKey.accountId)
        .where('endpoint', '=', primaryKey.endpoint)
        .where('key', '=', primaryKey.key)
        .where('createdAt', '>', new Date(now.getTime() - idempotencyLifetimeMs))
        .executeTakeFirst()
      if (first !== undefined) {
        if (!first.requestHash.equals(requestHash)) throw problem('key_reused')
        const stored = JSON.parse(encryption.decrypt(first.sealedAnswer, replyPurpose, owner))
        reply.status(stored.status)
        reply.header('idempotency-replayed', 'true')
        if (stored.etag !== undefined) reply.header('etag', stored.etag)
        return stored.body
      }

      const body = await answer(tx)
      const storedReply = JSON.stringify({ status: reply.statusCode, etag: reply.getHeader('etag'), body })
      const row = {
        ...primaryKey,
        requestHash,
        sealedAnswer: encryption.encrypt(storedReply, replyPurpose, owner),
        createdAt: now,
      }
      if (rateLimits) await reserveStoredBytes(tx, caller.accountId, row.sealedAnswer.length, now)
      await tx
        .insertInto('idempotencyKey')
        .values(row)
        .onConflict((conflict) => conflict.columns(['accountId', 'endpoint', 'key']).doUpdateSet(row))
        .execute()
      return body
    })
  }
}

/**
 * Reserve bytes for a reply, in the transaction that stores it: parallel requests of an account wait here for the end of
 * each other. @throws quota_exceeded
 */
async function reserveStoredBytes(tx: Tx, accountId: string, bytes: number, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - idempotencyLifetimeMs)
  const { storedBytes, since } = await tx
    .insertInto('idempotencyUsage')
    .values({ accountId, since: now, storedBytes: bytes })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet({
        since: sql`case when idempotency_usage.since <= ${oldest} then excluded.since else idempotency_usage.since end`,
        storedBytes: sql`case when idempotency_usage.since <= ${oldest} then 0 else idempotency_usage.stored_bytes end
          + excluded.stored_bytes`,
      }),
    )
    .returning(['storedBytes', 'since'])
    .executeTakeFirstOrThrow()
  if (storedBytes <= maxStoredBytes) return
  throw problem('quota_exceeded', {
    detail: `The replies that are stored for your Idempotency-Keys exceed ${maxStoredBytes} bytes within 24 hours.`,
    retryAfterSeconds: wholeSeconds(since.getTime() + idempotencyLifetimeMs - now.getTime()),
  })
}

const replyPurpose = 'idempotency answer'

/**
 * Keep the keys of each app, of an app's sandbox, of the account's personal tokens and of its sessions apart. An app
 * can neither receive a reply to another credential nor use up its keys.
 */
function endpointKeyOf({ name }: Endpoint, credential: Credential): string {
  switch (credential.kind) {
    case 'session':
      return `${name} by session`
    case 'personal':
      return `${name} by personal token`
    case 'oauth':
      return `${name} by ${credential.sandbox ? 'sandbox of app' : 'app'} ${credential.appId}`
  }
}

/** Delete expired keys. Return how many were deleted. */
async function deleteExpiredIdempotencyKeys(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - idempotencyLifetimeMs)
  const { numDeletedRows } = await database
    .deleteFrom('idempotencyKey')
    .where('createdAt', '<=', oldest)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The background work of access: kept answers to repeatable requests expire. */
export const createAccessJobs = ({ database }: { database: Database }): ModuleJobs => ({
  deleteExpired: (now) => deleteExpiredIdempotencyKeys(database, now),
})
