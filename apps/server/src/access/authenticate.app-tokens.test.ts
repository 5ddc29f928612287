import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopeNames } from '@parley/contract'
import { type ApprovedApp, approvedApp } from '../../test/oauth/approved-app.ts'
import { backendOf, tokensFor } from '../../test/oauth/token-client.ts'
import { type Answer, meetPeople, type Person, password, sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, publicAddress, startApp, type TestApp, tokenIn } from '../../test/start-app.ts'
import { deleteExpiredTokens } from '../oauth/token/token-store.ts'
import { secureRandom } from '../platform/random.ts'
import { newToken } from './credentials/token-secret.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock, emails: 'dropped' })
const { olga, alice, bob, carol, mallory } = await meetPeople(service)
const planner = await approvedApp(service, bob, { scopes: [...scopeNames] })
const metadata = `resource_metadata="${publicAddress}/.well-known/oauth-protected-resource"`

const connect = (person: Person, more = {}) => tokensFor(service, planner, person, { clock, ...more })
const profile = (headers: Record<string, string>, on: TestApp = service) =>
  sendRequest(on, 'GET', '/api/user/profile', undefined, headers)
const statusWith = async (token: string) => (await profile({ authorization: `Bearer ${token}` })).status

function assertUnauthorized({ status, headers }: Answer, challenge: string) {
  assert.equal(status, 401)
  assert.equal(headers.get('www-authenticate'), challenge)
}

const invalid = (description: string) => `Bearer error="invalid_token", error_description="${description}", ${metadata}`

/** Tokens work, then `end` runs, and the next request with them is refused. */
async function assertEnds(
  person: Person,
  end: (app: ApprovedApp) => Promise<unknown>,
  { app = planner, says = 'The token was revoked.' } = {},
) {
  const tokens = await tokensFor(service, app, person, { clock })
  assert.equal(await statusWith(tokens.access_token), 200)
  clock.advance(1)
  await end(app)
  assertUnauthorized(await profile({ authorization: `Bearer ${tokens.access_token}` }), invalid(says))
  assert.equal((await backendOf(service, app).refresh(tokens.refresh_token)).status, 400)
  return tokens
}

test('answers a request without a token with 401, without an error code, and names the resource metadata', async () => {
  assertUnauthorized(await profile({}), `Bearer ${metadata}`)
})

test('answers a bad token with invalid_token', async () => {
  const { access_token: token, refresh_token: refresh } = await connect(alice)
  const nobodys = newToken('oauthAccess', secureRandom).token
  const malformed = 'The token is malformed: it is incomplete, or not one of this service.'
  const cases = [
    [nobodys, 'The token is unknown: it ended long ago, or was never issued.'],
    [refresh, 'This is a refresh token; send an access token.'],
    [token.slice(0, -1), malformed],
    [`${token}x`, malformed],
    ['x', malformed],
    [`Bearer ${token}`, 'The word Bearer was sent twice.'],
    ['', 'There is no token after Bearer.'],
  ] as const
  for (const [wrong, description] of cases) {
    const answer = await profile({ authorization: `Bearer ${wrong}` })
    assertUnauthorized(answer, invalid(description))
    assert.equal(answer.body.detail, description)
  }
  const byBasic = await profile({ authorization: 'Basic abc' })
  assertUnauthorized(byBasic, invalid('The scheme is Bearer, not Basic.'))
})

test('says that a token has expired, for a day after its end', async () => {
  const { access_token: token } = await connect(alice)
  clock.advance(24 * 60 * 60 * 1000)
  const withToken = () => profile({ authorization: `Bearer ${token}` })
  assertUnauthorized(await withToken(), invalid('The token has expired.'))
  const { database } = service
  clock.advance(24 * 60 * 60 * 1000 - 1)
  await deleteExpiredTokens(database, clock.now())
  assertUnauthorized(await withToken(), invalid('The token has expired.'))
  clock.advance(1)
  await deleteExpiredTokens(database, clock.now())
  assertUnauthorized(await withToken(), invalid('The token is unknown: it ended long ago, or was never issued.'))
})

test('never reads a token from a query, a body or the cookie', async () => {
  const { access_token: token } = await connect(alice)
  assertUnauthorized(await sendRequest(service, 'GET', `/api/user/profile?access_token=${token}`), `Bearer ${metadata}`)
  assertUnauthorized(await sendRequest(service, 'POST', '/api/meeting', { access_token: token }), `Bearer ${metadata}`)
  const cookie = `parley_session=${token}`
  assertUnauthorized(await profile({ cookie }), invalid('The cookie holds no session.'))
})

