import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import {
  createWebhook,
  receiverUrl,
  type Sender,
  webhookPath,
  webhooksPath,
  withToken,
} from '../../test/webhooks/manage-webhooks.ts'

const app = await startApp({ emails: 'dropped' })
const { olga, alice, bob, carol } = await meetPeople(app)

/** @returns the answer that refuses for too many requests */
async function refusedForLater(sender: Sender, ...request: Parameters<Sender['send']>) {
  const { status, body, headers } = await sender.send(...request)
  assert.deepEqual([status, body.code], [429, 'too_many_requests'])
  assert.ok(Number(headers.get('retry-after')) > 3_000)
}

async function createAndDelete(sender: Sender, count: number) {
  for (let made = 0; made < count; made += 1) {
    await done(sender.send('DELETE', webhookPath(await createWebhook(sender))))
  }
}

test('an account makes 30 webhooks an hour, deleted ones and those of its apps included', async () => {
  const planner = await approvedApp(app, olga)
  const ofAlice = withToken(app, (await tokensFor(app, planner, alice)).access_token)
  await createAndDelete(alice, 20)
  await createAndDelete(ofAlice, 10)
  await refusedForLater(ofAlice, 'POST', webhooksPath, { url: receiverUrl })
  await refusedForLater(alice, 'POST', webhooksPath, { url: receiverUrl })
  // The app is not limited, so its other users are not either.
  const ofBob = withToken(app, (await tokensFor(app, planner, bob)).access_token)
  await createWebhook(ofBob)
})

test('an account switches webhooks on 30 times an hour; switching off and other changes are not limited', async () => {
  const [first, second] = [await createWebhook(carol), await createWebhook(carol)]
  const change = (webhook: { _id: string }, body: object) => carol.send('PUT', webhookPath(webhook), body)
  for (let count = 1; count <= 30; count += 1) await done(change(first, { active: true }))
  await refusedForLater(carol, 'PUT', webhookPath(second), { active: true })
  await done(change(second, { active: false }))
  await done(change(second, { description: 'Off' }))
})
