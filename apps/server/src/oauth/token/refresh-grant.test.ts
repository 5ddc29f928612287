import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Scope } from '@parley/contract'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, causesOf, codeFor, tokenPath, tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOauthError, expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'
import { tokenOf } from '../../access/credentials/token-secret.ts'
import { secureRandom } from '../../platform/random.ts'

const { app: service, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const dayMs = 86_400_000
const scopes: Scope[] = ['meeting:read', 'user:read']

/** Meet Alice and Bob, who use the apps of Dana. */
async function scene() {
  const [alice, bob, dana] = await meet('Alice', 'Bob', 'Dana')
  const planner = await approvedApp(service, dana, { scopes: ['meeting:read', 'user:read', 'meeting:create'] })
  const rival = await approvedApp(service, dana, { name: 'Rival' })
  const connect = (more = {}) => tokensFor(service, planner, alice, { clock, scopes, ...more })
  return { alice, bob, planner, rival, backend: backendOf(service, planner), connect }
}

const newToken = () => tokenOf('oauthRefresh', secureRandom.bytes(32)).token

const profileStatus = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status

test('rotates a refresh token each time, and the new access token works beside the old one', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const reply = await backend.refresh(first.refresh_token)
  const body = await expectOk(reply)
  assert.deepEqual(Object.keys(body), ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope'])
  assert.notEqual(body.refresh_token, first.refresh_token)
  assert.notEqual(body.access_token, first.access_token)
  assert.equal(body.expires_in, 86_400)
  assert.equal(body.scope, 'meeting:read user:read')
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.equal(await profileStatus(body.access_token), 200)
  assert.equal(await profileStatus(first.access_token), 200)
})

test('an access token works for a day', async () => {
  const { connect } = await scene()
  const { access_token: token } = await connect()
  clock.advance(dayMs - 1)
  assert.equal(await profileStatus(token), 200)
  clock.advance(1)
  assert.equal(await profileStatus(token), 401)
})

test('repeats the very same pair within 60 s, with the remaining lifetime', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const { body: once } = await backend.refresh(first.refresh_token)
  clock.advance(59_999)
  const again = await expectOk(backend.refresh(first.refresh_token))
  assert.deepEqual(again, { ...once, expires_in: 86_340 })
  assert.equal(await profileStatus(again.access_token), 200)
})

test('treats a refresh repeated after 60 s as a replay: revokes the family and records an event', async () => {
  const { planner, backend, connect } = await scene()
  const first = await connect()
  const { body: once } = await backend.refresh(first.refresh_token)
  clock.advance(60_000)
  await expectOauthError(backend.refresh(first.refresh_token), 'invalid_grant')
  for (const token of [first.access_token, once.access_token]) assert.equal(await profileStatus(token), 401)
  await expectOauthError(backend.refresh(once.refresh_token), 'invalid_grant')
  const replays = (await causesOf(service, planner)).filter((cause) => cause.startsWith('refresh_replayed'))
  assert.deepEqual(replays, [
    'refresh_replayed: A refresh token was used again after 60 seconds; its family was ended.',
  ])
})

test('treats a parent as replayed once its successor was used, also within 60 s', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const { body: second } = await backend.refresh(first.refresh_token)
  const { body: third } = await backend.refresh(second.refresh_token)
  await expectOauthError(backend.refresh(first.refresh_token), 'invalid_grant')
  assert.equal(await profileStatus(third.access_token), 401)
  await expectOauthError(backend.refresh(third.refresh_token), 'invalid_grant')
})

test('a replay revokes one family; tokens of another consent stay valid', async () => {
  const { backend, connect } = await scene()
  const [first, other] = [await connect(), await connect()]
  await backend.refresh(first.refresh_token)
  clock.advance(60_000)
  await expectOauthError(backend.refresh(first.refresh_token), 'invalid_grant')
  assert.equal(await profileStatus(other.access_token), 200)
  await expectOk(backend.refresh(other.refresh_token))
})

