import { isPersonalScope, isScope } from '@parley/contract'
import { isFor, type Resource } from '@parley/rules/oauth/resource'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { createBatcher } from '../platform/database/batch.ts'
import { type ProblemError, problem } from '../platform/http/problem.ts'
import { isSentTwice } from '../platform/http/request-headers.ts'
import type { Database } from '../tables/tables.ts'
import { endpointOf, type RecordAppRefusal } from './app-refusals.ts'
import { bearerChallenge, type ChallengingResource } from './bearer-challenge.ts'
import type { AuthenticatedCaller, Credential } from './caller.ts'
import { findAccessTokens } from './credentials/access-token-store.ts'
import { type CredentialRow, callerOf, isLive } from './credentials/credential-row.ts'
import type { LastUse, UsedTable } from './credentials/last-use.ts'
import { findPersonalTokens } from './credentials/personal-token-store.ts'
import { createSessionCookie } from './credentials/session-cookie.ts'
import { findSessions } from './credentials/session-store.ts'
import { readToken } from './credentials/token-secret.ts'
import { trustsEveryAddress } from './trusted-address.ts'

type AuthenticateOptions = {
  database: Database
  clock: Clock
  lastUse: LastUse
  baseUrl: string
  emailVerification: Config['emailVerification']
  recordAppRefusal: RecordAppRefusal
}

/**
 * Find the caller of a request to a resource, the API unless named: by one Authorization header (the token bare or after
 * `Bearer`, RFC 6750, 2.1), else by the session cookie. The MCP server takes tokens of apps that are for it, and nothing
 * else; the API takes none of these (RFC 8707, 2; docs/decisions/0151). Each request reads the database, so that every
 * instance refuses ended sessions, deleted tokens and disabled accounts from the next request on.
 * @throws unauthorized, malformed_request (two Authorization headers), cross_origin
 */
export type Authenticate = (request: FastifyRequest, resource?: Resource) => Promise<AuthenticatedCaller>

export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { database, clock, lastUse, baseUrl } = options
  const trustsEvery = trustsEveryAddress(options)
  const cookie = createSessionCookie(baseUrl)
  const findSession = batchByHash((hashes) => findSessions(database, hashes))
  const findPersonalToken = batchByHash((hashes) => findPersonalTokens(database, hashes))
  const findAccessToken = batchByHash((hashes) => findAccessTokens(database, hashes))

  return async (request, resource = 'api') => {
    const refusedToken = () => unauthorized({ baseUrl, resource }, 'invalid_token')
    const sent = request.headers.authorization
    if (sent === undefined && resource !== 'api') throw unauthorized({ baseUrl, resource })
    const text = sent === undefined ? tokenInCookie(request) : tokenInHeader(request, sent)
    const token = readToken(text)
    if (token?.kind === 'oauthAccess' && sent !== undefined) {
      const row = requireLive(await findAccessToken(token.hash), () => {
        recordDeadToken(request, token.hash)
        return refusedToken()
      })
      if (!isFor(row.resource, resource)) {
        recordWrongResource(request, row, resource)
        throw refusedToken()
      }
      const { id, app_id, app_access_id, sandbox, scopes } = row
      const credential = {
        kind: 'oauth',
        grantId: id,
        appId: app_id,
        sandbox,
        scopes: scopes.filter(isScope),
      } as const
      return accept('appGrant', row, credential, app_access_id)
    }
    if (resource !== 'api') throw refusedToken()
    if (token?.kind === 'session') {
      const row = requireLive(await findSession(token.hash), refusedToken)
      return accept('session', row, { kind: 'session', sessionId: row.id })
    }
    // A cookie carries only session tokens: a token of another kind was planted.
    if (token?.kind === 'personal' && sent !== undefined) {
      const row = requireLive(await findPersonalToken(token.hash), refusedToken)
      return accept('personalToken', row, {
        kind: 'personal',
        tokenId: row.id,
        scopes: row.scopes.filter(isPersonalScope),
      })
    }
    throw refusedToken()
  }

  function recordDeadToken(request: FastifyRequest, tokenHash: Buffer) {
    options.recordAppRefusal({ kind: 'dead_token', tokenHash, requestId: request.id, endpoint: endpointOf(request) })
  }

  function recordWrongResource(
    request: FastifyRequest,
    { app_id: appId, sandbox }: { app_id: string; sandbox: boolean },
    resource: Resource,
  ) {
    const refusal = { requestId: request.id, endpoint: endpointOf(request), appId, sandbox, resource }
    options.recordAppRefusal({ kind: 'wrong_resource', ...refusal })
  }

  function tokenInCookie(request: FastifyRequest): string {
    const text = cookie.read(request.headers.cookie)
    if (text === undefined) throw unauthorized({ baseUrl, resource: 'api' })
    requireOwnOrigin(request, baseUrl)
    return text
  }

  function requireLive<Row extends CredentialRow>(row: Row | undefined, refusal: () => ProblemError): Row {
    if (row === undefined || !isLive(row, clock.now())) throw refusal()
    return row
  }

  function accept(
    table: UsedTable,
    row: CredentialRow,
    credential: Credential,
    ...appAccessIds: readonly string[]
  ): AuthenticatedCaller {
    lastUse.record(table, row)
    const caller = callerOf(row, credential, trustsEvery)
    return { ...caller, expiresAt: row.expires_at, accountIds: [caller.accountId, ...appAccessIds] }
  }
}

/**
 * Require our own Origin for state-changing requests that are authenticated by a cookie, because browsers attach
 * cookies to cross-site requests. Browsers send Origin with every such method, and other sites cannot forge it (RFC
 * 6454, 7).
 * @throws cross_origin
 */
export function requireOwnOrigin({ method, headers }: FastifyRequest, baseUrl: string) {
  const changesNothing = method === 'GET' || method === 'HEAD'
  if (!changesNothing && headers.origin !== baseUrl) throw problem('cross_origin')
}

const batchByHash = <Row extends CredentialRow>(find: (hashes: readonly Buffer[]) => Promise<readonly Row[]>) =>
  createBatcher(async (hashes: readonly Buffer[]) => {
    const rows = new Map((await find(hashes)).map((row) => [row.token_hash.toString('latin1'), row]))
    return hashes.map((hash) => rows.get(hash.toString('latin1')))
  })

const unauthorized = (resource: ChallengingResource, error?: 'invalid_token') =>
  problem('unauthorized', { headers: { 'www-authenticate': bearerChallenge(resource, error) } })

function tokenInHeader({ raw }: FastifyRequest, sent: string): string {
  if (isSentTwice(raw, 'authorization'))
    throw problem('malformed_request', { detail: 'Send the Authorization header once.' })
  return /^bearer /i.test(sent) ? sent.slice('bearer '.length).trim() : sent.trim()
}
