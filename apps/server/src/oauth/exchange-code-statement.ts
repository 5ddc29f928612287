import type { FoundCode } from '@parley/rules/code-exchange'
import { after, lifetimes } from '@parley/rules/lifetimes'
import type { Database } from '../../migrations/tables.ts'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from '../access/live-grant.ts'
import { statement } from '../platform/database.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { IssuedTokens } from './exchange.ts'
import { grantFactColumns } from './grant-facts.ts'
import type { TokenPair } from './token-pair.ts'

/** Uses the code and keeps both tokens, or does nothing: whatever must hold stands in the update of the code itself. */
const exchangeStatement = statement<IssuedTokens>(
  'exchange-code',
  `with code as (
    update authorization_code c set used_at = $4
    from app_grant g ${grantJoins}
    where c.code_hash = $1 and c.used_at is null and c.expires_at > $4
      and g.id = c.grant_id and g.app_id = $2 and g.sandbox = $3 and g.expires_at > $4
      and c.scopes && g.scopes and ($5::text is null or c.redirect_uri = $5) and c.code_challenge is not distinct from $6::text
      and ${sinceSignOut('c.created_at')} and ${liveGrant}
    returning c.family_id, c.grant_id, ${stillGranted('c.scopes')} as scopes, c.created_at, g.expires_at as grant_end
  ), family as (
    insert into token_family (id, grant_id, created_at) select family_id, grant_id, created_at from code
  ), refresh as (
    insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select $7, family_id, scopes, $4, least($8, grant_end) from code
  ), access as (
    insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select $9, family_id, scopes, $4, least($10, grant_end) from code
  ) select scopes, least($10, grant_end) as "expiresAt" from code`,
)

export type CodeExchange = {
  codeHash: Buffer
  client: AuthenticatedClient
  redirectUri: string | undefined
  challenge: string | undefined
  pair: TokenPair
  now: Date
}

/** Undefined when the code was not exchanged, for whatever cause. */
export async function exchangeCodeRow(database: Database, exchange: CodeExchange): Promise<IssuedTokens | undefined> {
  const { codeHash, client, redirectUri, challenge, pair, now } = exchange
  const [issued] = await exchangeStatement(database, [
    ...[codeHash, client.appId, client.sandbox, now, redirectUri ?? null, challenge ?? null],
    ...[pair.refresh.hash, after(now, lifetimes.refreshTokenMs)],
    ...[pair.access.hash, after(now, lifetimes.accessTokenMs)],
  ])
  return issued
}

const findStatement = statement<FoundCode & { familyId: string }>(
  'find-code',
  `select c.family_id as "familyId", g.app_id = $2 and g.sandbox = $3 as "ofThisClient",
     c.redirect_uri as "redirectUri", c.code_challenge as "codeChallenge", c.expires_at as "expiresAt",
     c.used_at as "usedAt", ${grantFactColumns('c.created_at', 'c.scopes')}
   from authorization_code c join app_grant g on g.id = c.grant_id ${grantJoins}
   left join token_family f on f.id = c.family_id
   where c.code_hash = $1`,
)

/** All that can be the cause of a failed exchange. */
export async function findCode(database: Database, codeHash: Buffer, client: AuthenticatedClient) {
  const [found] = await findStatement(database, [codeHash, client.appId, client.sandbox])
  return found
}
