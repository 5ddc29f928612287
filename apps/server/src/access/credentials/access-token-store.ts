import { statement } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { type CredentialRow, credentialColumns } from './credential-row.ts'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from './live-grant.ts'

/** `id` is the grant's: that is what is shown as used. */
export type AccessTokenRow = CredentialRow & { app_id: string; sandbox: boolean; scopes: string[] }

const findAccessTokensStatement = statement<AccessTokenRow>(
  'findAccessTokens',
  `select t.token_hash, ${stillGranted('t.scopes')} as scopes, t.expires_at, g.id, g.last_used_at, g.app_id, g.sandbox, ${credentialColumns}
   from access_token t join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   where t.token_hash = any($1::bytea[]) and f.ended_at is null and ${sinceSignOut('f.created_at')} and ${liveGrant}`,
)

/** The access tokens of apps that nothing but time has ended. */
export const findAccessTokens = (database: Database, tokenHashes: readonly Buffer[]) =>
  findAccessTokensStatement(database, [tokenHashes])

/** Ends every token that apps hold for an account now; what its user lets them do stays, and they may ask again. */
export const endAppTokens = (tx: Tx, accountId: string, now: Date) =>
  tx.updateTable('account').set({ appTokensEndedAt: now }).where('id', '=', accountId).execute()
