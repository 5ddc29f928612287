import type { FoundRefreshToken } from '@parley/rules/oauth/refresh'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { grantJoins, heldAmong, liveGrant, sinceSignOut, stillGranted } from '../../access/credentials/live-grant.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import { grantFactColumns } from './grant-facts.ts'
import {
  type IssuedRow,
  type IssueRequest,
  inOrder,
  keepPairs,
  requestArrays,
  requestColumns,
  requestValues,
} from './issue-tokens.ts'

/**
 * Marks tokens as rotated and keeps their successors; to one that may not be rotated it does nothing. The new refresh token
 * carries what the old one did and the grant still holds, also when fewer scopes were asked for this time (RFC 6749, 6).
 */
const rotateStatement = statement<IssuedRow>(
  'rotate-refresh-tokens',
  `with asked as (
    select *, string_to_array(scope, ' ') as scopes
    from unnest(${requestArrays}, $8::bytea[], $9::text[]) with ordinality as ask (${requestColumns}, token_hash, scope, place)
  ), spent as (
    update refresh_token r set rotated_at = asked.now
    from asked, token_family f join app_grant g on g.id = f.grant_id ${grantJoins}
    where r.token_hash = asked.token_hash and r.rotated_at is null and r.expires_at > asked.now
      and f.id = r.family_id and f.ended_at is null
      and g.app_id = asked.app_id and g.sandbox = asked.sandbox and g.expires_at > asked.now
      and r.scopes && g.scopes and (asked.scopes is null or asked.scopes <@ r.scopes and asked.scopes <@ g.scopes)
      and ${sinceSignOut('f.created_at')} and ${liveGrant}
    returning asked.*, r.family_id, g.expires_at as grant_end, ${stillGranted('r.scopes')} as refresh_scopes,
      ${heldAmong('r.scopes', 'coalesce(asked.scopes, g.scopes)')} as access_scopes
  ), ${keepPairs}`,
)

export type Rotation = IssueRequest & { refreshHash: Buffer; scopes: readonly string[] | undefined }

/** Undefined for each that was not rotated, for whatever cause. */
export async function rotateRefreshTokens(database: Database, rotations: readonly Rotation[]) {
  const issued = await rotateStatement(database, [
    ...requestValues(rotations),
    rotations.map(({ refreshHash }) => refreshHash),
    rotations.map(({ scopes }) => scopes && writeScopes(scopes)),
  ])
  return inOrder(rotations, issued)
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
