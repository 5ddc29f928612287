import assert from 'node:assert/strict'
import { exchangeToken, readUserProfile, revokeToken } from '@parley/contract'
import { approvedApp } from '../../apps/server/test/oauth/approved-app.ts'
import { consent } from '../../apps/server/test/oauth/consenting-person.ts'
import { type Person, sendRequest, signUp, standUp } from '../../apps/server/test/people.ts'
import { expectOk, expectProblem } from '../../apps/server/test/replies.ts'
import { startApp, type TestApp } from '../../apps/server/test/start-app.ts'
import { openWire, type Sent } from './wire.ts'

/** Parley with an approved app of Bob's, and Alice, who is about to connect it. */
export type ClientApp = {
  app: TestApp
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  alice: Person
  /** Requests to the token endpoint. */
  tokenRequests(): Sent[]
  revocations(): Sent[]
  profileRequests(): Sent[]
  sent: Sent[]
  /**
   * Alice follows the link, signs in and allows access.
   * @returns the address of the redirect
   */
  allow(authorizeUrl: string | URL): Promise<string>
  deny(authorizeUrl: string | URL): Promise<string>
}

const clientScopes = ['user:read', 'meeting:create', 'meeting:read'] as const

export async function startClientApp({
  redirectUri = 'http://localhost:8080/callback',
  sendIss = true,
  requirePkce = false,
}: {
  redirectUri?: string
  sendIss?: boolean
  requirePkce?: boolean
} = {}): Promise<ClientApp> {
  const wire = await openWire()
  const app = await startApp({ emails: 'dropped', environment: { BASE_URL: wire.base, APP_CHECKS: 'off' } })
  wire.forwardTo(app.base)
  const [bob, alice] = await Promise.all([signUp(app, 'Bob'), signUp(app, 'Alice')])
  const { clientId, clientSecret } = await approvedApp(app, bob, {
    callbackUrls: [redirectUri],
    scopes: [...clientScopes],
    sendIss,
    requirePkce,
  })
  const sentTo = ({ path }: { path: string }) => wire.sent.filter((sent) => sent.path === path)
  return {
    app,
    clientId,
    clientSecret,
    redirectUri,
    alice,
    issuer: wire.base,
    sent: wire.sent,
    tokenRequests: () => sentTo(exchangeToken),
    revocations: () => sentTo(revokeToken),
    profileRequests: () => sentTo(readUserProfile),
    allow: async (authorizeUrl) => String(await consent(app, alice, String(authorizeUrl), 'allow')),
    deny: async (authorizeUrl) => String(await consent(app, alice, String(authorizeUrl), 'deny')),
  }
}

const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

/** Schedule and read a meeting of Alice's with an app's token. */
export async function scheduleAndRead({ app, alice }: ClientApp, accessToken: string): Promise<void> {
  const made = await expectOk(sendRequest(app, 'POST', '/api/meeting', standUp(), bearer(accessToken)))
  const { _id, createdBy } = made.meetingDetails
  assert.equal(createdBy, alice.profile._id)
  const read = await expectOk(
    sendRequest(app, 'GET', `/api/meeting/meetingDetails/${_id}`, undefined, bearer(accessToken)),
  )
  assert.equal(read[0].topic, 'Stand-up')
  assert.equal((await alice.send('GET', `/api/meeting/meetingDetails/${_id}`)).body[0]._id, _id)
}

/** Assert that the token is refused as RFC 6750 requires. */
export async function assertRefused({ app }: ClientApp, accessToken: string): Promise<void> {
  const reply = await sendRequest(app, 'GET', readUserProfile.path, undefined, bearer(accessToken))
  await expectProblem(reply, 'unauthorized')
  assert.match(reply.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
}

/** Disconnect the app on the user's own page. */
export async function disconnect({ alice }: ClientApp): Promise<void> {
  const { body } = await alice.send('GET', '/api/oauth2/grants')
  assert.equal(body.grants.length, 1)
  await expectOk(alice.send('DELETE', `/api/oauth2/grants/${body.grants[0]._id}`))
}

/** Revoke a token (RFC 7009), for client libraries that cannot. */
export async function revoke({ issuer, clientId, clientSecret }: ClientApp, token: string): Promise<void> {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const response = await fetch(issuer + revokeToken.path, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ token }),
  })
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), {})
}

/** How a request authenticated the client (RFC 6749, 2.3.1). */
export function credentialsOf({ headers, form }: Sent): 'basic' | 'body' | 'both' | 'none' {
  const basic = headers.authorization?.toLowerCase().startsWith('basic ') ?? false
  const body = form.has('client_secret')
  if (basic && body) return 'both'
  return basic ? 'basic' : body ? 'body' : 'none'
}
