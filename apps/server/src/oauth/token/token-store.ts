import type { FoundCode } from '@parley/rules/oauth/code-exchange'
import { accessTokenLifetimeMs, after, lifetimes } from '@parley/rules/oauth/lifetimes'
import type { FoundRefreshToken } from '@parley/rules/oauth/refresh'
import type { Resource } from '@parley/rules/oauth/resource'
import { writeScopes } from '@parley/rules/oauth/scope-set'
import { sql } from 'kysely'
import { publishAccessEnded } from '../../access/access-topic.ts'
import {
  grantedFor,
  grantJoins,
  intersectScopes,
  sinceSignOut,
  sqlLiveGrant,
  sqlOwnerActive,
  stillGranted,
} from '../../access/credentials/live-grant.ts'
import type { TokenSecret } from '../../access/credentials/token-secret.ts'
import { recordAppEvent } from '../../oauth-apps/events/app-event-store.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineStatement, type Fragment, type Parameter } from '../../platform/database/define-statement.ts'
import { type ColumnType, pick, tables, type ValueOf } from '../../platform/database/tables.ts'
import type { Random } from '../../platform/random.ts'
import type { AuthenticatedClient } from './client-authentication.ts'
import type { ClientRequest } from './client-endpoint.ts'

export type TokenPair = { access: TokenSecret; refresh: TokenSecret }

/** What is stored of new tokens besides their hashes; `expiresAt` is the access token's. */
type IssuedTokens = { scopes: readonly string[]; expiresAt: Date }

export type TokenResponse = IssuedTokens & { pair: TokenPair }

/** A request for a pair of tokens, by a code or a refresh token. */
type IssueRequest = {
  client: AuthenticatedClient
  pair: TokenPair
  /** The resource that the request names; it has to be that of the code or the refresh token. */
  resource: Resource | undefined
  now: Date
}

/** The element of an array type: `text?` of `text?[]`. */
type ElementOf<Type extends ColumnType> = ValueOf<Type> extends readonly (infer Element)[] ? Element : never

type BatchColumn<Type extends ColumnType, Request> = { type: Type; of(request: Request): ElementOf<Type> }

const column = <const Type extends ColumnType, Request>(
  type: Type,
  of: (request: Request) => ElementOf<Type>,
): BatchColumn<Type, Request> => ({ type, of })

/**
 * Define the rows of `request` in a statement that handles many requests at once: an array for each column, and
 * `position`, which counts the requests from 1.
 */
