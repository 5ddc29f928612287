import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { type Consent, causesOf, codeFor, tokensFor } from '../../../test/oauth/token-client.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { publicAddress } from '../../../test/start-app.ts'
import { useApp } from '../../../test/use-app.ts'

const { app: service, clock, olga, meet } = await useApp({ emails: 'dropped' })

/** Meet Alice and Bob, who use Dana's app. */
async function scene() {
  const [alice, bob, dana] = await meet('Alice', 'Bob', 'Dana')
  const planner = await approvedApp(service, dana, { logo: { mediaType: 'image/png', bytes: Buffer.of(1) } })
  const allow = (person = alice, consent: Consent = {}) => codeFor(service, planner, person, { clock, ...consent })
  return { alice, bob, planner, allow }
}

test('shows only the user which apps they have connected, live and sandbox apart', async () => {
  const { alice, bob, planner, allow } = await scene()
  await allow(alice, { scopes: ['meeting:read', 'user:read'] })
  await allow(alice, { scopes: ['user:read'], sandbox: true })
  const { grants } = await expectOk(alice.send('GET', '/api/oauth2/grants'))
  const [sandbox, real] = grants
  assert.equal(grants.length, 2)
  assert.equal(sandbox.app.sandbox, true)
  assert.deepEqual(real.scopes, ['user:read', 'meeting:read'])
  assert.deepEqual(real.resources, [{ resource: publicAddress, scopes: ['user:read', 'meeting:read'] }])
  assert.equal(real.app._id, planner.appId)
  assert.equal(real.app.name, 'Planner')
  assert.equal(real.app.homepageUrl, 'https://planner.example/')
  assert.equal(real.app.logoUrl, `${publicAddress}/oauth2/logos/${planner.appId}/1`)
  assert.equal(real.lastUsedOn, null)
  assert.deepEqual(await expectOk(bob.send('GET', '/api/oauth2/grants')), { grants: [] })
})

test('lists a suspended app, so that it can be disconnected, without its logo', async () => {
  const { alice, planner, allow } = await scene()
  await allow(alice, { scopes: ['user:read'] })
  await expectOk(olga.send('POST', `/api/oauth2/apps/${planner.appId}/suspend`, {}))
  const [{ app }] = (await expectOk(alice.send('GET', '/api/oauth2/grants'))).grants
  assert.deepEqual([app.name, app.logoUrl], ['Planner', ''])
})

test('a user revokes a grant once; another user’s grant and an invalid id are not found', async () => {
  const { alice, bob, planner, allow } = await scene()
  await allow()
  await allow(alice, { sandbox: true })
  const { grants } = await expectOk(alice.send('GET', '/api/oauth2/grants'))
  assert.equal(grants.length, 2)
  for (const { _id } of grants) {
    const path = `/api/oauth2/grants/${_id}`
    await expectProblem(bob.send('DELETE', path), 'grant_not_found')
    await expectOk(alice.send('DELETE', path))
    await expectProblem(alice.send('DELETE', path), 'grant_not_found')
  }
  await expectProblem(alice.send('DELETE', '/api/oauth2/grants/x'), 'grant_not_found')
  assert.deepEqual(await expectOk(alice.send('GET', '/api/oauth2/grants')), { grants: [] })
  const causes = await causesOf(service, planner)
  assert.equal(causes.filter((cause) => cause === 'grant_revoked: A user disconnected the app.').length, 2)
  const audited = await service.database
    .selectFrom('auditEntry')
    .select('action')
    .where('actorId', '=', alice.profile._id)
    .execute()
  assert.equal(audited.filter(({ action }) => action === 'grant.revoked').length, 2)
})

test('ends the app’s tokens with the next request, and not those of another person', async () => {
  const { alice, bob, planner } = await scene()
  const [hers, his] = await Promise.all([alice, bob].map((person) => tokensFor(service, planner, person, { clock })))
  const statusWith = async (token = '') =>
    (await sendRequest(service, 'GET', '/api/user/profile', undefined, { authorization: `Bearer ${token}` })).status
  assert.deepEqual([await statusWith(hers?.access_token), await statusWith(his?.access_token)], [200, 200])
  const [{ _id }] = (await expectOk(alice.send('GET', '/api/oauth2/grants'))).grants
  await expectOk(alice.send('DELETE', `/api/oauth2/grants/${_id}`))
  assert.deepEqual([await statusWith(hers?.access_token), await statusWith(his?.access_token)], [401, 200])
})
