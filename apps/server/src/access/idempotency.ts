import { createHash } from 'node:crypto'
import type { Endpoint } from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../migrations/tables.ts'
import type { Clock } from '../platform/clock.ts'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import type { SealedBox } from '../platform/sealed-box.ts'
import type { Caller } from './caller.ts'

/** How long a key is remembered; a client that retries later than this asks for a second meeting. */
export const idempotencyLifetimeMs = 24 * 60 * 60 * 1000

const longestKey = 255

export type AnswerOnce = <Reply>(
  asked: { caller: Caller; endpoint: Endpoint; key: string | string[]; asked: unknown; reply: FastifyReply },
  answer: (database: Database) => Promise<Reply>,
) => Promise<Reply>

/**
 * Gives the first answer again to a request that is repeated with the same key (meetings.md 2). The key is kept in
 * the transaction of the change itself: a refused or lost request leaves none, and two at once cannot both happen.
 */
export function createAnswerOnce(options: { database: Database; clock: Clock; sealedBox: SealedBox }): AnswerOnce {
  const { database, clock, sealedBox } = options
  return async ({ caller, endpoint, key, asked, reply }, answer) => {
    if (typeof key !== 'string' || key.length === 0 || key.length > longestKey) throw problem('invalid_idempotency_key')
    const now = clock.now()
    const requestHash = createHash('sha256').update(JSON.stringify(asked)).digest()
    const place = { accountId: caller.accountId, endpoint: endpoint.name, key }

    return inTransaction(database, async (tx) => {
      const lockName = `${place.accountId} ${place.endpoint} ${place.key}`
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
        const kept = JSON.parse(sealedBox.open(first.sealedAnswer, keptAnswer))
        reply.status(kept.status).header('idempotency-replayed', 'true')
        if (kept.etag !== undefined) reply.header('etag', kept.etag)
        return kept.body
      }

      const body = await answer(tx)
      const kept = JSON.stringify({ status: reply.statusCode, etag: reply.getHeader('etag'), body })
      const row = { ...place, requestHash, sealedAnswer: sealedBox.seal(kept, keptAnswer), createdAt: now }
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

/** Keys past their lifetime are of no use to anybody. Returns how many went. */
export async function forgetOldAnswers(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - idempotencyLifetimeMs)
  const { numDeletedRows } = await database
    .deleteFrom('idempotencyKey')
    .where('createdAt', '<=', oldest)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
