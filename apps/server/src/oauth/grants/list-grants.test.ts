import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalScopeNames } from '@parley/contract'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { codeFor, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../../test/people.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'

const service = await startApp()
const { olga, alice, bob, carol } = await meetPeople(service)
const planner = await approvedApp(service, olga, { logo: { mediaType: 'image/png', bytes: Buffer.of(1) } })

test('shows only the user which apps they have connected, live and sandbox apart', async () => {
  await codeFor(service, planner, alice, { scopes: ['meeting:read', 'user:read'] })
  await codeFor(service, planner, alice, { scopes: ['user:read'], sandbox: true })
  const { status, body } = await alice.send('GET', '/api/oauth2/grants')
  assert.equal(status, 200)
  const [sandbox, real] = body.grants
  assert.equal(body.grants.length, 2)
  assert.equal(sandbox.app.sandbox, true)
  assert.deepEqual(real.scopes, ['user:read', 'meeting:read'])
  assert.deepEqual(real.resources, [{ resource: publicAddress, scopes: ['user:read', 'meeting:read'] }])
  assert.equal(real.app._id, planner.appId)
  assert.equal(real.app.name, 'Planner')
  assert.equal(real.app.homepageUrl, 'https://planner.example/')
  assert.equal(real.app.logoUrl, `${publicAddress}/oauth2/logos/${planner.appId}/1`)
  assert.equal(real.lastUsedOn, null)
  assert.deepEqual((await bob.send('GET', '/api/oauth2/grants')).body, { grants: [] })
})

test('lists a suspended app, so that it can be disconnected, without its logo', async () => {
  await codeFor(service, planner, bob, { scopes: ['user:read'] })
  assert.equal((await olga.send('POST', `/api/oauth2/apps/${planner.appId}/suspend`, {})).status, 200)
  const [{ app }] = (await bob.send('GET', '/api/oauth2/grants')).body.grants
  assert.deepEqual([app.name, app.logoUrl], ['Planner', ''])
  assert.equal((await olga.send('POST', `/api/oauth2/apps/${planner.appId}/resume`)).status, 200)
})

test('only users themselves, neither apps nor scripts, list and end their grants', async () => {
  const { access_token } = await tokensFor(service, planner, carol)
  const scopes = personalScopeNames
  const { token } = (await carol.send('POST', '/api/auth/tokens', { name: 'script', scopes })).body
  const { grants } = (await carol.send('GET', '/api/oauth2/grants')).body
  assert.equal(grants.length, 1)
  for (const authorization of [access_token, token]) {
    for (const [method, path] of [
      ['GET', '/api/oauth2/grants'],
      ['DELETE', `/api/oauth2/grants/${grants[0]._id}`],
    ] as const) {
      const { status, body } = await sendRequest(service, method, path, undefined, { authorization })
      assert.deepEqual([status, body.code], [403, 'session_required'])
    }
  }
  assert.equal((await carol.send('GET', '/api/oauth2/grants')).body.grants.length, 1)
})

test('omits an ended grant, and refuses callers who are not signed in', async () => {
  const { grants } = (await carol.send('GET', '/api/oauth2/grants')).body
  await carol.send('DELETE', `/api/oauth2/grants/${grants[0]._id}`)
  assert.deepEqual((await carol.send('GET', '/api/oauth2/grants')).body, { grants: [] })
  assert.equal((await sendRequest(service, 'GET', '/api/oauth2/grants')).body.code, 'unauthorized')
})
