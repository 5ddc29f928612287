import type { Scope } from '@parley/contract'
import { type Resource, resourceOf } from '@parley/rules/oauth/resource'
import { insertCode } from '../../src/oauth/authorize/authorization-request-store.ts'
import { extendGrant } from '../../src/oauth/grants/grant-store.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { secureRandom } from '../../src/platform/random.ts'
import type { Answer, Person } from '../people.ts'
import { expectOk } from '../replies.ts'
import type { TestApp } from '../start-app.ts'
import { type ApprovedApp, callbackUrl } from './approved-app.ts'

export type Form = Record<string, string> | string[][]

export const tokenPath = '/api/oauth2/v2/token'
export const revokePath = '/api/oauth2/v2/revoke'
export const introspectPath = '/api/oauth2/v2/introspect'

export const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** Post a form, as a backend does. */
export async function postForm(
  service: TestApp,
  path: string,
  form: Form,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams(form).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`${service.base}${path}`, { method: 'POST', headers: { ...type, ...headers }, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** An app's backend, with its live or its sandbox client; a public app sends its id alone. */
export function backendOf(service: TestApp, app: ApprovedApp, side: 'real' | 'sandbox' = 'real') {
  const [id, secret] =
    side === 'real' ? [app.clientId, app.clientSecret] : [app.sandboxClientId, app.sandboxClientSecret]
  const post = (path: string, form: Form) =>
    secret === ''
      ? postForm(service, path, [...new URLSearchParams(form), ['client_id', id]])
      : postForm(service, path, form, { authorization: basic(id, secret) })
  return {
    exchange: (code: string, more: Record<string, string> = {}) =>
      post(tokenPath, { grant_type: 'authorization_code', code, ...more }),
    refresh: (token: string, more: Record<string, string> = {}) =>
      post(tokenPath, { grant_type: 'refresh_token', refresh_token: token, ...more }),
    revoke: (token: string) => post(revokePath, { token }),
    introspect: (token: string) => post(introspectPath, { token }),
    post,
  }
}

export type Consent = {
  scopes?: Scope[]
  sandbox?: boolean
  codeChallenge?: string
  resource?: Resource
  redirectUri?: string
  clock?: Clock
}

/** Grant an app access without the pages, and return the code that the redirect would carry. */
export function codeFor(service: TestApp, app: ApprovedApp, person: Person, consent: Consent = {}): Promise<string> {
  const { scopes = ['user:read', 'meeting:read'], sandbox = false, codeChallenge = null } = consent
  const { redirectUri = callbackUrl, resource = null, clock = systemClock } = consent
  const [now, random] = [clock.now(), secureRandom]
  return inTransaction(service.database, async (tx) => {
    const { appId } = app
    const { id: grantId } = await extendGrant(tx, {
      accountId: person.profile._id,
      appId,
      sandbox,
      resource: resourceOf(resource),
      scopes,
      now,
      random,
    })
    return insertCode(tx, { grantId, redirectUri, scopes, codeChallenge, resource, now, random })
  })
}

/** A person's first tokens for an app. */
export async function tokensFor(service: TestApp, app: ApprovedApp, person: Person, consent: Consent = {}) {
  const backend = backendOf(service, app, consent.sandbox ? 'sandbox' : 'real')
  const body = await expectOk(backend.exchange(await codeFor(service, app, person, consent)))
  return body as { access_token: string; refresh_token: string; expires_in: number; scope: string; token_type: string }
}

/** The causes in the event log of an app's developer, oldest first. */
export async function causesOf(service: TestApp, { appId }: ApprovedApp): Promise<string[]> {
  await service.writeRefusals()
  const events = await service.database
    .selectFrom('appEvent')
    .select(['kind', 'cause'])
    .where('appId', '=', appId)
    .orderBy('id')
    .execute()
  return events.map(({ kind, cause }) => `${kind}: ${cause}`)
}