test('answers 20 parallel refreshes of one token with one and the same pair', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const answers = await Promise.all(Array.from({ length: 20 }, () => backend.refresh(first.refresh_token)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1)
  await expectOk(backend.refresh(answers[0]?.body.refresh_token))
})

test('answers refreshes that arrive together with their own pairs', async () => {
  const { alice, bob, planner, rival, backend } = await scene()
  const rivals = backendOf(service, rival)
  const asks = await Promise.all(
    [alice, bob].flatMap((person) =>
      [planner, rival].map(async (app) => {
        const { refresh_token: token } = await tokensFor(service, app, person, { clock, scopes })
        return { person, token, own: app === planner ? backend : rivals, other: app === planner ? rivals : backend }
      }),
    ),
  )
  const answers = asks.map(({ person, token, own, other }) => ({
    person,
    own,
    narrow: own.refresh(token, { scope: 'user:read' }),
    refused: [own.refresh(token, { scope: 'meeting:create' }), other.refresh(token), own.refresh(newToken())],
  }))
  for (const { person, own, narrow, refused } of answers) {
    const body = await expectOk(narrow)
    const [access, refresh] = [await own.introspect(body.access_token), await own.introspect(body.refresh_token)]
    assert.deepEqual([access.body.sub, access.body.scope], [person.profile._id, 'user:read'])
    assert.deepEqual([refresh.body.sub, refresh.body.scope], [person.profile._id, 'meeting:read user:read'])
    for (const answer of refused) assert.equal((await answer).status, 400)
  }
})

test('refuses the repetition with another scope, and keeps the family', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const { body: narrow } = await backend.refresh(first.refresh_token, { scope: 'user:read' })
  assert.equal(narrow.scope, 'user:read')
  await expectOauthError(backend.refresh(first.refresh_token), 'invalid_grant')
  await expectOauthError(backend.refresh(first.refresh_token, { scope: 'meeting:read' }), 'invalid_grant')
  const { body: again } = await backend.refresh(first.refresh_token, { scope: 'user:read' })
  assert.deepEqual(again, narrow)
  assert.equal(await profileStatus(narrow.access_token), 200)
})

test('applies fewer scopes to the access token alone, and lists them in registered order', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const { body: narrow } = await backend.refresh(first.refresh_token, { scope: 'user:read' })
  await expectProblem(
    sendRequest(service, 'GET', '/api/meeting/me', undefined, {
      authorization: narrow.access_token,
    }),
    'insufficient_scope',
  )
  const { body: whole } = await backend.refresh(narrow.refresh_token, { scope: 'user:read meeting:read' })
  assert.equal(whole.scope, 'meeting:read user:read')
})

test('refuses a larger scope, and uses nothing up', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  for (const scope of ['meeting:read user:read meeting:create', 'meeting:create', 'nonsense', 'a  b', '"']) {
    await expectOauthError(backend.refresh(first.refresh_token, { scope }), 'invalid_scope')
  }
  await expectOk(backend.refresh(first.refresh_token))
})

test("ignores OpenID Connect's scopes that clients send unasked", async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const { body } = await backend.refresh(first.refresh_token, { scope: 'openid user:read offline_access' })
  assert.equal(body.scope, 'user:read')
  const { body: next } = await backend.refresh(body.refresh_token, { scope: 'openid profile email' })
  assert.equal(next.scope, 'meeting:read user:read')
})

test('refuses a refresh token of the wrong client, and its owner can still use it', async () => {
  const { planner, rival, backend, connect } = await scene()
  const first = await connect()
  await expectOauthError(backendOf(service, rival).refresh(first.refresh_token), 'invalid_grant')
  await expectOauthError(backendOf(service, planner, 'sandbox').refresh(first.refresh_token), 'invalid_grant')
  await expectOk(backend.refresh(first.refresh_token))
  // Within the minute, too.
  await expectOauthError(backendOf(service, rival).refresh(first.refresh_token), 'invalid_grant')
  assert.equal(await profileStatus(first.access_token), 200)
})