function defineBatch<Request, Columns extends Readonly<Record<string, BatchColumn<ColumnType, never>>>>(
  columns: Columns & { readonly [Name in keyof Columns]: { of(request: Request): unknown } },
) {
  type Types = { [Name in keyof Columns]: Columns[Name]['type'] }
  type Values = { [Name in keyof Columns]: ElementOf<Columns[Name]['type']>[] }
  const entries = Object.entries<{ type: ColumnType; of(request: Request): unknown }>(columns)
  const names = entries.map(([name]) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  return {
    parameters: Object.fromEntries(entries.map(([name, { type }]) => [name, type])) as Types,
    rows: (p: Readonly<Record<keyof Columns, Parameter>>) =>
      sql`unnest(${sql.join(entries.map(([name]) => p[name]))}) with ordinality
        as request (${sql.raw([...names, 'position'].join(', '))})`,
    values: (requests: readonly Request[]) =>
      Object.fromEntries(entries.map(([name, { of }]) => [name, requests.map(of)])) as Values,
  }
}

const issueColumns = {
  appId: column('uuid[]', ({ client }: IssueRequest) => client.appId),
  sandbox: column('boolean[]', ({ client }: IssueRequest) => client.sandbox),
  now: column('timestamptz[]', ({ now }: IssueRequest) => now),
  refreshHash: column('bytea[]', ({ pair }: IssueRequest) => pair.refresh.hash),
  refreshEnd: column('timestamptz[]', ({ now }: IssueRequest) => after(now, lifetimes.refreshTokenMs)),
  accessHash: column('bytea[]', ({ pair }: IssueRequest) => pair.access.hash),
  accessEnd: column('timestamptz[]', ({ now, client }: IssueRequest) =>
    after(now, accessTokenLifetimeMs(client.clientType)),
  ),
  requestedResource: column('text?[]', ({ resource }: IssueRequest) => resource ?? null),
}

/** The condition that the request names no resource, or that of the code or family; those without one are for the API. */
const sameResource = (resource: Fragment) =>
  sql`(request.requested_resource is null or request.requested_resource = coalesce(${resource}, 'api'))`

/**
 * Insert the pair of each row of `spent`, which holds the request, the family, its `grant_end` and the scopes of either
 * token.
 */
const insertPairs = sql`refresh as (
    insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select refresh_hash, family_id, refresh_scopes, now, least(refresh_end, grant_end) from spent
  ), access as (
    insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select access_hash, family_id, access_scopes, now, least(access_end, grant_end) from spent
  ) select position, access_scopes as scopes, least(access_end, grant_end) as expires_at from spent`

const issuedColumns = { position: 'bigint', ...pick(tables.accessToken, 'scopes', 'expiresAt') } as const
type IssuedRow = IssuedTokens & { position: number }

/** Return the tokens of each request, undefined where it was refused. */
function alignToRequests(requests: readonly IssueRequest[], issued: readonly IssuedRow[]) {
  const byPosition = new Map(issued.map(({ position, ...tokens }) => [position, tokens]))
  return requests.map((_, index): IssuedTokens | undefined => byPosition.get(index + 1))
}

export type CodeExchange = IssueRequest & {
  codeHash: Buffer
  redirectUri: string | undefined
  challenge: string | undefined
}

const codeBatch = defineBatch({
  ...issueColumns,
  codeHash: column('bytea[]', ({ codeHash }: CodeExchange) => codeHash),
  redirectUri: column('text?[]', ({ redirectUri }: CodeExchange) => redirectUri ?? null),
  challenge: column('text?[]', ({ challenge }: CodeExchange) => challenge ?? null),
})

/** Mark codes as used and insert both tokens of each, or do nothing: the update of the code checks every condition. */
const exchangeCodesStatement = defineStatement({
  name: 'exchange-codes',
  parameters: codeBatch.parameters,
  columns: issuedColumns,
  text: (p) => sql`with request as (
    select * from ${codeBatch.rows(p)}
  ), spent as (
    update authorization_code c set used_at = request.now
    from request, app_grant g ${grantJoins}
    where c.code_hash = request.code_hash and c.used_at is null and c.expires_at > request.now
      and g.id = c.grant_id and g.app_id = request.app_id and g.sandbox = request.sandbox and g.expires_at > request.now
      and c.scopes && ${grantedFor(sql`c.resource`)} and (request.redirect_uri is null or c.redirect_uri = request.redirect_uri)
      and c.code_challenge is not distinct from request.challenge and ${sameResource(sql`c.resource`)}
      and ${sinceSignOut(sql`c.created_at`)} and ${sqlLiveGrant}
    returning request.*, c.family_id, c.grant_id, c.created_at, c.resource, g.expires_at as grant_end,
      ${stillGranted(sql`c.scopes`, sql`c.resource`)} as refresh_scopes,
      ${stillGranted(sql`c.scopes`, sql`c.resource`)} as access_scopes
  ), family as (
    insert into token_family (id, grant_id, created_at, resource)
    select family_id, grant_id, created_at, resource from spent
  ), ${insertPairs}`,
})

/** Exchange codes in one statement; undefined for each code that was refused for any cause. */
export async function exchangeCodes(database: Database, exchanges: readonly CodeExchange[]) {
  return alignToRequests(exchanges, await exchangeCodesStatement.execute(database, codeBatch.values(exchanges)))
}

export type Rotation = IssueRequest & { tokenHash: Buffer; scopes: readonly string[] | undefined }

const rotationBatch = defineBatch({
  ...issueColumns,
  tokenHash: column('bytea[]', ({ tokenHash }: Rotation) => tokenHash),
  scope: column('text?[]', ({ scopes }: Rotation) => (scopes === undefined ? null : writeScopes(scopes))),
})

/**
 * Mark refresh tokens as rotated and insert their successors, or do nothing. The new refresh token carries the scopes
 * of the old one that the grant still holds, also when fewer scopes were requested (RFC 6749, 6).
 */
const rotateStatement = defineStatement({
  name: 'rotate-refresh-tokens',
  parameters: rotationBatch.parameters,
  columns: issuedColumns,
  text: (p) => sql`with request as (
    select *, string_to_array(scope, ' ') as scopes from ${rotationBatch.rows(p)}
  ), spent as (
    update refresh_token r set rotated_at = request.now
    from request, token_family f join app_grant g on g.id = f.grant_id ${grantJoins}
    where r.token_hash = request.token_hash and r.rotated_at is null and r.expires_at > request.now
      and f.id = r.family_id and f.ended_at is null
      and g.app_id = request.app_id and g.sandbox = request.sandbox and g.expires_at > request.now
      and r.scopes && ${grantedFor(sql`f.resource`)}
      and (request.scopes is null or request.scopes <@ r.scopes and request.scopes <@ ${grantedFor(sql`f.resource`)})
      and ${sameResource(sql`f.resource`)} and ${sinceSignOut(sql`f.created_at`)} and ${sqlLiveGrant}
    returning request.*, r.family_id, g.expires_at as grant_end, ${stillGranted(sql`r.scopes`, sql`f.resource`)} as refresh_scopes,
      ${intersectScopes(sql`r.scopes`, sql`coalesce(request.scopes, ${grantedFor(sql`f.resource`)})`)} as access_scopes
  ), ${insertPairs}`,
})

/** Rotate refresh tokens in one statement; undefined for each token that was refused for any cause. */
export async function rotateRefreshTokens(database: Database, rotations: readonly Rotation[]) {
  return alignToRequests(rotations, await rotateStatement.execute(database, rotationBatch.values(rotations)))
}

const ownTokenParameters = {
  tokenHash: tables.refreshToken.tokenHash,
  ...pick(tables.appGrant, 'appId', 'sandbox'),
} as const

const grantStatusColumns = {
  appSuspended: 'boolean',
  ownerActive: 'boolean',
  userDisabled: 'boolean',
  signedOutSince: 'boolean',
  grantRevokedBecause: 'text?',
  grantExpiresAt: 'timestamptz',
  scopesWithdrawn: 'boolean',
  familyEndedBecause: 'text?',
} as const

/** Select the GrantStatus of packages/rules, from the tables of `grantJoins` and the family `f`, which may be missing. */
const selectGrantStatus = (
  began: Fragment,
  scopes: Fragment,
  resource: Fragment,
) => sql`p.status = 'suspended' as app_suspended,
  ${sqlOwnerActive} as owner_active, a.disabled_at is not null as user_disabled,
  not ${sinceSignOut(began)} as signed_out_since,
  case when g.revoked_at is not null then coalesce(g.revoked_because, 'revoked') end as grant_revoked_because,
  g.expires_at as grant_expires_at, not ${scopes} && ${grantedFor(resource)} as scopes_withdrawn,
  case when f.ended_at is not null then coalesce(f.ended_because, 'ended') end as family_ended_because`

const findCodeStatement = defineStatement({
  name: 'find-code',
  parameters: { codeHash: tables.authorizationCode.codeHash, ...pick(tables.appGrant, 'appId', 'sandbox') },
  columns: {
    ...pick(tables.authorizationCode, 'familyId', 'redirectUri', 'codeChallenge', 'resource', 'expiresAt', 'usedAt'),
    ofThisClient: 'boolean',
    ...grantStatusColumns,
  },
  text: (p) => sql`select c.family_id, g.app_id = ${p.appId} and g.sandbox = ${p.sandbox} as of_this_client,
     c.redirect_uri, c.code_challenge, c.resource, c.expires_at,
     c.used_at, ${selectGrantStatus(sql`c.created_at`, sql`c.scopes`, sql`c.resource`)}
   from authorization_code c join app_grant g on g.id = c.grant_id ${grantJoins}
   left join token_family f on f.id = c.family_id
   where c.code_hash = ${p.codeHash}`,
})

/** Find all that may have made an exchange fail. */
export async function findCode(
  database: Database,
  codeHash: Buffer,
  { appId, sandbox }: AuthenticatedClient,
): Promise<(FoundCode & { familyId: string }) | undefined> {
  const [found] = await findCodeStatement.execute(database, { codeHash, appId, sandbox })
  return found
}

const findRefreshTokenStatement = defineStatement({
  name: 'find-refresh-token',
  parameters: { ...ownTokenParameters, successorHash: 'bytea', successorAccessHash: 'bytea' },
  columns: {
    ...pick(tables.refreshToken, 'familyId', 'scopes', 'expiresAt', 'rotatedAt'),
    ofThisClient: 'boolean',
    resource: tables.tokenFamily.resource,
    successorRotatedAt: 'timestamptz?',
    accessScopes: 'text[]?',
    accessExpiresAt: 'timestamptz?',
    ...grantStatusColumns,
  },
  text: (p) => sql`select f.id as family_id, g.app_id = ${p.appId} and g.sandbox = ${p.sandbox} as of_this_client,
     ${stillGranted(sql`r.scopes`, sql`f.resource`)} as scopes, f.resource, r.expires_at,
     r.rotated_at, successor.rotated_at as successor_rotated_at,
     case when t.token_hash is not null then ${stillGranted(sql`t.scopes`, sql`f.resource`)} end as access_scopes,
     t.expires_at as access_expires_at, ${selectGrantStatus(sql`f.created_at`, sql`r.scopes`, sql`f.resource`)}
   from refresh_token r join token_family f on f.id = r.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
   left join refresh_token successor on successor.token_hash = ${p.successorHash}
   left join access_token t on t.token_hash = ${p.successorAccessHash}
   where r.token_hash = ${p.tokenHash}`,
})

/** Find all that may have made a rotation fail, and the tokens that the first rotation issued. */
export async function findRefreshToken(
  database: Database,
  { tokenHash, client, pair }: Rotation,
): Promise<(FoundRefreshToken & { familyId: string }) | undefined> {
  const [row] = await findRefreshTokenStatement.execute(database, {
    tokenHash,
    appId: client.appId,
    sandbox: client.sandbox,
    successorHash: pair.refresh.hash,
    successorAccessHash: pair.access.hash,
  })
  if (row === undefined) return undefined
  const { accessScopes, accessExpiresAt, ...found } = row
  const hasAccessToken = accessScopes !== null && accessExpiresAt !== null
  return { ...found, access: hasAccessToken ? { scopes: accessScopes, expiresAt: accessExpiresAt } : null }
}

export type TokenKindOfApps = 'oauthAccess' | 'oauthRefresh'
export type TokenLookUp = { hash: Buffer; client: AuthenticatedClient; now: Date }

const lookUpBatch = defineBatch({
  tokenHash: column('bytea[]', ({ hash }: TokenLookUp) => hash),
  appId: column('uuid[]', ({ client }: TokenLookUp) => client.appId),
  sandbox: column('boolean[]', ({ client }: TokenLookUp) => client.sandbox),
  now: column('timestamptz[]', ({ now }: TokenLookUp) => now),
})
const liveTokenColumns = {
  position: 'bigint',
  accountId: tables.appGrant.accountId,
  ...pick(tables.refreshToken, 'scopes', 'createdAt', 'expiresAt'),
  resource: tables.tokenFamily.resource,
} as const

/** Select the live tokens of the requests, each of the client that asks, from `t`, a table of tokens. */
const selectLiveTokens = (t: Fragment, p: Readonly<Record<keyof typeof lookUpBatch.parameters, Parameter>>) =>
  sql`select request.position, g.account_id, ${stillGranted(sql`t.scopes`, sql`f.resource`)} as scopes, f.resource,
    t.created_at, t.expires_at
  from ${lookUpBatch.rows(p)} join ${t} t on t.token_hash = request.token_hash
    join token_family f on f.id = t.family_id join app_grant g on g.id = f.grant_id ${grantJoins}
  where g.app_id = request.app_id and g.sandbox = request.sandbox
    and t.expires_at > request.now and g.expires_at > request.now
    and f.ended_at is null and ${sinceSignOut(sql`f.created_at`)} and ${sqlLiveGrant}`

const findLiveTokensStatements = {
  oauthAccess: defineStatement({
    name: 'find-own-access-tokens',
    parameters: lookUpBatch.parameters,
    columns: liveTokenColumns,
    text: (p) => selectLiveTokens(sql`access_token`, p),
  }),
  oauthRefresh: defineStatement({
    name: 'find-own-refresh-tokens',
    parameters: lookUpBatch.parameters,
    columns: liveTokenColumns,
    text: (p) => sql`${selectLiveTokens(sql`refresh_token`, p)} and t.rotated_at is null`,
  }),
}

/**
 * Find valid tokens of one kind, each of the client that asks, in the order of the requests; undefined for a token of
 * another client, a used token, or a token that is refused for any other cause.
 */
export async function findLiveTokens(database: Database, kind: TokenKindOfApps, lookUps: readonly TokenLookUp[]) {
  const rows = await findLiveTokensStatements[kind].execute(database, lookUpBatch.values(lookUps))
  const found = new Map(rows.map(({ position, ...token }) => [position, token]))
  return lookUps.map((_, index) => found.get(index + 1))
}

const isOwnToken = (p: Readonly<Record<keyof typeof ownTokenParameters, Parameter>>) =>
  sql`t.token_hash = ${p.tokenHash} and f.id = t.family_id
  and g.id = f.grant_id and g.app_id = ${p.appId} and g.sandbox = ${p.sandbox}`

const deleteAccessTokenStatement = defineStatement({
  name: 'revoke-access-token',
  parameters: ownTokenParameters,
  columns: { accountId: tables.appGrant.accountId },
  text: (p) => sql`delete from access_token t using token_family f, app_grant g where ${isOwnToken(p)}
   returning g.account_id`,
})

const findFamilyStatement = defineStatement({
  name: 'find-family-of-own-refresh-token',
  parameters: ownTokenParameters,
  columns: { id: tables.tokenFamily.id },
  text: (p) => sql`select f.id from refresh_token t, token_family f, app_grant g where ${isOwnToken(p)}`,
})

/**
 * Revoke a token of the client: an access token alone, a refresh token (rotated ones included) with its family. Tokens
 * of other clients are not affected.
 */
export async function revokeOwnToken(
  database: Database,
  { kind, hash, client, now }: TokenLookUp & { kind: TokenKindOfApps },
): Promise<void> {
  const token = { tokenHash: hash, appId: client.appId, sandbox: client.sandbox }
  if (kind === 'oauthAccess') {
    const revoked = await deleteAccessTokenStatement.execute(database, token)
    await publishAccessEnded(database, ...revoked.map(({ accountId }) => accountId))
    return
  }
  const [family] = await findFamilyStatement.execute(database, token)
  if (family === undefined) return
  await inTransaction(database, (tx) => endFamily(tx, family.id, 'the app revoked its refresh token', now))
}

type Replay = ClientRequest & {
  familyId: string | undefined
  kind: 'code_replayed' | 'refresh_replayed'
  cause: string
}

/**
 * End the token family of a code or refresh token that was used twice, because one of the uses is a theft (RFC 9700,
 * 4.14.2), and report the replay to the developer.
 */
export async function endReplayedFamily(database: Database, random: Random, replay: Replay): Promise<void> {
  const { familyId, kind, cause, client, now, requestId } = replay
  if (familyId === undefined) return
  const { appId, sandbox } = client
  await inTransaction(database, async (tx) => {
    const ended = await endFamily(tx, familyId, 'something of it was used twice', now)
    if (ended) await recordAppEvent(tx, { appId, sandbox, kind, cause, requestId, now, random })
  })
}

/** Families end one after the other in their grant, so that the last one is noticed. */
const lockGrantStatement = defineStatement({
  name: 'lock-grant-of-family',
  parameters: { familyId: 'uuid' },
  columns: { accountId: tables.appGrant.accountId },
  text: (
    p,
  ) => sql`select g.account_id from token_family f join app_grant g on g.id = f.grant_id where f.id = ${p.familyId}
    for no key update of g`,
})

/** An expired family counts until its row is deleted: no index finds the tokens of a family. */
const endTokensStatement = defineStatement({
  name: 'end-tokens-of-grant',
  parameters: { familyId: 'uuid', now: 'timestamptz' },
  text: (p) => sql`update app_grant g set tokens_ended_at = ${p.now}
    from token_family ended, account a
    where ended.id = ${p.familyId} and g.id = ended.grant_id and a.id = g.account_id and not exists (
      select from token_family f where f.grant_id = g.id and f.ended_at is null and ${sinceSignOut(sql`f.created_at`)})`,
})

/**
 * End a token family, including tokens that concurrent requests issue. With the last family of a grant, also end what
 * the grant's tokens made (`tokens_ended_at`). Return false if the family had ended before.
 */
async function endFamily(tx: Tx, familyId: string, because: string, now: Date): Promise<boolean> {
  const [grant] = await lockGrantStatement.execute(tx, { familyId })
  if (grant === undefined) return false
  const { numUpdatedRows } = await tx
    .updateTable('tokenFamily')
    .set({ endedAt: now, endedBecause: because })
    .where('id', '=', familyId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await endTokensStatement.execute(tx, { familyId, now })
  await publishAccessEnded(tx, grant.accountId)
  return true
}

const dayMs = 24 * 60 * 60 * 1000

/** Used codes are kept this long, to detect a replay and end the tokens of the first use (RFC 6749, 4.1.2). */
const usedCodeRetentionMs = 7 * dayMs

/** Expired refresh tokens are kept this long, to detect a replay and end the family (RFC 9700, 4.14.2). */
const expiredRefreshTokenRetentionMs = 30 * dayMs

/** Expired access tokens are kept this long: the API says that they have expired, rather than that they are unknown. */
const expiredAccessTokenRetentionMs = dayMs

/** Expired tickets are kept this long, so that the event log of the app says why a late one was refused. */
const expiredTicketRetentionMs = dayMs

/**
 * Delete codes, tickets and tokens that are neither valid nor needed to detect replays or to explain a refusal. A family is
 * deleted with its last refresh token, which was never rotated. Grants stay as history. Return the number of deleted
 * codes and tokens.
 */
export async function deleteExpiredTokens(database: Database, now: Date): Promise<number> {
  const longAgo = (ms: number) => new Date(now.getTime() - ms)
  const deletions = [
    database.deleteFrom('authorizationCode').where('expiresAt', '<=', longAgo(usedCodeRetentionMs)),
    database.deleteFrom('accessToken').where('expiresAt', '<=', longAgo(expiredAccessTokenRetentionMs)),
    database.deleteFrom('embedTicket').where('expiresAt', '<=', longAgo(expiredTicketRetentionMs)),
  ]
  let deletedCount = 0
  for (const deletion of deletions) deletedCount += Number((await deletion.executeTakeFirst()).numDeletedRows)
  const families = await sql<{ gone: number }>`
    with gone as (
      delete from refresh_token where expires_at <= ${longAgo(expiredRefreshTokenRetentionMs)} returning family_id, rotated_at
    ), families as (
      delete from token_family where id in (select family_id from gone where rotated_at is null)
    ) select count(*)::integer as gone from gone`.execute(database)
  return deletedCount + (families.rows[0]?.gone ?? 0)
}
