import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { permit, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { createWebhook, listedBy, scriptOf, webhooksPath, withToken } from '../../test/webhooks/manage-webhooks.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, alice, bob, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga, { name: 'Planner' })
const { appId } = planner

test('each caller lists its own webhooks, oldest first', async () => {
  const grantOf = async (person: typeof alice, sandbox = false) => {
    const { access_token } = await tokensFor(app, planner, person, { sandbox })
    return withToken(app, access_token)
  }
  const [ofAlice, ofBob, sandboxOfAlice] = [await grantOf(alice), await grantOf(bob), await grantOf(alice, true)]
  const ids = async (made: Promise<{ _id: string }>[]) => (await Promise.all(made)).map(({ _id }) => _id)
  const first = await createWebhook(alice)
  const second = await createWebhook(alice, { types: ['meeting.created'] })
  const [grantsOfAlice, grantsOfBob, grantsOfSandbox] = [
    await ids([createWebhook(ofAlice)]),
    await ids([createWebhook(ofBob)]),
    await ids([createWebhook(sandboxOfAlice)]),
  ]
  const ofApp = [(await createWebhook(olga, { appId }))._id, (await createWebhook(olga, { appId, sandbox: true }))._id]
  const ofOrganisation = await ids([createWebhook(olga, { everyone: true })])

  assert.deepEqual(await listedBy(alice), [first._id, second._id], 'those of her grants are the apps’')
  assert.deepEqual(await listedBy(ofAlice), grantsOfAlice)
  assert.deepEqual(await listedBy(ofBob), grantsOfBob)
  assert.deepEqual(await listedBy(sandboxOfAlice), grantsOfSandbox)
  assert.deepEqual(await listedBy(olga), [])
  assert.deepEqual(await listedBy(olga, `?appId=${appId}`), ofApp)
  assert.deepEqual(await listedBy(await scriptOf(app, olga, ['apps:manage']), `?appId=${appId}`), ofApp)
  assert.deepEqual(await listedBy(olga, '?everyone=true'), ofOrganisation)
  assert.deepEqual(await listedBy(mallory), [])

  await permit(olga, bob, { admin: true })
  assert.deepEqual(await listedBy(bob, '?everyone=true'), ofOrganisation, 'another administrator')
  await permit(olga, bob, { admin: false })
  await refused(bob.send('GET', `${webhooksPath}?everyone=true`), 403, 'administrator_required')
})

test('a personal token lists webhooks whose types it may read', async () => {
  const { _id } = (await alice.send('GET', webhooksPath)).body.webhooks[1]
  assert.deepEqual(await listedBy(await scriptOf(app, alice, ['meeting:read'])), [_id])
  assert.deepEqual(await listedBy(await scriptOf(app, alice, ['user:read'])), [])
})

test('webhooks of an app and of the organisation need its rights', async () => {
  await refused(mallory.send('GET', `${webhooksPath}?appId=${appId}`), 403, 'oauth_not_enabled')
  await approvedApp(app, mallory, { name: 'Mallory’s' })
  await refused(mallory.send('GET', `${webhooksPath}?appId=${appId}`), 404, 'app_not_found')
  await refused(mallory.send('GET', `${webhooksPath}?everyone=true`), 403, 'administrator_required')
  const { access_token } = await tokensFor(app, planner, olga)
  for (const query of [`?appId=${appId}`, '?everyone=true']) {
    await refused(withToken(app, access_token).send('GET', webhooksPath + query), 403, 'app_token_refused')
  }
  const reading = await scriptOf(app, olga, ['meeting:read'])
  await refused(reading.send('GET', `${webhooksPath}?appId=${appId}`), 403, 'insufficient_scope')
  await refused(reading.send('GET', `${webhooksPath}?everyone=true`), 403, 'session_required')
})

test('a request names the webhooks of an app or of the organisation, and not both', async () => {
  const answer = await olga.send('GET', `${webhooksPath}?appId=${appId}&everyone=true`)
  assert.equal(answer.status, 400)
  assert.deepEqual(violationsOf(answer), ['/everyone not_together'])
})
