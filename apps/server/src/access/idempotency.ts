import { createHash } from 'node:crypto'
import type { Endpoint } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { problem } from '../platform/http/problem.ts'
import type { Database } from '../tables/tables.ts'
import type { Caller, Credential } from './caller.ts'

/** How long a key is remembered; a client that retries later than this asks for a second meeting. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000

const maxKeyLength = 255

export type AnswerOnce = <Reply>(
  asked: { caller: Caller; endpoint: Endpoint; key: string | string[]; asked: unknown; reply: FastifyReply },
  answer: (database: Database) => Promise<Reply>,
) => Promise<Reply>

/**
 * Gives the first answer again to a request that is repeated with the same key (meetings.md 2). The key is kept in
 * the transaction of the change itself: a refused or lost request leaves none, and two at once cannot both happen.
 */
export function createAnswerOnce(options: { database: Database; clock: Clock; encryption: Encryption }): AnswerOnce {
  const { database, clock, encryption } = options
  return async ({ caller, endpoint, key, asked, reply }, answer) => {
    if (typeof key !== 'string' || key.length === 0 || key.length > maxKeyLength)
      throw problem('invalid_idempotency_key')
    const now = clock.now()
    const requestHash = createHash('sha256').update(JSON.stringify(asked)).digest()
    const place = { accountId: caller.accountId, endpoint: placeOf(endpoint, caller.credential), key }

    return inTransaction(database, async (tx) => {
      const lockName = `${place.accountId} ${place.endpoint} ${place.key}`
      // A kept answer is read in its own place alone: answers hold PINs.
      const owner = lockName
      const lock = await sql<{ taken: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0)) as taken`.execute(tx)
      if (lock.rows[0]?.taken !== true) throw problem('key_in_flight', { headers: { 'retry-after': '1' } })

      const first = await tx
        .selectFrom('idempotencyKey')
        .select(['requestHash', 'sealedAnswer'])
        .where('accountId', '=', place.accountId)
        .where('endpoint', '=', place.endpoint)
        .where('key', '=', place.key)
        .where('createdAt', '>', new Date(now.getTime() - idempotencyLifetimeMs))
        .executeTakeFirst()
      if (first !== undefined) {
        if (!first.requestHash.equals(requestHash)) throw problem('key_reused')
        const kept = JSON.parse(encryption.decrypt(first.sealedAnswer, keptAnswer, owner))
        reply.status(kept.status).header('idempotency-replayed', 'true')
        if (kept.etag !== undefined) reply.header('etag', kept.etag)
        return kept.body
      }

      const body = await answer(tx)
      const kept = JSON.stringify({ status: reply.statusCode, etag: reply.getHeader('etag'), body })
      const row = { ...place, requestHash, sealedAnswer: encryption.encrypt(kept, keptAnswer, owner), createdAt: now }
      await tx
        .insertInto('idempotencyKey')
        .values(row)
        .onConflict((conflict) => conflict.columns(['accountId', 'endpoint', 'key']).doUpdateSet(row))
        .execute()
      return body
    })
  }
}

const keptAnswer = 'idempotency answer'

/**
 * Each app, an app's sandbox, the account's personal tokens and its sessions have keys of their own: no app is given the
 * answer to another app or to the person, nor can it use up their keys. A session's place is the bare name, so that answers
 * kept before this distinction stay the session's, and instances of the version before can go on beside this one.
 */
function placeOf({ name }: Endpoint, credential: Credential): string {
  switch (credential.kind) {
    case 'session':
      return name
    case 'personal':
      return `${name} by personal token`
    case 'oauth':
      return `${name} by ${credential.sandbox ? 'sandbox of app' : 'app'} ${credential.appId}`
  }
}

/** Keys past their lifetime are of no use to anybody. Returns how many went. */
export async function deleteOldAnswers(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - idempotencyLifetimeMs)
  const { numDeletedRows } = await database
    .deleteFrom('idempotencyKey')
    .where('createdAt', '<=', oldest)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
