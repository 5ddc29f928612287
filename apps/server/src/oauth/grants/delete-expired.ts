import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Used codes are kept this long, to detect a replay and end the tokens of the first use (RFC 6749, 4.1.2). */
const usedCodeRetentionMs = 7 * dayMs

/** Expired refresh tokens are kept this long, to detect a replay and end the family (RFC 9700, 4.14.2). */
const expiredRefreshTokenRetentionMs = 30 * dayMs

/** Expired access tokens are kept this long: the API says that they have expired, rather than that they are unknown. */
const expiredAccessTokenRetentionMs = dayMs

/**
 * Delete codes and tokens that are neither valid nor needed to detect replays or to explain a refusal. A family goes with its last refresh
 * token, the one that was never rotated. Grants stay as history. Returns how many rows were deleted.
 */
export async function deleteExpiredTokens(database: Database, now: Date): Promise<number> {
  const longAgo = (ms: number) => new Date(now.getTime() - ms)
  const deletions = [
    database.deleteFrom('authorizationCode').where('expiresAt', '<=', longAgo(usedCodeRetentionMs)),
    database.deleteFrom('accessToken').where('expiresAt', '<=', longAgo(expiredAccessTokenRetentionMs)),
  ]
  let deletedCount = 0
  for (const deletion of deletions) deletedCount += Number((await deletion.executeTakeFirst()).numDeletedRows)
  const families = await sql<{ gone: number }>`
    with gone as (
      delete from refresh_token where expires_at <= ${longAgo(expiredRefreshTokenRetentionMs)} returning family_id, rotated_at
    ), families as (
      delete from token_family where id in (select family_id from gone where rotated_at is null)
    ) select count(*)::integer as gone from gone`.execute(database)
  return deletedCount + (families.rows[0]?.gone ?? 0)
}
