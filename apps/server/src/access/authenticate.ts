import { isPersonalScope, isScope } from '@parley/contract'
import { isFor, type Resource } from '@parley/rules/oauth/resource'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { createBatcher } from '../platform/database/batch.ts'
import type { Database } from '../platform/database/database.ts'
import { type ProblemError, problem } from '../platform/http/problem.ts'
import { isSentTwice } from '../platform/http/request-headers.ts'
import { endpointOf, type RecordAppRefusal } from './app-refusals.ts'
import { bearerChallenge, type ChallengingResource } from './bearer-challenge.ts'
import type { AuthenticatedCaller, Credential } from './caller.ts'
import { endOf, findAccessTokens, type TokenEnd } from './credentials/access-token-store.ts'
import { type CredentialRow, callerOf, isLive } from './credentials/credential-row.ts'
import type { LastUse, UsedTable } from './credentials/last-use.ts'
import { findPersonalTokens } from './credentials/personal-token-store.ts'
import { createSessionCookie } from './credentials/session-cookie.ts'
import { findSessions } from './credentials/session-store.ts'
import { readToken, type TokenKind, tokenNames } from './credentials/token-secret.ts'
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
 * Find the caller of a request to a resource, the API unless named: by one Authorization header (the token bare or
 * after `Bearer`, RFC 6750, 2.1), else by the session cookie. The MCP server takes tokens of apps that are for it, and
 * nothing else; the API takes none of these (RFC 8707, 2), so that neither server can use a token at the other. Each
 * request reads the database, so that every instance refuses ended sessions, deleted tokens and disabled accounts from
 * the next request on.
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
    const refusedToken = (description: string) => unauthorized({ baseUrl, resource }, description)
    const sent = request.headers.authorization
    if (sent === undefined && resource !== 'api') throw unauthorized({ baseUrl, resource })
    const text = sent === undefined ? tokenInCookie(request) : tokenInHeader(request, sent)
    const token = readToken(text)
    if (token?.kind === 'oauthAccess' && sent !== undefined) {
      const row = await findAccessToken(token.hash)
      if (row === undefined) throw refusedToken('The token is unknown: it ended long ago, or was never issued.')
      const { id, familyId, roomCode, appId, appAccessId, sandbox, scopes } = row
      const refused = { appId, sandbox, requestId: request.id, endpoint: endpointOf(request) }
      const end = endOf(row, clock.now())
      if (end !== undefined) {
        options.recordAppRefusal({ ...refused, kind: 'ended_token', end })
        throw refusedToken(describeEnd(end))
      }
      if (!isFor(row.resource, resource)) {
        options.recordAppRefusal({ ...refused, kind: 'wrong_resource', resource })
        throw refusedToken(`The token is not for ${nameOf[resource]}.`)
      }
      if (roomCode !== null && !isOfRoom(request, roomCode))
        throw refusedToken('The token is that of an embedded meeting, and opens its room alone.')
      const credential = {
        kind: 'oauth',
        grantId: id,
        familyId,
        appId,
        sandbox,
        scopes: scopes.filter(isScope),
      } as const
      return accept('appGrant', row, credential, appAccessId)
    }
    if (resource !== 'api' && token !== undefined)
      throw refusedToken('The MCP server takes access tokens of apps that are for it.')
    if (token?.kind === 'session') {
      const row = requireLive(await findSession(token.hash), refusedToken)
      // A token may be a program's, which runs whether or not the person is there.
      lastUse.record('account', { id: row.accountId, lastUsedAt: row.lastSeenAt })
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
    throw refusedToken(sent === undefined ? 'The cookie holds no session.' : describeWrongToken(sent, token?.kind))
  }

  function tokenInCookie(request: FastifyRequest): string {
    const text = cookie.read(request.headers.cookie)
    if (text === undefined) throw unauthorized({ baseUrl, resource: 'api' })
    requireOwnOrigin(request, baseUrl)
    return text
  }

  function requireLive<Row extends CredentialRow>(
    row: Row | undefined,
    refusal: (description: string) => ProblemError,
  ): Row {
    // The row of a session or a personal token is deleted when it is revoked.
    if (row === undefined) throw refusal('The token is unknown: it was revoked, or never issued.')
    if (!isLive(row, clock.now())) throw refusal(row.disabled ? revoked : expired)
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
    return { ...caller, expiresAt: row.expiresAt, accountIds: [caller.accountId, ...appAccessIds] }
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

const roomPath = '/api/rooms/:svcMeetId/'

/** Whether a request is about this room. A token of an embedded meeting gets no further tickets. */
function isOfRoom({ routeOptions: { url = '' }, params }: FastifyRequest, roomCode: string): boolean {
  const isInRoom = `${url}/`.startsWith(roomPath) && !url.endsWith('/embed-tickets')
  return isInRoom && Object(params).svcMeetId === roomCode
}

const batchByHash = <Row extends CredentialRow>(find: (hashes: readonly Buffer[]) => Promise<readonly Row[]>) =>
  createBatcher(async (hashes: readonly Buffer[]) => {
    const rows = new Map((await find(hashes)).map((row) => [row.tokenHash.toString('latin1'), row]))
    return hashes.map((hash) => rows.get(hash.toString('latin1')))
  })

/** Refuse a request without a token, or, with a description, one whose token is not accepted (RFC 6750, 3.1). */
const unauthorized = (resource: ChallengingResource, description?: string) =>
  description === undefined
    ? problem('unauthorized', { headers: { 'www-authenticate': bearerChallenge(resource) } })
    : problem('unauthorized', {
        detail: description,
        headers: { 'www-authenticate': bearerChallenge(resource, 'invalid_token', undefined, description) },
      })

const expired = 'The token has expired.'
const revoked = 'The token was revoked.'
const nameOf: Record<Resource, string> = { api: 'the API', mcp: 'the MCP server' }

/** What the bearer of a token may know: the details of the user and the consent are for the app's developer. */
function describeEnd(end: TokenEnd): string {
  if (end === 'expired') return expired
  return end === 'app_suspended' || end === 'owner_inactive' ? 'The app may not use its tokens now.' : revoked
}

/** Describe what was sent instead of a token for the API, as far as its form shows that. */
function describeWrongToken(sent: string, kind: TokenKind | undefined): string {
  const [first = '', ...others] = sent.trim().split(' ')
  const scheme = /^[A-Za-z][A-Za-z0-9-]{0,20}$/.test(first) ? first : undefined
  const text = others.join(' ').trim()
  if (scheme !== undefined && /^bearer( |$)/i.test(text)) return 'The word Bearer was sent twice.'
  if (first === '' || (scheme?.toLowerCase() === 'bearer' && text === '')) return 'There is no token after Bearer.'
  if (kind !== undefined) return `This is ${tokenNames[kind]}; send an access token.`
  if (scheme !== undefined && text !== '' && scheme.toLowerCase() !== 'bearer')
    return `The scheme is Bearer, not ${scheme}.`
  return 'The token is malformed: it is incomplete, or not one of this service.'
}

function tokenInHeader({ raw }: FastifyRequest, sent: string): string {
  if (isSentTwice(raw, 'authorization'))
    throw problem('malformed_request', { detail: 'Send the Authorization header once.' })
  return /^bearer /i.test(sent) ? sent.slice('bearer '.length).trim() : sent.trim()
}
