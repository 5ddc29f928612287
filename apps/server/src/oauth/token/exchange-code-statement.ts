import type { FoundCode } from '@parley/rules/oauth/code-exchange'
import { grantJoins, liveGrant, sinceSignOut, stillGranted } from '../../access/credentials/live-grant.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
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

/** Uses codes and keeps both tokens of each, or does nothing: whatever must hold stands in the update of the code itself. */
const exchangeStatement = statement<IssuedRow>(
  'exchange-codes',
  `with asked as (
    select * from unnest(${requestArrays}, $8::bytea[], $9::text[], $10::text[])
      with ordinality as ask (${requestColumns}, code_hash, redirect_uri, challenge, place)
  ), spent as (
    update authorization_code c set used_at = asked.now
    from asked, app_grant g ${grantJoins}
    where c.code_hash = asked.code_hash and c.used_at is null and c.expires_at > asked.now
      and g.id = c.grant_id and g.app_id = asked.app_id and g.sandbox = asked.sandbox and g.expires_at > asked.now
      and c.scopes && g.scopes and (asked.redirect_uri is null or c.redirect_uri = asked.redirect_uri)
      and c.code_challenge is not distinct from asked.challenge
      and ${sinceSignOut('c.created_at')} and ${liveGrant}
    returning asked.*, c.family_id, c.grant_id, c.created_at, g.expires_at as grant_end,
      ${stillGranted('c.scopes')} as refresh_scopes, ${stillGranted('c.scopes')} as access_scopes
  ), family as (
    insert into token_family (id, grant_id, created_at) select family_id, grant_id, created_at from spent
  ), ${keepPairs}`,
)

export type CodeExchange = IssueRequest & {
  codeHash: Buffer
  redirectUri: string | undefined
  challenge: string | undefined
}

/** Undefined for each code that was not exchanged, for whatever cause. */
export async function exchangeCodeRows(database: Database, exchanges: readonly CodeExchange[]) {
  const issued = await exchangeStatement(database, [
    ...requestValues(exchanges),
    exchanges.map(({ codeHash }) => codeHash),
    exchanges.map(({ redirectUri }) => redirectUri),
    exchanges.map(({ challenge }) => challenge),
  ])
  return inOrder(exchanges, issued)
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
