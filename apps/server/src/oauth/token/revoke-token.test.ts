import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, revokePath, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice, bob } = await meetPeople(service)
const planner = await approvedApp(service, olga)
const rival = await approvedApp(service, bob, { name: 'Rival' })
const backend = backendOf(service, planner)
const connect = () => tokensFor(service, planner, alice, { clock })

const statusWith = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status

test('answers the revocation of an unknown token with 200 and an empty JSON object', async () => {
  for (const token of ['x', alice.token, 'oat_x']) {
    const { status, body, headers } = await backend.revoke(token)
    assert.equal(status, 200)
    assert.deepEqual(body, {})
    assert.match(String(headers.get('content-type')), /^application\/json/)
  }
  assert.equal(await statusWith(alice.token), 200)
})

test("answers 200 to the revocation of another app's token, and keeps it valid", async () => {
  const { access_token: token, refresh_token: refresh } = await connect()
  for (const one of [token, refresh]) {
    const { status, body } = await backendOf(service, rival).revoke(one)
    assert.equal(status, 200)
    assert.deepEqual(body, {})
  }
  assert.equal(await statusWith(token), 200)
  assert.equal((await backend.refresh(refresh)).status, 200)
})

test('revoking an access token ends only that one, and the refresh token stays valid', async () => {
  const { access_token: token, refresh_token: refresh } = await connect()
  assert.equal((await backend.revoke(token)).status, 200)
  assert.equal(await statusWith(token), 401)
  assert.equal((await backend.refresh(refresh)).status, 200)
})

test('revoking a refresh token also revokes its access tokens, earlier ones as well', async () => {
  const first = await connect()
  const other = await connect()
  const { body: second } = await backend.refresh(first.refresh_token)
  assert.equal((await backend.revoke(second.refresh_token)).status, 200)
  for (const token of [first.access_token, second.access_token]) assert.equal(await statusWith(token), 401)
  assert.equal((await backend.refresh(second.refresh_token)).status, 400)
  assert.equal(await statusWith(other.access_token), 200)
})

test('refuses a request without a token; a hint, right or wrong, is not needed', async () => {
  assert.equal((await backend.post(revokePath, {})).body.error, 'invalid_request')
  const { access_token: token } = await connect()
  await backend.post(revokePath, { token, token_type_hint: 'refresh_token' })
  assert.equal(await statusWith(token), 401)
})
