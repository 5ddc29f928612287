import type { FoundRefreshToken } from '@parley/rules/oauth/refresh'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { sql } from 'kysely'
import {
  grantedFor,
  grantJoins,
  intersectScopes,
  liveGrant,
  sinceSignOut,
  stillGranted,
} from '../../access/credentials/live-grant.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import {
  grantFactColumns,
  grantFactTypes,
  type IssueRequest,
  inOrder,
  insertPairs,
  issuedTypes,
  requestArrays,
  requestColumns,
  requestParameters,
  requestValues,
  sameResource,
} from './issue-tokens.ts'

/**
 * Mark refresh tokens as rotated and insert their successors, or do nothing. The new refresh token carries the scopes
 * of the old one that the grant still holds, also when fewer scopes were requested (RFC 6749, 6).
 */
const rotateStatement = defineStatement({
  name: 'rotate-refresh-tokens',
  parameters: { ...requestParameters, tokenHashes: 'bytea[]', scopes: 'text?[]' },
  columns: issuedTypes,
  text: (p) => sql`with request as (
    select *, string_to_array(scope, ' ') as scopes
    from unnest(${requestArrays(p)}, ${p.tokenHashes}, ${p.scopes})
      with ordinality as request (${requestColumns}, token_hash, scope, position)
  ), spent as (
    update refresh_token r set rotated_at = request.now
    from request, token_family f join app_grant g on g.id = f.grant_id ${grantJoins}
    where r.token_hash = request.token_hash and r.rotated_at is null and r.expires_at > request.now
      and f.id = r.family_id and f.ended_at is null
      and g.app_id = request.app_id and g.sandbox = request.sandbox and g.expires_at > request.now
      and r.scopes && ${grantedFor(sql`f.resource`)}
      and (request.scopes is null or request.scopes <@ r.scopes and request.scopes <@ ${grantedFor(sql`f.resource`)})
      and ${sameResource(sql`f.resource`)} and ${sinceSignOut(sql`f.created_at`)} and ${liveGrant}
    returning request.*, r.family_id, g.expires_at as grant_end, ${stillGranted(sql`r.scopes`, sql`f.resource`)} as refresh_scopes,
      ${intersectScopes(sql`r.scopes`, sql`coalesce(request.scopes, ${grantedFor(sql`f.resource`)})`)} as access_scopes
  ), ${insertPairs}`,
})

export type Rotation = IssueRequest & { refreshHash: Buffer; scopes: readonly string[] | undefined }

/** Rotate refresh tokens in one statement; undefined for each token that was refused for any cause. */
export async function rotateRefreshTokens(database: Database, rotations: readonly Rotation[]) {
  const issued = await rotateStatement.execute(database, {
    ...requestValues(rotations),
    tokenHashes: rotations.map(({ refreshHash }) => refreshHash),
    scopes: rotations.map(({ scopes }) => (scopes === undefined ? null : writeScopes(scopes))),
  })
  return inOrder(rotations, issued)
}

const findStatement = defineStatement({
  name: 'find-refresh-token',
  parameters: {
    tokenHash: tables.refreshToken.tokenHash,
    ...pick(tables.appGrant, 'appId', 'sandbox'),
    newRefreshHash: 'bytea',
    newAccessHash: 'bytea',
  },
  columns: {
    ...pick(tables.refreshToken, 'familyId', 'scopes', 'expiresAt', 'rotatedAt'),
    ofThisClient: 'boolean',
    resource: tables.tokenFamily.resource,
    successorRotatedAt: 'timestamptz?',
    accessScopes: 'text[]?',
    accessExpiresAt: 'timestamptz?',
    ...grantFactTypes,
  },
  text: (p) => sql`select f.id as family_id, g.app_id = ${p.appId} and g.sandbox = ${p.sandbox} as of_this_client,
     ${stillGranted(sql`r.scopes`, sql`f.resource`)} as scopes, f.resource, r.expires_at,
     r.rotated_at, successor.rotated_at as successor_rotated_at,
     case when t.token_hash is not null then ${stillGranted(sql`t.scopes`, sql`f.resource`)} end as access_scopes,
     t.expires_at as access_expires_at, ${grantFactColumns(sql`f.created_at`, sql`r.scopes`, sql`f.resource`)}
   from refresh_token r join token_family f on f.id = r.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   left join refresh_token successor on successor.token_hash = ${p.newRefreshHash}
   left join access_token t on t.token_hash = ${p.newAccessHash}
   where r.token_hash = ${p.tokenHash}`,
})

/** Find every fact that may have made a rotation fail, and the tokens that the first rotation issued. */
export async function findRefreshToken(
  database: Database,
  { refreshHash, client, pair }: Rotation,
): Promise<(FoundRefreshToken & { familyId: string }) | undefined> {
  const [row] = await findStatement.execute(database, {
    tokenHash: refreshHash,
    appId: client.appId,
    sandbox: client.sandbox,
    newRefreshHash: pair.refresh.hash,
    newAccessHash: pair.access.hash,
  })
  if (row === undefined) return undefined
  const { accessScopes, accessExpiresAt, ...found } = row
  const hasAccessToken = accessScopes !== null && accessExpiresAt !== null
  return { ...found, access: hasAccessToken ? { scopes: accessScopes, expiresAt: accessExpiresAt } : null }
}
