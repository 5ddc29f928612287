import type { Selectable } from 'kysely'
import type { Database, Tx } from '../platform/database/database.ts'
import type { Tables } from '../platform/database/tables.ts'

/**
 * A request for OAuth (Beta). The row is deleted when OAuth is enabled; a declined request stays until the next one.
 */
export type OauthRequest = Selectable<Tables['oauthAccessRequest']>

export const findOauthRequest = (database: Database, accountId: string): Promise<OauthRequest | undefined> =>
  database.selectFrom('oauthAccessRequest').selectAll().where('accountId', '=', accountId).executeTakeFirst()

/** Find the pending requests of these accounts. */
export async function findOauthRequests(
  database: Database,
  accountIds: readonly string[],
): Promise<Map<string, OauthRequest>> {
  if (accountIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('oauthAccessRequest')
    .selectAll()
    .where('accountId', 'in', accountIds)
    .where('declinedAt', 'is', null)
    .execute()
  return new Map(rows.map((request) => [request.accountId, request]))
}

/** Delete an account's request, declined or not. Return false when there was none. */
export async function deleteOauthRequest(tx: Tx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauthAccessRequest')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
