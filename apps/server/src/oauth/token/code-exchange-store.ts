import type { FoundCode } from '@parley/rules/oauth/code-exchange'
import { sql } from 'kysely'
import { grantedFor, grantJoins, liveGrant, sinceSignOut, stillGranted } from '../../access/credentials/live-grant.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
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

/** Mark codes as used and insert both tokens of each, or do nothing: the update of the code checks every condition. */
const exchangeStatement = defineStatement({
  name: 'exchange-codes',
  parameters: { ...requestParameters, codeHashes: 'bytea[]', redirectUris: 'text?[]', challenges: 'text?[]' },
  columns: issuedTypes,
  text: (p) => sql`with request as (
    select * from unnest(${requestArrays(p)}, ${p.codeHashes}, ${p.redirectUris}, ${p.challenges})
      with ordinality as request (${requestColumns}, code_hash, redirect_uri, challenge, position)
  ), spent as (
    update authorization_code c set used_at = request.now
    from request, app_grant g ${grantJoins}
    where c.code_hash = request.code_hash and c.used_at is null and c.expires_at > request.now
      and g.id = c.grant_id and g.app_id = request.app_id and g.sandbox = request.sandbox and g.expires_at > request.now
      and c.scopes && ${grantedFor(sql`c.resource`)} and (request.redirect_uri is null or c.redirect_uri = request.redirect_uri)
      and c.code_challenge is not distinct from request.challenge and ${sameResource(sql`c.resource`)}
      and ${sinceSignOut(sql`c.created_at`)} and ${liveGrant}
    returning request.*, c.family_id, c.grant_id, c.created_at, c.resource, g.expires_at as grant_end,
      ${stillGranted(sql`c.scopes`, sql`c.resource`)} as refresh_scopes,
      ${stillGranted(sql`c.scopes`, sql`c.resource`)} as access_scopes
  ), family as (
    insert into token_family (id, grant_id, created_at, resource)
    select family_id, grant_id, created_at, resource from spent
  ), ${insertPairs}`,
})

export type CodeExchange = IssueRequest & {
  codeHash: Buffer
  redirectUri: string | undefined
  challenge: string | undefined
}

/** Exchange codes in one statement; undefined for each code that was refused for any cause. */
export async function exchangeCodeRows(database: Database, exchanges: readonly CodeExchange[]) {
  const issued = await exchangeStatement.execute(database, {
    ...requestValues(exchanges),
    codeHashes: exchanges.map(({ codeHash }) => codeHash),
    redirectUris: exchanges.map(({ redirectUri }) => redirectUri ?? null),
    challenges: exchanges.map(({ challenge }) => challenge ?? null),
  })
  return inOrder(exchanges, issued)
}

const findStatement = defineStatement({
  name: 'find-code',
  parameters: { codeHash: tables.authorizationCode.codeHash, ...pick(tables.appGrant, 'appId', 'sandbox') },
  columns: {
    ...pick(tables.authorizationCode, 'familyId', 'redirectUri', 'codeChallenge', 'resource', 'expiresAt', 'usedAt'),
    ofThisClient: 'boolean',
    ...grantFactTypes,
  },
  text: (p) => sql`select c.family_id, g.app_id = ${p.appId} and g.sandbox = ${p.sandbox} as of_this_client,
     c.redirect_uri, c.code_challenge, c.resource, c.expires_at,
     c.used_at, ${grantFactColumns(sql`c.created_at`, sql`c.scopes`, sql`c.resource`)}
   from authorization_code c join app_grant g on g.id = c.grant_id ${grantJoins}
   left join token_family f on f.id = c.family_id
   where c.code_hash = ${p.codeHash}`,
})

/** Find every fact that may have made an exchange fail. */
export async function findCode(
  database: Database,
  codeHash: Buffer,
  { appId, sandbox }: AuthenticatedClient,
): Promise<(FoundCode & { familyId: string }) | undefined> {
  const [found] = await findStatement.execute(database, { codeHash, appId, sandbox })
  return found
}
