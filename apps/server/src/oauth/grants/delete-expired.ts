import { sql } from 'kysely'
import type { Database } from '../../tables/tables.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A code that is used again within this ends the tokens of its first use. */
const codeMemoryMs = 7 * dayMs

/** A refresh token that is used again within this, after its own end, ends its family. */
const refreshMemoryMs = 30 * dayMs

/**
 * Deletes codes and tokens that open nothing and betray no replay any more. A family goes with its last refresh
 * token, the one that was never rotated. Grants stay as history. Returns how many rows went.
 */
export async function deleteExpiredTokens(database: Database, now: Date): Promise<number> {
  const longAgo = (ms: number) => new Date(now.getTime() - ms)
  const deletions = [
    database.deleteFrom('authorizationCode').where('expiresAt', '<=', longAgo(codeMemoryMs)),
    database.deleteFrom('accessToken').where('expiresAt', '<=', now),
  ]
  let forgotten = 0
  for (const deletion of deletions) forgotten += Number((await deletion.executeTakeFirst()).numDeletedRows)
  const families = await sql<{ gone: number }>`
    with gone as (
      delete from refresh_token where expires_at <= ${longAgo(refreshMemoryMs)} returning family_id, rotated_at
    ), families as (
      delete from token_family where id in (select family_id from gone where rotated_at is null)
    ) select count(*)::integer as gone from gone`.execute(database)
  return forgotten + (families.rows[0]?.gone ?? 0)
}
