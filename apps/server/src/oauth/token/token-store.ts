import type { Resource } from '@parley/rules/oauth/resource'
import { sql } from 'kysely'
import { publishAccessEnded } from '../../access/access-topic.ts'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from '../../access/credentials/live-grant.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { defineStatement, type Parameter } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
import { endFamily } from './end-family.ts'

/** A valid token of the requesting app. */
type LiveToken = {
  accountId: string
  scopes: string[]
  resource: Resource | null
  createdAt: Date
  expiresAt: Date
}

const parameters = {
  tokenHash: tables.refreshToken.tokenHash,
  ...pick(tables.appGrant, 'appId', 'sandbox'),
  now: 'timestamptz',
} as const
type Parameters = Record<'tokenHash' | 'appId' | 'sandbox' | 'now', Parameter>
const types = {
  accountId: tables.appGrant.accountId,
  ...pick(tables.refreshToken, 'scopes', 'createdAt', 'expiresAt'),
  resource: tables.tokenFamily.resource,
} as const
const columns = sql`g.account_id, ${stillGranted(sql`t.scopes`, sql`f.resource`)} as scopes,
  f.resource, t.created_at, t.expires_at`
const ownAndLive = (
  p: Parameters,
) => sql`join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
  where t.token_hash = ${p.tokenHash} and g.app_id = ${p.appId} and g.sandbox = ${p.sandbox}
    and t.expires_at > ${p.now} and g.expires_at > ${p.now}
    and f.ended_at is null and ${sinceSignOut(sql`f.created_at`)} and ${liveGrant}`

const findAccessStatement = defineStatement({
  name: 'find-own-access-token',
  parameters,
  columns: types,
  text: (p) => sql`select ${columns} from access_token t ${ownAndLive(p)}`,
})
const findRefreshStatement = defineStatement({
  name: 'find-own-refresh-token',
  parameters,
  columns: types,
  text: (p) => sql`select ${columns} from refresh_token t ${ownAndLive(p)} and t.rotated_at is null`,
})

export type TokenKindOfApps = 'oauthAccess' | 'oauthRefresh'
type TokenLookUp = { kind: TokenKindOfApps; hash: Buffer; client: AuthenticatedClient; now: Date }

/**
 * Find a valid token of the client; undefined for another client's, a used one, or one that is refused for any other
 * cause.
 */
export async function findLiveToken(
  database: Database,
  { kind, hash, client, now }: TokenLookUp,
): Promise<LiveToken | undefined> {
  const statement = kind === 'oauthAccess' ? findAccessStatement : findRefreshStatement
  const { appId, sandbox } = client
  const [found] = await statement.execute(database, { tokenHash: hash, appId, sandbox, now })
  return found
}

const own = (p: Omit<Parameters, 'now'>) => sql`t.token_hash = ${p.tokenHash} and f.id = t.family_id
  and g.id = f.grant_id and g.app_id = ${p.appId} and g.sandbox = ${p.sandbox}`

const revokeAccessStatement = defineStatement({
  name: 'revoke-access-token',
  parameters: { tokenHash: tables.accessToken.tokenHash, ...pick(tables.appGrant, 'appId', 'sandbox') },
  columns: { accountId: tables.appGrant.accountId },
  text: (p) => sql`delete from access_token t using token_family f, app_grant g where ${own(p)}
   returning g.account_id`,
})
const findFamilyStatement = defineStatement({
  name: 'find-family-of-own-refresh-token',
  parameters: { tokenHash: tables.refreshToken.tokenHash, ...pick(tables.appGrant, 'appId', 'sandbox') },
  columns: { id: tables.tokenFamily.id },
  text: (p) => sql`select f.id from refresh_token t, token_family f, app_grant g where ${own(p)}`,
})

/**
 * Revoke a token of the client: an access token alone, a refresh token (rotated ones included) with its family. Tokens
 * of other clients are not affected.
 */
export async function revokeOwnToken(database: Database, { kind, hash, client, now }: TokenLookUp): Promise<void> {
  const token = { tokenHash: hash, appId: client.appId, sandbox: client.sandbox }
  if (kind === 'oauthAccess') {
    const revoked = await revokeAccessStatement.execute(database, token)
    await publishAccessEnded(database, ...revoked.map(({ accountId }) => accountId))
    return
  }
  const [family] = await findFamilyStatement.execute(database, token)
  if (family === undefined) return
  await inTransaction(database, (tx) => endFamily(tx, family.id, 'the app revoked its refresh token', now))
}
