import type { Database, Tx } from '../../migrations/tables.ts'

/** Why somebody wants OAuth (Beta); the row goes when an administrator enables it. */
export type OauthRequest = { reason: string; createdAt: Date }

export async function findOauthRequests(
  database: Database,
  accountIds: readonly string[],
): Promise<Map<string, OauthRequest>> {
  if (accountIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('oauthAccessRequest')
    .selectAll()
    .where('accountId', 'in', accountIds)
    .execute()
  return new Map(rows.map(({ accountId, ...request }) => [accountId, request]))
}

export const deleteOauthRequest = (tx: Tx, accountId: string) =>
  tx.deleteFrom('oauthAccessRequest').where('accountId', '=', accountId).execute()
