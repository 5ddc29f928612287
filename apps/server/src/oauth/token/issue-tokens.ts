import { accessTokenLifetimeMs, after, lifetimes } from '@parley/rules/oauth/lifetimes'
import type { Resource } from '@parley/rules/oauth/resource'
import { sql } from 'kysely'
import { grantedFor, ownerActive, sinceSignOut } from '../../access/credentials/live-grant.ts'
import type { Fragment, Parameter } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { IssuedTokens } from './exchange.ts'
import type { TokenPair } from './token-pair.ts'

/** A request for a pair of tokens, by a code or a refresh token. */
export type IssueRequest = {
  client: AuthenticatedClient
  pair: TokenPair
  /** The resource that the request names; it has to be that of the code or the refresh token. */
  resource: Resource | undefined
  now: Date
}

/** The parameters of a statement that issues tokens: one array per column, so that it handles many requests. */
export const requestParameters = {
  appIds: 'uuid[]',
  sandboxes: 'boolean[]',
  times: 'timestamptz[]',
  refreshHashes: 'bytea[]',
  refreshEnds: 'timestamptz[]',
  accessHashes: 'bytea[]',
  accessEnds: 'timestamptz[]',
  resources: 'text?[]',
} as const
export const requestColumns = sql`app_id, sandbox, now, refresh_hash, refresh_end, access_hash, access_end,
  requested_resource`
/** In the order of `requestColumns`. */
export const requestArrays = (p: Record<keyof typeof requestParameters, Parameter>) =>
  sql`${p.appIds}, ${p.sandboxes}, ${p.times}, ${p.refreshHashes}, ${p.refreshEnds}, ${p.accessHashes}, ${p.accessEnds},
    ${p.resources}`

/** The condition that the request names no resource, or that of the code or family; those without one are for the API. */
export const sameResource = (resource: Fragment) =>
  sql`(request.requested_resource is null or request.requested_resource = coalesce(${resource}, 'api'))`

export const requestValues = (requests: readonly IssueRequest[]) => ({
  appIds: requests.map(({ client }) => client.appId),
  sandboxes: requests.map(({ client }) => client.sandbox),
  times: requests.map(({ now }) => now),
  refreshHashes: requests.map(({ pair }) => pair.refresh.hash),
  refreshEnds: requests.map(({ now }) => after(now, lifetimes.refreshTokenMs)),
  accessHashes: requests.map(({ pair }) => pair.access.hash),
  accessEnds: requests.map(({ now, client }) => after(now, accessTokenLifetimeMs(client.clientType))),
  resources: requests.map(({ resource }) => resource ?? null),
})

/**
 * Insert the pair of each row of `spent`, which holds the request, the family, its `grant_end` and the scopes of either
 * token.
 */
export const insertPairs = sql`refresh as (
    insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select refresh_hash, family_id, refresh_scopes, now, least(refresh_end, grant_end) from spent
  ), access as (
    insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select access_hash, family_id, access_scopes, now, least(access_end, grant_end) from spent
  ) select position, access_scopes as scopes, least(access_end, grant_end) as expires_at from spent`

/** `position` is the request's, counted from 1. */
export const issuedTypes = { position: 'bigint', ...pick(tables.accessToken, 'scopes', 'expiresAt') } as const
type IssuedRow = IssuedTokens & { position: number }

/** The tokens of each request, in their order; undefined for refused requests. */
export function inOrder(requests: readonly IssueRequest[], issued: readonly IssuedRow[]): (IssuedTokens | undefined)[] {
  const byPosition = new Map(issued.map(({ position, ...tokens }) => [position, tokens]))
  return requests.map((_, index) => byPosition.get(index + 1))
}

export const grantFactTypes = {
  appSuspended: 'boolean',
  ownerActive: 'boolean',
  userDisabled: 'boolean',
  signedOutSince: 'boolean',
  grantRevokedBecause: 'text?',
  grantExpiresAt: 'timestamptz',
  scopesWithdrawn: 'boolean',
  familyEndedBecause: 'text?',
} as const

/**
 * Columns for the GrantFacts of packages/rules, from the tables of `grantJoins` and the family `f`, which may be
 * missing.
 */
export const grantFactColumns = (
  began: Fragment,
  scopes: Fragment,
  resource: Fragment,
) => sql`p.status = 'suspended' as app_suspended,
  ${ownerActive} as owner_active, a.disabled_at is not null as user_disabled,
  not ${sinceSignOut(began)} as signed_out_since,
  case when g.revoked_at is not null then coalesce(g.revoked_because, 'revoked') end as grant_revoked_because,
  g.expires_at as grant_expires_at, not ${scopes} && ${grantedFor(resource)} as scopes_withdrawn,
  case when f.ended_at is not null then coalesce(f.ended_because, 'ended') end as family_ended_because`
