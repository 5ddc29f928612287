import { after, lifetimes } from '@parley/rules/oauth/lifetimes'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { IssuedTokens } from './exchange.ts'
import type { TokenPair } from './token-pair.ts'

/** What is asked for with a code as with a refresh token: a pair of tokens, by whom, and when. */
export type IssueRequest = { client: AuthenticatedClient; pair: TokenPair; now: Date }

/** The first seven values of a statement that issues tokens, an array each, so that it answers many asks at once. */
export const requestArrays = `$1::uuid[], $2::boolean[], $3::timestamptz[],
      $4::bytea[], $5::timestamptz[], $6::bytea[], $7::timestamptz[]`
export const requestColumns = 'app_id, sandbox, now, refresh_hash, refresh_end, access_hash, access_end'

export const requestValues = (asks: readonly IssueRequest[]): unknown[][] => [
  asks.map(({ client }) => client.appId),
  asks.map(({ client }) => client.sandbox),
  asks.map(({ now }) => now),
  asks.map(({ pair }) => pair.refresh.hash),
  asks.map(({ now }) => after(now, lifetimes.refreshTokenMs)),
  asks.map(({ pair }) => pair.access.hash),
  asks.map(({ now }) => after(now, lifetimes.accessTokenMs)),
]

/** Keeps the pair of each row in `spent`, which holds the ask, the family, its `grant_end` and what either token carries. */
export const keepPairs = `refresh as (
    insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select refresh_hash, family_id, refresh_scopes, now, least(refresh_end, grant_end) from spent
  ), access as (
    insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select access_hash, family_id, access_scopes, now, least(access_end, grant_end) from spent
  ) select place, access_scopes as scopes, least(access_end, grant_end) as "expiresAt" from spent`

/** `place` is the ask's, counted from 1. */
export type IssuedRow = IssuedTokens & { place: number }

/** What each ask was given, in their order; undefined for those that were given nothing. */
export function inOrder(asks: readonly IssueRequest[], issued: readonly IssuedRow[]): (IssuedTokens | undefined)[] {
  const byPlace = new Map(issued.map(({ place, ...tokens }) => [place, tokens]))
  return asks.map((_, index) => byPlace.get(index + 1))
}
