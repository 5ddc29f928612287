import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, revokePath, tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { publicAddress } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, meet } = await useApp({ start: '2030-01-01T00:00:00Z', emails: 'dropped' })
const inactive = { active: false }

/** Meet Alice, who uses Dana's app. */
async function scene() {
  const [alice, dana] = await meet('Alice', 'Dana')
  const planner = await approvedApp(service, dana)
  const rival = await approvedApp(service, dana, { name: 'Rival' })
  const connect = () => tokensFor(service, planner, alice, { clock })
  return { alice, planner, rival, backend: backendOf(service, planner), connect }
}

const profileStatus = async (token: string) =>
  (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status

test('answers the revocation of an unknown token with 200 and an empty JSON object', async () => {
  const { alice, backend } = await scene()
  for (const token of ['x', alice.token, 'oat_x']) {
    const reply = await backend.revoke(token)
    const body = await expectOk(reply)
    assert.deepEqual(body, {})
    assert.match(String(reply.headers.get('content-type')), /^application\/json/)
  }
  assert.equal(await profileStatus(alice.token), 200)
})

test("answers 200 to the revocation of another app's token, and keeps it valid", async () => {
  const { rival, backend, connect } = await scene()
  const { access_token: token, refresh_token: refresh } = await connect()
  for (const one of [token, refresh]) {
    const body = await expectOk(backendOf(service, rival).revoke(one))
    assert.deepEqual(body, {})
  }
  assert.equal(await profileStatus(token), 200)
  await expectOk(backend.refresh(refresh))
})

test('revoking an access token ends only that one, and the refresh token stays valid', async () => {
  const { backend, connect } = await scene()
  const { access_token: token, refresh_token: refresh } = await connect()
  await expectOk(backend.revoke(token))
  assert.equal(await profileStatus(token), 401)
  await expectOk(backend.refresh(refresh))
})

test('revoking a refresh token also revokes its access tokens, earlier ones as well', async () => {
  const { backend, connect } = await scene()
  const first = await connect()
  const other = await connect()
  const { body: second } = await backend.refresh(first.refresh_token)
  await expectOk(backend.revoke(second.refresh_token))
  for (const token of [first.access_token, second.access_token]) assert.equal(await profileStatus(token), 401)
  assert.equal((await backend.refresh(second.refresh_token)).status, 400)
  assert.equal(await profileStatus(other.access_token), 200)
})

test('refuses a request without a token; a hint, right or wrong, is not needed', async () => {
  const { backend, connect } = await scene()
  assert.equal((await backend.post(revokePath, {})).body.error, 'invalid_request')
  const { access_token: token } = await connect()
  await backend.post(revokePath, { token, token_type_hint: 'refresh_token' })
  assert.equal(await profileStatus(token), 401)
})

test("describes an app's own access token to it", async () => {
  const { alice, planner, backend, connect } = await scene()
  const { access_token: token } = await connect()
  const reply = await backend.introspect(token)
  const body = await expectOk(reply)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
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

test("describes an app's own refresh token to it, until it is rotated", async () => {
  const { backend, connect } = await scene()
  const { refresh_token: token } = await connect()
  const { body } = await backend.introspect(token)
  assert.equal(body.active, true)
  assert.equal(body.token_type, 'refresh_token')
  await backend.refresh(token)
  assert.deepEqual((await backend.introspect(token)).body, inactive)
})

test("reports another app's token, an unknown one and an ended one as not active", async () => {
  const { alice, planner, rival, backend, connect } = await scene()
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

test('introspections that arrive together each get the answer for their own app and token', async () => {
  const { alice, planner, rival, backend, connect } = await scene()
  const [first, second] = [await connect(), await connect()]
  const others = await tokensFor(service, rival, alice, { clock })
  const ofRival = backendOf(service, rival)
  const tokens = [first, second, others].flatMap((pair) => [pair.access_token, pair.refresh_token])
  const own = new Map([...tokens.slice(0, 4).map((token) => [token, planner] as const)])
  const asked = tokens.concat('x', alice.token).flatMap((token) => [
    { token, by: planner, backend },
    { token, by: rival, backend: ofRival },
  ])
  const answers = await Promise.all(asked.map(({ token, backend }) => backend.introspect(token)))
  for (const [index, { body }] of answers.entries()) {
    const { token = '', by = planner } = asked[index] ?? {}
    const isOwn = tokens.includes(token) && (own.get(token) ?? rival) === by
    assert.equal(body.active, isOwn, `${index}`)
    if (isOwn) assert.equal(body.client_id, by.clientId)
  }
})

test('no request that begins after a revocation is answered from a statement that began before it', async () => {
  const { backend, connect } = await scene()
  const kept = await connect()
  for (let round = 0; round < 5; round++) {
    const { access_token: token } = await connect()
    let revoked = false
    const ask = async () => {
      // Another token's requests keep a statement running all the time.
      while (!revoked) await Promise.all([backend.introspect(kept.access_token), profileStatus(kept.access_token)])
    }
    const busy = [ask(), ask(), ask()]
    const before = Promise.all([1, 2, 3].map(() => backend.introspect(token)))
    await expectOk(backend.revoke(token))
    const after = await Promise.all(
      [1, 2, 3].map(async () => [await backend.introspect(token), await profileStatus(token)]),
    )
    revoked = true
    await Promise.all([before, ...busy])
    for (const [introspected, status] of after) {
      assert.deepEqual(Object(introspected).body, inactive)
      assert.equal(status, 401)
    }
  }
  assert.equal(await profileStatus(kept.access_token), 200)
})
