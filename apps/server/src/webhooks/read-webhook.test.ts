import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { permit, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { createWebhook, type Sender, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, alice, bob, carol, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga, { name: 'Planner' })
await approvedApp(app, mallory, { name: 'Mallory’s' })
await permit(olga, carol, { admin: true })

const appToken = async (person: typeof alice, sandbox = false) =>
  withToken(app, (await tokensFor(app, planner, person, { sandbox })).access_token)

test('each webhook is found by those who manage it, and by no one else', async () => {
  const senders: Record<string, Sender> = {
    olga,
    alice,
    carol,
    mallory,
    'token of alice': await scriptOf(app, alice, ['meeting:read']),
    'narrow token of alice': await scriptOf(app, alice, ['user:read']),
    'managing token of olga': await scriptOf(app, olga, ['apps:manage']),
    'app of alice': await appToken(alice),
    'sandbox of alice': await appToken(alice, true),
    'app of bob': await appToken(bob),
  }
  const { appId } = planner
  const webhooks = {
    person: [await createWebhook(alice), 'alice'],
    'person, of meetings': [await createWebhook(alice, { types: ['meeting.created'] }), 'alice', 'token of alice'],
    app: [await createWebhook(olga, { appId }), 'olga', 'managing token of olga'],
    grant: [await createWebhook(senders['app of alice'] as Sender), 'app of alice'],
    organisation: [await createWebhook(olga, { everyone: true }), 'olga', 'carol'],
  } as const
  for (const [kind, [webhook, ...finders]] of Object.entries(webhooks)) {
    for (const [name, sender] of Object.entries(senders)) {
      const { status, body } = await sender.send('GET', webhookPath(webhook))
      const expected = finders.some((finder) => finder === name) ? [200, undefined] : [404, 'webhook_not_found']
      assert.deepEqual([status, body.code], expected, `${name} reads the webhook of ${kind}`)
      assert.equal(body.secret, undefined)
    }
  }
  for (const id of ['x', alice.profile._id]) {
    await refused(alice.send('GET', webhookPath({ _id: id })), 404, 'webhook_not_found')
  }
  await permit(olga, carol, { admin: false })
  await refused(carol.send('GET', webhookPath(webhooks.organisation[0])), 404, 'webhook_not_found')
  await permit(olga, olga, { oauthEnabled: false })
  await refused(olga.send('GET', webhookPath(webhooks.app[0])), 404, 'webhook_not_found')
})
