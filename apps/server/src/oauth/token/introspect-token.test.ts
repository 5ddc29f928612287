import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { backendOf, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople } from '../../../test/people.ts'
import { createClock, publicAddress, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const service = await startApp({ clock })
const { olga, alice, bob } = await meetPeople(service)
const planner = await approvedApp(service, olga)
const rival = await approvedApp(service, bob, { name: 'Rival' })
const backend = backendOf(service, planner)
const connect = () => tokensFor(service, planner, alice, { clock })
const inactive = { active: false }

test("describes an app's own access token to it", async () => {
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

test("describes an app's own refresh token to it, until it is rotated", async () => {
  const { refresh_token: token } = await connect()
  const { body } = await backend.introspect(token)
  assert.equal(body.active, true)
  assert.equal(body.token_type, 'refresh_token')
  await backend.refresh(token)
  assert.deepEqual((await backend.introspect(token)).body, inactive)
})

test("reports another app's token, an unknown one and an ended one as not active", async () => {
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
