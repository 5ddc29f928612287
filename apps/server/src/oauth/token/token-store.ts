import { grantJoins, liveGrant, sinceSignOut, stillGranted } from '../../access/credentials/live-grant.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import type { AuthenticatedClient } from './client-authentication.ts'

/** A valid token of the requesting app. */
export type LiveToken = { accountId: string; scopes: string[]; createdAt: Date; expiresAt: Date }

const columns = `g.account_id as "accountId", ${stillGranted('t.scopes')} as scopes,
  t.created_at as "createdAt", t.expires_at as "expiresAt"`
const ownAndLive = `join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
  where t.token_hash = $1 and g.app_id = $2 and g.sandbox = $3 and t.expires_at > $4 and g.expires_at > $4
    and f.ended_at is null and ${sinceSignOut('f.created_at')} and ${liveGrant}`

const findAccessStatement = statement<LiveToken>(
  'find-own-access-token',
  `select ${columns} from access_token t ${ownAndLive}`,
)
const findRefreshStatement = statement<LiveToken>(
  'find-own-refresh-token',
  `select ${columns} from refresh_token t ${ownAndLive} and t.rotated_at is null`,
)

export type TokenKindOfApps = 'oauthAccess' | 'oauthRefresh'
export type TokenLookUp = { kind: TokenKindOfApps; hash: Buffer; client: AuthenticatedClient; now: Date }

/**
 * Find a valid token of the client; undefined for another client's, a used one, or one that is refused for any other
 * cause.
 */
export async function findLiveToken(
  database: Database,
  { kind, hash, client, now }: TokenLookUp,
): Promise<LiveToken | undefined> {
  const find = kind === 'oauthAccess' ? findAccessStatement : findRefreshStatement
  const [found] = await find(database, [hash, client.appId, client.sandbox, now])
  return found
}

const own = `f.id = t.family_id and g.id = f.grant_id and g.app_id = $2 and g.sandbox = $3`

const revokeAccessStatement = statement<object>(
  'revoke-access-token',
  `delete from access_token t using token_family f, app_grant g where t.token_hash = $1 and ${own}`,
)
const revokeRefreshStatement = statement<object>(
  'revoke-refresh-token',
  `update token_family f set ended_at = $4, ended_because = 'the app revoked its refresh token'
   from refresh_token t, app_grant g where t.token_hash = $1 and ${own} and f.ended_at is null`,
)

/**
 * Revoke a token of the client: an access token alone, a refresh token (rotated ones included) with its family. Tokens
 * of other clients are not affected.
 */
export async function revokeOwnToken(database: Database, { kind, hash, client, now }: TokenLookUp): Promise<void> {
  const values = [hash, client.appId, client.sandbox]
  if (kind === 'oauthAccess') await revokeAccessStatement(database, values)
  else await revokeRefreshStatement(database, [...values, now])
}
