import type { Resource } from '@parley/rules/oauth/resource'
import { sql } from 'kysely'
import { typed } from '../../platform/database/column-types.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { accountColumns, credentialTypes } from './credential-row.ts'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from './live-grant.ts'

/** `id` is the grant's, because last use is recorded per grant. */
const accessTokenTypes = {
  ...credentialTypes,
  app_id: 'uuid',
  sandbox: 'boolean',
  scopes: 'text[]',
  resource: typed<Resource>('text?'),
  /** `accessIdOf` the app. */
  app_access_id: 'uuid',
} as const

const findStatement = defineStatement({
  name: 'find-access-tokens',
  parameters: { tokenHashes: 'bytea[]' },
  columns: accessTokenTypes,
  text: (p) => sql`select t.token_hash, ${stillGranted(sql`t.scopes`, sql`f.resource`)} as scopes, t.expires_at,
     f.resource, g.id, g.last_used_at, g.app_id, g.sandbox, coalesce(p.owner_id, p.id) as app_access_id, ${accountColumns}
   from access_token t join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   where t.token_hash = any(${p.tokenHashes}) and f.ended_at is null
     and ${sinceSignOut(sql`f.created_at`)} and ${liveGrant}`,
})

/** Find access tokens that were not revoked; expired ones are included. */
export const findAccessTokens = (database: Database, tokenHashes: readonly Buffer[]) =>
  findStatement.execute(database, { tokenHashes })

/** End every token that apps hold for an account. The consents stay, and the apps may request new tokens. */
export const endAppTokens = (tx: Tx, accountId: string, now: Date) =>
  tx.updateTable('account').set({ appTokensEndedAt: now }).where('id', '=', accountId).execute()
