import { isPersonalScope, isScope } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { createBatcher } from '../platform/database/batch.ts'
import { problem } from '../platform/http/problem.ts'
import { isSentTwice } from '../platform/http/request-headers.ts'
import type { Database } from '../tables/tables.ts'
import { endpointOf, type RecordAppRefusal } from './app-refusals.ts'
import { bearerChallenge } from './bearer-challenge.ts'
import type { Caller, Credential } from './caller.ts'
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
 * Find the caller of a request: by one Authorization header (the token bare or after `Bearer`, RFC 6750, 2.1), else by
 * the session cookie. Each request reads the database, so that every instance refuses ended sessions, deleted tokens
 * and disabled accounts from the next request on.
 * @throws unauthorized, malformed_request (two Authorization headers), cross_origin
 */
export function createAuthenticate(options: AuthenticateOptions): (request: FastifyRequest) => Promise<Caller> {
  const { database, clock, lastUse, baseUrl } = options
  const trustsEvery = trustsEveryAddress(options)
  const cookie = createSessionCookie(baseUrl)
  const findSession = batchByHash((hashes) => findSessions(database, hashes))
  const findPersonalToken = batchByHash((hashes) => findPersonalTokens(database, hashes))
  const findAccessToken = batchByHash((hashes) => findAccessTokens(database, hashes))
  const refusedToken = () => unauthorized(baseUrl, 'invalid_token')

  return async (request) => {
    const sent = request.headers.authorization
    const text = sent === undefined ? tokenInCookie(request) : tokenInHeader(request, sent)
    const token = readToken(text)
    if (token?.kind === 'session') {
      return accept('session', await findSession(token.hash), ({ id }) => ({ kind: 'session', sessionId: id }))
    }
    // A cookie carries only session tokens: a token of another kind was planted.
    if (token?.kind === 'personal' && sent !== undefined) {
      return accept('personalToken', await findPersonalToken(token.hash), ({ id, scopes }) => ({
        kind: 'personal',
        tokenId: id,
        scopes: scopes.filter(isPersonalScope),
      }))
    }
    if (token?.kind === 'oauthAccess' && sent !== undefined) {
      const row = await findAccessToken(token.hash)
      if (row === undefined || !isLive(row, clock.now())) recordDeadToken(request, token.hash)
      return accept('appGrant', row, ({ id, app_id, sandbox, scopes }) => ({
        kind: 'oauth',
        grantId: id,
        appId: app_id,
        sandbox,
        scopes: scopes.filter(isScope),
      }))
    }
    throw refusedToken()
  }

  function recordDeadToken(request: FastifyRequest, tokenHash: Buffer) {
    options.recordAppRefusal({ kind: 'dead_token', tokenHash, requestId: request.id, endpoint: endpointOf(request) })
  }

  function tokenInCookie(request: FastifyRequest): string {
    const text = cookie.read(request.headers.cookie)
    if (text === undefined) throw unauthorized(baseUrl)
    requireOwnOrigin(request, baseUrl)
    return text
  }

  function accept<Row extends CredentialRow>(
    table: UsedTable,
    row: Row | undefined,
    credentialOf: (row: Row) => Credential,
  ): Caller {
    if (row === undefined || !isLive(row, clock.now())) throw refusedToken()
    lastUse.record(table, row)
    return callerOf(row, credentialOf(row), trustsEvery)
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

const unauthorized = (baseUrl: string, error?: 'invalid_token') =>
  problem('unauthorized', { headers: { 'www-authenticate': bearerChallenge(baseUrl, error) } })

function tokenInHeader({ raw }: FastifyRequest, sent: string): string {
  if (isSentTwice(raw, 'authorization'))
    throw problem('malformed_request', { detail: 'Send the Authorization header once.' })
  return /^bearer /i.test(sent) ? sent.slice('bearer '.length).trim() : sent.trim()
}
