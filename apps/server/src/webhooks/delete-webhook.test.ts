import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, schedule } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { createWebhook, listedBy, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers } from '../../test/webhooks/webhooks.ts'

const app = await startApp({ emails: 'dropped', environment: loopbackReceivers })
const { olga, alice, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga)
const receiver = await startReceiver()

test('a deleted webhook receives nothing more, and its log is gone', async () => {
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  await schedule(alice)
  await deliverDue(app)
  assert.equal(receiver.taken.length, 1)
  await schedule(alice)
  await app.publishEvents()

  await refused(mallory.send('DELETE', webhookPath(webhook)), 404, 'webhook_not_found')
  await done(alice.send('DELETE', webhookPath(webhook)))
  await deliverDue(app)
  assert.equal(receiver.requests.length, 1)
  for (const table of ['webhook', 'webhookDelivery', 'webhookAttempt', 'webhookLane'] as const) {
    assert.deepEqual(await app.database.selectFrom(table).selectAll().execute(), [], table)
  }
  await refused(alice.send('DELETE', webhookPath(webhook)), 404, 'webhook_not_found')
  const [entry] = (await alice.send('GET', '/api/auth/security-log')).body.entries
  assert.deepEqual([entry.action, entry.about], ['webhook.deleted', new URL(receiver.url).host])
})

test('an app deletes webhooks of its grant also after it has lost their scope', async () => {
  const tokens = await tokensFor(app, planner, alice, { scopes: ['user:read', 'meeting:read'] })
  const mine = withToken(app, tokens.access_token)
  const webhook = await createWebhook(mine, { types: ['meeting.created'] })
  await app.database
    .updateTable('appGrant')
    .set({ apiScopes: ['user:read'] })
    .execute()
  await refused(mine.send('PUT', webhookPath(webhook), { description: 'x' }), 403, 'insufficient_scope')
  assert.deepEqual(await listedBy(mine), [webhook._id])
  await done(mine.send('DELETE', webhookPath(webhook)))
  assert.deepEqual(await listedBy(mine), [])
})
