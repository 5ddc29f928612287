import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personalScopeNames } from '@parley/contract'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { causesOf, codeFor, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../../test/people.ts'
import { publicAddress, startApp } from '../../../test/start-app.ts'

const service = await startApp()
const { olga, alice, bob } = await meetPeople(service)
const planner = await approvedApp(service, olga, { logo: { mediaType: 'image/png', bytes: Buffer.of(1) } })

test('a user sees which apps they have connected, real and sandbox apart, and nobody else does', async () => {
  await codeFor(service, planner, alice, { scopes: ['meeting:read', 'user:read'] })
  await codeFor(service, planner, alice, { scopes: ['user:read'], sandbox: true })
  const { status, body } = await alice.send('GET', '/api/oauth2/grants')
  assert.equal(status, 200)
  const [sandbox, real] = body.grants
  assert.equal(body.grants.length, 2)
  assert.equal(sandbox.app.sandbox, true)
  assert.deepEqual(real.scopes, ['user:read', 'meeting:read'])
  assert.equal(real.app._id, planner.appId)
  assert.equal(real.app.name, 'Planner')
  assert.equal(real.app.homepageUrl, 'https://planner.example/')
  assert.equal(real.app.logoUrl, `${publicAddress}/oauth2/logos/${planner.appId}/1`)
  assert.equal(real.lastUsedOn, null)
  assert.deepEqual((await bob.send('GET', '/api/oauth2/grants')).body, { grants: [] })
})

test('a user takes a grant back once; another’s, and what is no id, is not found', async () => {
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  for (const { _id } of grants) {
    const path = `/api/oauth2/grants/${_id}`
    assert.equal((await bob.send('DELETE', path)).body.code, 'grant_not_found')
    assert.equal((await alice.send('DELETE', path)).status, 200)
    assert.equal((await alice.send('DELETE', path)).body.code, 'grant_not_found')
  }
  assert.equal((await alice.send('DELETE', '/api/oauth2/grants/x')).status, 404)
  assert.deepEqual((await alice.send('GET', '/api/oauth2/grants')).body, { grants: [] })
  const causes = await causesOf(service, planner)
  assert.equal(causes.filter((cause) => cause === 'grant_revoked: A user disconnected the app.').length, 2)
  const audited = await service.database.selectFrom('auditEntry').select('action').execute()
  assert.equal(audited.filter(({ action }) => action === 'grant.revoked').length, 2)
})

test('an app that is suspended is still there to be disconnected, without its picture', async () => {
  await codeFor(service, planner, bob, { scopes: ['user:read'] })
  assert.equal((await olga.send('POST', `/api/oauth2/apps/${planner.appId}/suspend`, {})).status, 200)
  const [{ app }] = (await bob.send('GET', '/api/oauth2/grants')).body.grants
  assert.deepEqual([app.name, app.logoUrl], ['Planner', ''])
  assert.equal((await olga.send('POST', `/api/oauth2/apps/${planner.appId}/resume`)).status, 200)
})

test('neither an app nor a script of the user lists and ends what they gave, only they themselves', async () => {
  const { access_token } = await tokensFor(service, planner, alice)
  const scopes = personalScopeNames
  const { token } = (await alice.send('POST', '/api/auth/tokens', { name: 'script', scopes })).body
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
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
  assert.equal((await alice.send('GET', '/api/oauth2/grants')).body.grants.length, 1)
})

test('the scopes are told with the sentences that people read', async () => {
  const { status, body } = await sendRequest(service, 'GET', '/api/oauth2/scopes')
  assert.equal(status, 200)
  assert.equal(body.scopes.length, 6)
  assert.deepEqual(body.scopes[0], { scope: 'user:read', description: 'Read your profile information' })
})
