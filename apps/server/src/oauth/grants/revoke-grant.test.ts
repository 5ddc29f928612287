import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { causesOf, codeFor, tokensFor } from '../../../test/oauth/token-client.ts'
import { meetPeople, sendRequest } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'

const service = await startApp()
const { olga, alice, bob } = await meetPeople(service)
const planner = await approvedApp(service, olga)

test('a user revokes a grant once; another user’s grant and an invalid id are not found', async () => {
  await codeFor(service, planner, alice)
  await codeFor(service, planner, alice, { sandbox: true })
  const { grants } = (await alice.send('GET', '/api/oauth2/grants')).body
  assert.equal(grants.length, 2)
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

test('ends the app’s tokens with the next request, and not those of another person', async () => {
  const [hers, his] = [await tokensFor(service, planner, alice), await tokensFor(service, planner, bob)]
  const statusWith = async (token: string) =>
    (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status
  assert.deepEqual([await statusWith(hers.access_token), await statusWith(his.access_token)], [200, 200])
  const [{ _id }] = (await alice.send('GET', '/api/oauth2/grants')).body.grants
  assert.equal((await sendRequest(service, 'DELETE', `/api/oauth2/grants/${_id}`)).body.code, 'unauthorized')
  assert.equal((await alice.send('DELETE', `/api/oauth2/grants/${_id}`)).status, 200)
  assert.deepEqual([await statusWith(hers.access_token), await statusWith(his.access_token)], [401, 200])
})
