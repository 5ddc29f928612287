import { statement } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { type CredentialRow, credentialColumns } from './credential-row.ts'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from './live-grant.ts'

/** `id` is the grant's, because last use is recorded per grant. */
export type AccessTokenRow = CredentialRow & { app_id: string; sandbox: boolean; scopes: string[] }

const findAccessTokensStatement = statement<AccessTokenRow>(
  'findAccessTokens',
  `select t.token_hash, ${stillGranted('t.scopes')} as scopes, t.expires_at, g.id, g.last_used_at, g.app_id, g.sandbox, ${credentialColumns}
   from access_token t join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   where t.token_hash = any($1::bytea[]) and f.ended_at is null and ${sinceSignOut('f.created_at')} and ${liveGrant}`,
)

/** Find access tokens that were not revoked; expired ones are included. */
export const findAccessTokens = (database: Database, tokenHashes: readonly Buffer[]) =>
  findAccessTokensStatement(database, [tokenHashes])

/** End every token that apps hold for an account. The consents stay, and the apps may request new tokens. */
export const endAppTokens = (tx: Tx, accountId: string, now: Date) =>
  tx.updateTable('account').set({ appTokensEndedAt: now }).where('id', '=', accountId).execute()
