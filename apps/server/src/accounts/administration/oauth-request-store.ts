import type { Selectable } from 'kysely'
import type { Database, Tables, Tx } from '../../tables/tables.ts'

/** Why somebody wants OAuth (Beta). The row goes when OAuth is enabled; a declined one stays until its person asks again. */
export type OauthRequest = Selectable<Tables['oauthAccessRequest']>

export const findOauthRequest = (database: Database, accountId: string): Promise<OauthRequest | undefined> =>
  database.selectFrom('oauthAccessRequest').selectAll().where('accountId', '=', accountId).executeTakeFirst()

/** The requests of these accounts that wait for an answer. */
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

/** Answers whether there was one, declined or not. */
export async function deleteOauthRequest(tx: Tx, accountId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('oauthAccessRequest')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
