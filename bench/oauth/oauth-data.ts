import { type TokenKind, tokenOf } from '../../apps/server/src/access/credentials/token-secret.ts'
import { createDatabase, createPool } from '../../apps/server/src/platform/database/database.ts'
import { createLog } from '../../apps/server/src/platform/log.ts'
import { secureRandom } from '../../apps/server/src/platform/random.ts'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import type { Person as TestPerson } from '../../apps/server/test/people.ts'
import type { InstanceFixture } from '../fixture.ts'
import type { Person } from '../prepared-data.ts'

export const redirectUri = 'https://planner.example/callback'
const scopes = ['user:read', 'meeting:create', 'meeting:read']
/** The number of users who have connected the app; codes and tokens are distributed among them. */
const users = 500

export type BenchClient = { appId: string; clientId: string; clientSecret: string }

/** Insert an approved app of `owner`, and users who have connected it, `owner` included. */
export async function insertConnectedApp(
  { owner: database }: Pick<InstanceFixture, 'owner'>,
  owner: Person,
): Promise<BenchClient> {
  const { host, port, user = '', database: name = '' } = database
  const log = createLog({ level: 'warn' })
  const connection = { host, port, user, database: name }
  const pool = createPool({ connection, maxConnections: 2, statementTimeoutMs: 60_000, log })
  const app = { database: createDatabase(pool), config: { tenants: new Map<string, string>() } }
  const developer = { profile: { _id: owner.id } } as TestPerson
  const client = await approvedApp(app, developer, { callbackUrls: [redirectUri] })
  await pool.end()

  await database.query(usersStatement, [owner.id, users])
  await database.query(grantsStatement, [client.appId, owner.id, scopes])
  return client
}

/** Insert codes that are valid for a day, so that none expires during other measurements. */
export async function insertCodes(
  { owner }: Pick<InstanceFixture, 'owner'>,
  { appId }: BenchClient,
  count: number,
): Promise<string[]> {
  const codes = newTokens('authorizationCode', count)
  await owner.query(codesStatement, [appId, codes.map(({ hash }) => hash), redirectUri, scopes])
  return codes.map(({ token }) => token)
}

/** Insert refresh tokens, each with a token family of its own. */
export async function insertRefreshTokens(
  { owner }: Pick<InstanceFixture, 'owner'>,
  { appId }: BenchClient,
  count: number,
): Promise<string[]> {
  const tokens = newTokens('oauthRefresh', count)
  await owner.query(refreshTokensStatement, [appId, tokens.map(({ hash }) => hash), scopes])
  return tokens.map(({ token }) => token)
}

/** Insert access tokens, distributed among the users who have connected the app. */
export async function insertAccessTokens(
  { owner }: Pick<InstanceFixture, 'owner'>,
  { appId }: BenchClient,
  count: number,
): Promise<string[]> {
  const tokens = newTokens('oauthAccess', count)
  await owner.query(accessTokensStatement, [appId, tokens.map(({ hash }) => hash), scopes])
  return tokens.map(({ token }) => token)
}

/** Insert an access token of a user who has connected the app. */
export async function insertAccessToken(
  { owner }: Pick<InstanceFixture, 'owner'>,
  { appId }: BenchClient,
  user: Person,
): Promise<string> {
  const [token] = newTokens('oauthAccess', 1)
  if (token === undefined) throw new Error('No token was made')
  await owner.query(accessTokenStatement, [appId, user.id, token.hash, scopes])
  return token.token
}

/** Vacuum and checkpoint, so that work on new rows does not fall into the measurement. */
export async function vacuumTokens({ owner }: Pick<InstanceFixture, 'owner'>) {
  await owner.query(
    'vacuum (analyze) authorization_code, token_family, refresh_token, access_token, app_grant, account',
  )
  await owner.query('checkpoint')
}

const newTokens = (kind: TokenKind, count: number) =>
  Array.from({ length: count }, () => tokenOf(kind, secureRandom.bytes(32)))

/** Copy an account with all its columns. */
const usersStatement = `
  insert into account select (jsonb_populate_record(a, jsonb_build_object(
    'id', uuidv7(), 'email', 'user-' || n || '@example.org', 'email_key', 'user-' || n || '@example.org',
    'room_id', uuidv7(), 'room_code', (9000000000 + n)::text))).*
  from account a, generate_series(1, $2::int) as n where a.id = $1`

const grantsStatement = `
  insert into app_grant (id, account_id, app_id, sandbox, api_scopes, created_at, modified_at, expires_at)
  select uuidv7(), id, $1, false, $3, now(), now(), now() + interval '365 days'
  from account where email like 'user-%' or id = $2`

const grantsInTurn = `(select id, row_number() over (order by id) - 1 as index, count(*) over () as users
  from app_grant where app_id = $1)`

const codesStatement = `
  insert into authorization_code (code_hash, grant_id, family_id, redirect_uri, scopes, created_at, expires_at)
  select hash, g.id, uuidv7(), $3, $4, now(), now() + interval '1 day'
  from unnest($2::bytea[]) with ordinality as code (hash, n) join ${grantsInTurn} g on g.index = n % g.users`

const refreshTokensStatement = `
  with fresh as (
    select hash, g.id as grant_id, uuidv7() as family_id
    from unnest($2::bytea[]) with ordinality as token (hash, n) join ${grantsInTurn} g on g.index = n % g.users
  ), family as (
    insert into token_family (id, grant_id, created_at) select family_id, grant_id, now() from fresh
  ) insert into refresh_token (token_hash, family_id, scopes, created_at, expires_at)
    select hash, family_id, $3, now(), now() + interval '60 days' from fresh`

const accessTokenStatement = `
  with family as (
    insert into token_family (id, grant_id, created_at)
    select uuidv7(), id, now() from app_grant where app_id = $1 and account_id = $2 returning id
  ) insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select $3, id, $4, now(), now() + interval '1 day' from family`

const accessTokensStatement = `
  with fresh as (
    select hash, g.id as grant_id, uuidv7() as family_id
    from unnest($2::bytea[]) with ordinality as token (hash, n) join ${grantsInTurn} g on g.index = n % g.users
  ), family as (
    insert into token_family (id, grant_id, created_at) select family_id, grant_id, now() from fresh
  ) insert into access_token (token_hash, family_id, scopes, created_at, expires_at)
    select hash, family_id, $3, now(), now() + interval '1 day' from fresh`
