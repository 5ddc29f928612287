import { after, lifetimes } from '@parley/rules/lifetimes'
import type { FoundRefreshToken } from '@parley/rules/refresh'
import type { Database } from '../../migrations/tables.ts'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from '../access/live-grant.ts'
import { statement } from '../platform/database.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { IssuedTokens } from './exchange.ts'
import { grantFactColumns } from './grant-facts.ts'
import type { TokenPair } from './token-pair.ts'

/**
 * Marks the token as rotated and keeps its successors, or does nothing. The new refresh token carries what the old one did
 * and the grant still holds, also when fewer scopes were asked for this time (RFC 6749, 6).
 */
const rotateStatement = statement<IssuedTokens>(
  'rotate-refresh-token',
  `with parent as (
    update refresh_token r set rotated_at = $4
    from token_family f join app_grant g on g.id = f.grant_id ${grantJoins}
    where r.token_hash = $1 and r.rotated_at is null and r.expires_at > $4
      and f.id = r.family_id and f.ended_at is null
      and g.app_id = $2 and g.sandbox = $3 and g.expires_at > $4
      and r.scopes && g.scopes and ($5::text[] is null or $5 <@ r.scopes and $5 <@ g.scopes)
      and ${sinceSignOut('f.created_at')} and ${liveGrant}
    returning r.family_id, ${stillGranted('r.scopes')} as scopes, g.expires_at as grant_end,
      case when $5 is null then ${stillGranted('r.scopes')} else (
        select array_agg(scope order by place) from unnest(r.scopes) with ordinality as carried (scope, place)
        where scope = any($5)) end as wanted
  ), refresh as (
    insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select $6, family_id, scopes, $4, least($7, grant_end) from parent
  ), access as (
    insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select $8, family_id, wanted, $4, least($9, grant_end) from parent
  ) select wanted as scopes, least($9, grant_end) as "expiresAt" from parent`,
)

export type Rotation = {
  refreshHash: Buffer
  client: AuthenticatedClient
  scopes: readonly string[] | undefined
  pair: TokenPair
  now: Date
}

/** Undefined when the token was not rotated, for whatever cause. */
export async function rotateRefreshToken(database: Database, rotation: Rotation): Promise<IssuedTokens | undefined> {
  const { refreshHash, client, scopes, pair, now } = rotation
  const [issued] = await rotateStatement(database, [
    ...[refreshHash, client.appId, client.sandbox, now, scopes ?? null],
    ...[pair.refresh.hash, after(now, lifetimes.refreshTokenMs)],
    ...[pair.access.hash, after(now, lifetimes.accessTokenMs)],
  ])
  return issued
}

type RefreshTokenRow = Omit<FoundRefreshToken, 'access'> & {
  familyId: string
  accessScopes: string[] | null
  accessExpiresAt: Date | null
}

const findStatement = statement<RefreshTokenRow>(
  'find-refresh-token',
  `select f.id as "familyId", g.app_id = $2 and g.sandbox = $3 as "ofThisClient", ${stillGranted('r.scopes')} as scopes, r.expires_at as "expiresAt",
     r.rotated_at as "rotatedAt", successor.rotated_at as "successorRotatedAt",
     case when t.token_hash is not null then ${stillGranted('t.scopes')} end as "accessScopes",
     t.expires_at as "accessExpiresAt", ${grantFactColumns('f.created_at', 'r.scopes')}
   from refresh_token r join token_family f on f.id = r.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   left join refresh_token successor on successor.token_hash = $4
   left join access_token t on t.token_hash = $5
   where r.token_hash = $1`,
)

/** All that can be the cause of a failed rotation, with what the first one made. */
export async function findRefreshToken(
  database: Database,
  { refreshHash, client, pair }: Rotation,
): Promise<(FoundRefreshToken & { familyId: string }) | undefined> {
  const [row] = await findStatement(database, [
    ...[refreshHash, client.appId, client.sandbox, pair.refresh.hash, pair.access.hash],
  ])
  if (row === undefined) return undefined
  const { accessScopes, accessExpiresAt, ...found } = row
  const isThere = accessScopes !== null && accessExpiresAt !== null
  return { ...found, access: isThere ? { scopes: accessScopes, expiresAt: accessExpiresAt } : null }
}
