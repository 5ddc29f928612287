import { after, lifetimes } from '@parley/rules/oauth/lifetimes'
import { sinceSignOut } from '../../access/credentials/live-grant.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { IssuedTokens } from './exchange.ts'
import type { TokenPair } from './token-pair.ts'

/** A request for a pair of tokens, by a code or a refresh token. */
export type IssueRequest = { client: AuthenticatedClient; pair: TokenPair; now: Date }

/**
 * The first seven parameters of a statement that issues tokens: one array per column, so that it handles many requests.
 */
export const requestArrays = `$1::uuid[], $2::boolean[], $3::timestamptz[],
      $4::bytea[], $5::timestamptz[], $6::bytea[], $7::timestamptz[]`
export const requestColumns = 'app_id, sandbox, now, refresh_hash, refresh_end, access_hash, access_end'

export const requestValues = (requests: readonly IssueRequest[]): unknown[][] => [
  requests.map(({ client }) => client.appId),
  requests.map(({ client }) => client.sandbox),
  requests.map(({ now }) => now),
  requests.map(({ pair }) => pair.refresh.hash),
  requests.map(({ now }) => after(now, lifetimes.refreshTokenMs)),
  requests.map(({ pair }) => pair.access.hash),
  requests.map(({ now }) => after(now, lifetimes.accessTokenMs)),
]

/**
 * Insert the pair of each row of `spent`, which holds the request, the family, its `grant_end` and the scopes of either
 * token.
 */
export const insertPairs = `refresh as (
    insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select refresh_hash, family_id, refresh_scopes, now, least(refresh_end, grant_end) from spent
  ), access as (
    insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select access_hash, family_id, access_scopes, now, least(access_end, grant_end) from spent
  ) select position, access_scopes as scopes, least(access_end, grant_end) as "expiresAt" from spent`

/** `position` is the request's, counted from 1. */
export type IssuedRow = IssuedTokens & { position: number }

/** The tokens of each request, in their order; undefined for refused requests. */
export function inOrder(requests: readonly IssueRequest[], issued: readonly IssuedRow[]): (IssuedTokens | undefined)[] {
  const byPosition = new Map(issued.map(({ position, ...tokens }) => [position, tokens]))
  return requests.map((_, index) => byPosition.get(index + 1))
}

/**
 * Columns for the GrantFacts of packages/rules, from the tables of `grantJoins` and the family `f`, which may be
 * missing.
 */
export const grantFactColumns = (began: string, scopes: string) => `p.status = 'suspended' as "appSuspended",
  o.oauth_enabled and o.disabled_at is null as "ownerActive", a.disabled_at is not null as "userDisabled",
  not ${sinceSignOut(began)} as "signedOutSince",
  case when g.revoked_at is not null then coalesce(g.revoked_because, 'revoked') end as "grantRevokedBecause",
  g.expires_at as "grantExpiresAt", not ${scopes} && g.scopes as "scopesWithdrawn",
  case when f.ended_at is not null then coalesce(f.ended_because, 'ended') end as "familyEndedBecause"`
