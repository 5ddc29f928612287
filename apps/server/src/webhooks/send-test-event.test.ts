import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventType, eventTypeNames, eventTypes } from '@parley/contract'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, signUp, violationsOf } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { createWebhook, type Sender, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers } from '../../test/webhooks/webhooks.ts'

const app = await startApp({ emails: 'dropped', environment: loopbackReceivers })
const { olga, alice, mallory } = await meetPeople(app)
const planner = await approvedApp(app, olga)
const { appId } = planner

const sendTest = (sender: Sender, webhook: { _id: string }, body?: object) =>
  sender.send('POST', webhookPath(webhook, '/test'), body)

test('a test event reaches this webhook alone, whatever types it names', async () => {
  const [receiver, other] = [await startReceiver(), await startReceiver()]
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.cancelled'] })
  receiver.secrets.push(webhook.secret)
  await createWebhook(alice, { url: other.url })
  const answer = await sendTest(alice, webhook)
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  await deliverDue(app)
  assert.deepEqual(receiver.forged, [])
  assert.deepEqual([receiver.taken.length, other.taken.length], [1, 0])
  const [{ headers, event } = assert.fail('nothing was sent')] = receiver.requests
  assert.deepEqual(
    [event.id, headers['webhook-id'], event.type, event.test, event.subject],
    [answer.body.eventId, answer.body.eventId, 'webhook.test', true, webhook._id],
  )
  const { events } = await done(alice.send('GET', '/api/events?type=webhook.test'))
  assert.deepEqual([events.length, events[0].id], [1, answer.body.eventId])
})

test('the sample of each type is sent, as the catalogue has it', async () => {
  const receiver = await startReceiver()
  const half = Math.ceil(eventTypeNames.length / 2)
  const kinds: [Sender, object, readonly EventType[]][] = [
    [alice, {}, eventTypeNames.slice(0, half)],
    [olga, { appId, sandbox: true }, eventTypeNames.slice(half)],
  ]
  for (const [sender, whose, types] of kinds) {
    const webhook = await createWebhook(sender, { url: receiver.url, ...whose })
    for (const type of types) {
      const { eventId } = await done(sendTest(sender, webhook, { type }), 202)
      await deliverDue(app)
      const event = receiver.taken.at(-1)
      assert.deepEqual([event?.id, event?.type, event?.test], [eventId, type, true])
      if (type === 'webhook.test') continue
      for (const field of Object.keys(eventTypes[type].sample))
        assert.ok(field in Object(event?.data), `${type} ${field}`)
    }
  }
})

test('a webhook that is off, an unknown type and a stranger are refused', async () => {
  const webhook = await createWebhook(alice)
  assert.deepEqual(violationsOf(await sendTest(alice, webhook, { type: 'x' })), ['/type not_allowed'])
  await refused(sendTest(mallory, webhook), 404, 'webhook_not_found')
  await done(alice.send('PUT', webhookPath(webhook), { active: false }))
  await refused(sendTest(alice, webhook), 409, 'webhook_disabled')
  const whole = withToken(app, (await tokensFor(app, planner, alice)).access_token)
  const ofGrant = await createWebhook(whole)
  const narrow = withToken(app, (await tokensFor(app, planner, alice, { scopes: ['user:read'] })).access_token)
  await refused(sendTest(narrow, ofGrant), 403, 'insufficient_scope')
})

test('an account sends 60 test events an hour, whichever webhooks they are for; another account has its own', async () => {
  const [dora, erik] = [await signUp(app, 'Dora'), await signUp(app, 'Erik')]
  const first = await createWebhook(dora)
  for (let count = 1; count <= 59; count++) await done(sendTest(dora, first), 202)
  await done(dora.send('DELETE', webhookPath(first)))
  const second = await createWebhook(dora)
  await done(sendTest(dora, second), 202)
  const answer = await sendTest(dora, second)
  assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_requests'])
  assert.ok(Number(answer.headers.get('retry-after')) > 3_000)
  await done(sendTest(erik, await createWebhook(erik)), 202)
})