test('answers insufficient scope with 403 insufficient_scope, and names the scope', async () => {
  const { access_token: token } = await connect(alice, { scopes: ['meeting:read'] })
  const reply = await profile({ authorization: `Bearer ${token}` })
  await expectProblem(reply, 'insufficient_scope')
  const challenge = `Bearer error="insufficient_scope", scope="user:read", ${metadata}`
  assert.equal(reply.headers.get('www-authenticate'), challenge)
})

test('never shows the chat key to an app', async () => {
  const { access_token: token } = await connect(alice)
  const body = await expectOk(sendRequest(service, 'GET', '/api/my_profile', undefined, { authorization: token }))
  assert.equal(body.jcData.jcKey, '')
})

test('revoking a grant ends its tokens with the next request', async () => {
  await assertEnds(alice, async () => {
    const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
    const ofPlanner = grants.find(({ app }: { app: { _id: string } }) => app._id === planner.appId)
    await expectOk(alice.send('DELETE', `/api/oauth2/grants/${ofPlanner._id}`))
  })
})

test('suspending or deleting an app, or disabling its owner, ends its tokens at once', async () => {
  const { database } = service
  const change = (changes: object) => (app: ApprovedApp) =>
    database.updateTable('app').set(changes).where('id', '=', app.appId).execute()
  const stopped = 'The app may not use its tokens now.'
  await assertEnds(alice, change({ status: 'suspended' }), { says: stopped })
  await change({ status: 'approved' })(planner)

  const gone = await approvedApp(service, bob, { name: 'Gone' })
  const { access_token: token } = await tokensFor(service, gone, alice, { clock })
  await change({ deletedAt: clock.now() })(gone)
  assert.equal(await statusWith(token), 401)

  const own = await approvedApp(service, mallory, { name: 'Own' })
  const setAccount = (changes: object) => olga.send('PUT', `/api/admin/accounts/${mallory.profile._id}`, changes)
  const tokens = await assertEnds(alice, () => setAccount({ oauthEnabled: false }), { app: own, says: stopped })
  await setAccount({ oauthEnabled: true })
  assert.equal(await statusWith(tokens.access_token), 200)
  await assertEnds(alice, () => setAccount({ disabled: true }), { app: own, says: stopped })
})

test('disabling a user ends every token permanently', async () => {
  const setDisabled = (disabled: boolean) => olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { disabled })
  const { access_token: token } = await assertEnds(carol, () => setDisabled(true))
  await setDisabled(false)
  assert.equal(await statusWith(token), 401)
})

test('changing a password with sign-out everywhere ends the tokens, without it they stay valid', async () => {
  const change = (newPassword: string, signOutEverywhere: boolean, currentPassword: string) =>
    alice.send('POST', '/api/auth/password', { currentPassword, newPassword, signOutEverywhere })
  const { access_token: token } = await connect(alice)
  await expectOk(change('a quite different sentence', false, password))
  assert.equal(await statusWith(token), 200)
  await assertEnds(alice, () => change(password, true, 'a quite different sentence'))
  // The user's grants stay; the app may request new tokens.
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  assert.equal(grants.length > 0, true)
  clock.advance(1)
  assert.equal(await statusWith((await connect(alice)).access_token), 200)
  // The second change within half an hour is emailed later.
  assert.equal((await service.mails()).filter(({ to }) => to === alice.email).length, 1)
})

test('a password reset by email ends the tokens', async () => {
  await sendRequest(service, 'POST', '/api/auth/password-reset', { email: bob.email })
  const token = tokenIn((await service.mails()).findLast(({ to }) => to === bob.email))
  const newPassword = 'a quite different sentence'
  await assertEnds(bob, () => sendRequest(service, 'POST', '/api/auth/password-reset', { token, newPassword }))
  await service.mails()
})

test("shows the user an app's last activity, in steps of five minutes", async () => {
  const { access_token: token } = await connect(olga)
  assert.equal(await statusWith(token), 200)
  let lastUsed: string | null = null
  for (let looks = 0; looks < 200 && lastUsed === null; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    lastUsed = (await olga.send('GET', '/api/oauth2/grants')).body.grants[0].lastUsedOn
  }
  assert.equal(lastUsed, clock.now().toISOString())
})
