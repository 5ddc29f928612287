import type { Resource } from '@parley/rules/oauth/resource'
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import { defineStatement, type RowOf } from '../../platform/database/define-statement.ts'
import { tables, typed } from '../../platform/database/tables.ts'
import { accountColumns, credentialTypes } from './credential-row.ts'
import { grantJoins, sinceSignOut, sqlOwnerActive, stillGranted } from './live-grant.ts'

/** Why an access token is not valid, besides expiry, for the app's developer. */
const grantEnds = ['app_suspended', 'app_deleted', 'owner_inactive', 'disconnected', 'revoked', 'user_ended'] as const
export type TokenEnd = (typeof grantEnds)[number] | 'expired'

/** `id` is the grant's, because last use is recorded per grant. */
const accessTokenTypes = {
  ...credentialTypes,
  /** The sign-in that the token stems from. */
  familyId: 'uuid',
  /** The svcMeetId of the only room that the token of an embedded meeting opens; null for other tokens. */
  roomCode: tables.accessToken.roomCode,
  appId: 'uuid',
  sandbox: 'boolean',
  scopes: 'text[]',
  resource: typed<Resource>('text?'),
  /** `accessIdOf` the app. */
  appAccessId: 'uuid',
  end: typed<(typeof grantEnds)[number] | null>('text?'),
} as const

const findStatement = defineStatement({
  name: 'find-access-tokens',
  parameters: { tokenHashes: 'bytea[]' },
  columns: accessTokenTypes,
  text: (p) => sql`select t.token_hash, ${stillGranted(sql`t.scopes`, sql`f.resource`)} as scopes, t.expires_at,
     t.family_id, t.room_code, f.resource, g.id, g.last_used_at, g.app_id, g.sandbox, coalesce(p.owner_id, p.id) as app_access_id,
     case
       when p.status = 'suspended' then 'app_suspended' when p.deleted_at is not null then 'app_deleted'
       when g.revoked_at is not null then 'disconnected' when f.ended_at is not null then 'revoked'
       when not ${sqlOwnerActive} then 'owner_inactive'
       when a.disabled_at is not null or not ${sinceSignOut(sql`f.created_at`)} then 'user_ended'
     end as "end", ${accountColumns}
   from access_token t join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   where t.token_hash = any(${p.tokenHashes})`,
})

/** Find access tokens, including ended ones with the reason, which a refusal reports. */
export const findAccessTokens = (database: Database, tokenHashes: readonly Buffer[]) =>
  findStatement.execute(database, { tokenHashes })

/** End every token that apps hold for an account. The consents stay, and the apps may request new tokens. */
export const endAppTokens = (tx: Tx, accountId: string, now: Date) =>
  tx.updateTable('account').set({ appTokensEndedAt: now }).where('id', '=', accountId).execute()

/** Return why a token is not valid; undefined for a valid one. */
export const endOf = (row: RowOf<typeof accessTokenTypes>, now: Date): TokenEnd | undefined =>
  row.end ?? (row.expiresAt !== null && row.expiresAt <= now ? 'expired' : undefined)