test('keeps a refresh token valid for 60 days, renewed with each rotation', async () => {
  const { backend, connect } = await scene()
  let { refresh_token: token } = await connect()
  for (let times = 0; times < 2; times++) {
    clock.advance(60 * dayMs - 1)
    const body = await expectOk(backend.refresh(token))
    token = body.refresh_token
  }
  clock.advance(60 * dayMs)
  await expectOauthError(backend.refresh(token), 'invalid_grant')
})

test('refreshing ends with the grant, 365 days after the consent', async () => {
  const { bob, planner, backend } = await scene()
  const consentedAt = clock.now().getTime()
  let tokens = await tokensFor(service, planner, bob, { clock, scopes })
  for (let days = 59; days < 365; days += 59) {
    clock.set(new Date(consentedAt + days * dayMs))
    const { status, body } = await backend.refresh(tokens.refresh_token)
    assert.equal(status, 200, `day ${days}`)
    tokens = body
  }
  clock.set(new Date(consentedAt + 365 * dayMs - 1_000))
  const { body: last } = await backend.refresh(tokens.refresh_token)
  assert.equal(last.expires_in, 1)
  clock.advance(1_000)
  await expectOauthError(backend.refresh(last.refresh_token), 'invalid_grant')
  assert.equal(await profileStatus(last.access_token), 401)
  assert.deepEqual(
    await service.database
      .selectFrom('appGrant')
      .select('id')
      .where('accountId', '=', bob.profile._id)
      .where('expiresAt', '>', clock.now())
      .execute(),
    [],
  )
  // A repeated consent is its own grant: it does not restore the scopes of the old one.
  await codeFor(service, planner, bob, { clock, scopes: ['user:read'] })
  const [given] = await service.database
    .selectFrom('appGrant')
    .select('apiScopes')
    .where('accountId', '=', bob.profile._id)
    .where('revokedAt', 'is', null)
    .execute()
  assert.deepEqual(given?.apiScopes, ['user:read'])
})

test('refuses a refresh token that is missing, empty, repeated or unknown', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  await expectOauthError(backend.post(tokenPath, { grant_type: 'refresh_token' }), 'invalid_request')
  await expectOauthError(backend.refresh(''), 'invalid_request')
  const twice = [
    ['grant_type', 'refresh_token'],
    ['refresh_token', first.refresh_token],
    ['refresh_token', first.refresh_token],
  ]
  await expectOauthError(backend.post(tokenPath, twice), 'invalid_request')
  for (const other of ['x', first.access_token, `${first.refresh_token.slice(0, -1)}_`]) {
    await expectOauthError(backend.refresh(other), 'invalid_grant')
  }
})

test('refuses a revoked refresh token', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  await backend.revoke(first.refresh_token)
  await expectOauthError(backend.refresh(first.refresh_token), 'invalid_grant')
})

test('a suspended app cannot refresh, and can once it is resumed', async () => {
  const { planner, backend, connect } = await scene()
  const first = await connect()
  const setStatus = (status: 'suspended' | 'approved') =>
    service.database.updateTable('app').set({ status }).where('id', '=', planner.appId).execute()
  await setStatus('suspended')
  await expectOauthError(backend.refresh(first.refresh_token), 'unauthorized_client')
  assert.equal(await profileStatus(first.access_token), 401)
  await setStatus('approved')
  await expectOk(backend.refresh(first.refresh_token))
})

test('an app that revoked the new access token does not receive it again', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const { body: once } = await backend.refresh(first.refresh_token)
  await backend.revoke(once.access_token)
  await expectOauthError(backend.refresh(first.refresh_token), 'invalid_grant')
  await expectOk(backend.refresh(once.refresh_token))
})
