import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, revokePath, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest, signUp } from '../../../test/people.ts'
import { createClock, publicAddress, startApp, tokenIn } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice, bob } = await meetPeople(service)
const planner = await approvedApp(service, olga)
const rival = await approvedApp(service, bob, { name: 'Rival' })
const backend = backendOf(service, planner)

const connect = () => tokensFor(service, planner, alice, { clock })
const statusWith = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status
const inactive = { active: false }

test('introspection tells an app of its own access token', async () => {
  const { access_token: token } = await connect()
  const { status, body, headers } = await backend.introspect(token)
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.deepEqual(body, {
    active: true,
    scope: 'user:read meeting:read',
    client_id: planner.clientId,
    token_type: 'Bearer',
    exp: clock.now().getTime() / 1000 + 86_400,
    iat: clock.now().getTime() / 1000,
    sub: alice.profile._id,
    iss: publicAddress,
  })
})

test('introspection tells an app of its own refresh token, until it is rotated', async () => {
  const { refresh_token: token } = await connect()
  const { body } = await backend.introspect(token)
  assert.equal(body.active, true)
  assert.equal(body.token_type, 'refresh_token')
  await backend.refresh(token)
  assert.deepEqual((await backend.introspect(token)).body, inactive)
})

test("introspection says of another app's token, of what is none and of what has ended that it is not active", async () => {
  const { access_token: token, refresh_token: refresh } = await connect()
  for (const other of [backendOf(service, rival), backendOf(service, planner, 'sandbox')]) {
    for (const one of [token, refresh]) assert.deepEqual((await other.introspect(one)).body, inactive)
  }
  for (const one of ['x', alice.token, token.slice(1)]) {
    assert.deepEqual((await backend.introspect(one)).body, inactive)
  }
  clock.advance(86_400_000)
  assert.deepEqual((await backend.introspect(token)).body, inactive)
  await service.database.updateTable('app').set({ status: 'suspended' }).where('id', '=', planner.appId).execute()
  assert.deepEqual((await backend.introspect(refresh)).body, inactive)
  await service.database.updateTable('app').set({ status: 'approved' }).where('id', '=', planner.appId).execute()
})

test('revoking an unknown token is 200 with an empty JSON object', async () => {
  for (const token of ['x', alice.token, 'oat_x']) {
    const { status, body, headers } = await backend.revoke(token)
    assert.equal(status, 200)
    assert.deepEqual(body, {})
    assert.match(String(headers.get('content-type')), /^application\/json/)
  }
  assert.equal(await statusWith(alice.token), 200)
})

test("revoking another app's token is 200, but it lives", async () => {
  const { access_token: token, refresh_token: refresh } = await connect()
  for (const one of [token, refresh]) {
    const { status, body } = await backendOf(service, rival).revoke(one)
    assert.equal(status, 200)
    assert.deepEqual(body, {})
  }
  assert.equal(await statusWith(token), 200)
  assert.equal((await backend.refresh(refresh)).status, 200)
})

test('revoking an access token ends that one, and the refresh token lives', async () => {
  const { access_token: token, refresh_token: refresh } = await connect()
  assert.equal((await backend.revoke(token)).status, 200)
  assert.equal(await statusWith(token), 401)
  assert.equal((await backend.refresh(refresh)).status, 200)
})

test('revoking a refresh token takes its access tokens along, those of before as well', async () => {
  const first = await connect()
  const other = await connect()
  const { body: second } = await backend.refresh(first.refresh_token)
  assert.equal((await backend.revoke(second.refresh_token)).status, 200)
  for (const token of [first.access_token, second.access_token]) assert.equal(await statusWith(token), 401)
  assert.equal((await backend.refresh(second.refresh_token)).status, 400)
  assert.equal(await statusWith(other.access_token), 200)
})

test('a request without a token is refused; a hint, right or wrong, is not needed', async () => {
  assert.equal((await backend.post(revokePath, {})).body.error, 'invalid_request')
  const { access_token: token } = await connect()
  await backend.post(revokePath, { token, token_type_hint: 'refresh_token' })
  assert.equal(await statusWith(token), 401)
})

test('both discovery documents are the same, with the issuer that clients compare', async () => {
  const one = await sendRequest(service, 'GET', '/.well-known/oauth-authorization-server')
  const other = await sendRequest(service, 'GET', '/.well-known/openid-configuration')
  assert.equal(one.status, 200)
  assert.deepEqual(one.body, other.body)
  assert.equal(one.body.issuer, publicAddress)
  assert.equal(one.body.authorization_endpoint, `${publicAddress}/oauth2/authorize`)
  assert.equal(one.body.token_endpoint, `${publicAddress}/api/oauth2/v2/token`)
  assert.deepEqual(one.body.code_challenge_methods_supported, ['S256'])
  assert.equal(one.body.authorization_response_iss_parameter_supported, true)
  const resource = await sendRequest(service, 'GET', '/.well-known/oauth-protected-resource')
  assert.deepEqual(resource.body.authorization_servers, [publicAddress])
  assert.equal(resource.body.resource, publicAddress)
})

test('the profile holds the fields of the contract, and no PIN, key or setting', async () => {
  const { access_token: token } = await connect()
  const { status, body } = await sendRequest(service, 'GET', '/api/user/profile', undefined, {
    authorization: `Bearer ${token}`,
  })
  assert.equal(status, 200)
  const claims = { sub: body._id, email_verified: false, given_name: 'Alice', family_name: 'Test', picture: '' }
  for (const [name, value] of Object.entries(claims)) assert.equal(body[name], value, name)
  assert.equal(body.email, 'alice@example.org')
  assert.equal(body.name, 'Alice')
  for (const name of ['jcData', 'roomPIN', 'microphoneOff', 'schoolData', 'timeZone']) {
    assert.equal(Object.hasOwn(body, name), false, name)
  }
  // A person and their scripts may read it as well.
  assert.equal((await alice.send('GET', '/api/user/profile')).status, 200)
})

test('an app is told that an address is verified once its owner has proven it, and not because nobody asks for proof', async () => {
  const dana = await signUp(service, 'Dana')
  const read = async (path: string) => {
    const { access_token: token } = await tokensFor(service, planner, dana, { clock })
    return (await sendRequest(service, 'GET', path, undefined, { authorization: `Bearer ${token}` })).body
  }
  assert.equal((await read('/api/user/profile')).email_verified, false)
  assert.equal((await read('/api/my_profile')).emailVerified, false)
  assert.equal((await dana.send('GET', '/api/my_profile')).body.emailVerified, true, 'enough for what she may do here')

  await sendRequest(service, 'POST', '/api/auth/password-reset', { email: dana.email })
  const token = tokenIn((await service.mails()).at(-1))
  await sendRequest(service, 'POST', '/api/auth/password-reset', { token, newPassword: 'a wholly new passphrase' })
  await service.mails()
  clock.advance(1)
  assert.equal((await read('/api/user/profile')).email_verified, true)
  assert.equal((await read('/api/my_profile')).emailVerified, true)
})
