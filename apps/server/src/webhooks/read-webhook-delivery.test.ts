import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, schedule } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createWebhook, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers } from '../../test/webhooks/webhooks.ts'

const clock = createClock('2029-12-01T09:00:00Z')
const app = await startApp({ emails: 'dropped', environment: loopbackReceivers, clock })
const { olga, alice, bob, mallory } = await meetPeople(app)
const receiver = await startReceiver()

test('a delivery shows each attempt with what was sent and what came back', async () => {
  const webhook = await createWebhook(olga, { url: receiver.url, types: ['meeting.created'], everyone: true })
  receiver.answer = () => ({ status: 503, headers: { 'x-reason': 'restart' }, body: 'b'.repeat(5_000) })
  await schedule(alice)
  await deliverDue(app)
  clock.advance(10_000)
  receiver.answer = () => ({ status: 200, body: 'thanks' })
  await deliverDue(app)
  const [first, second] = receiver.requests
  const path = webhookPath(webhook, `/deliveries/${first?.event.id}`)
  const { attemptLog, ...delivery } = await done(olga.send('GET', path))
  assert.deepEqual(
    [delivery, ...(await done(olga.send('GET', webhookPath(webhook, '/deliveries')))).deliveries].map(
      ({ eventId, state, attempts, lastStatus }) => ({ eventId, state, attempts, lastStatus }),
    ),
    Array(2).fill({ eventId: first?.event.id, state: 'delivered', attempts: 2, lastStatus: 200 }),
  )
  assert.deepEqual(
    attemptLog.map(({ number, status, error, attemptedOn }: Record<string, unknown>) => ({
      number,
      status,
      error,
      attemptedOn,
    })),
    [
      { number: 1, status: 503, error: null, attemptedOn: '2029-12-01T09:00:00.000Z' },
      { number: 2, status: 200, error: null, attemptedOn: '2029-12-01T09:00:10.000Z' },
    ],
  )
  assert.deepEqual([attemptLog[0].requestBody, attemptLog[1].requestBody], [first?.body, second?.body])
  assert.equal(attemptLog[1].requestHeaders['webhook-signature'], second?.headers['webhook-signature'])
  assert.deepEqual([attemptLog[0].responseHeaders['x-reason'], attemptLog[0].responseBody.length], ['restart', 4_096])
  assert.equal(attemptLog[1].responseBody, 'thanks')
  assert.ok(!JSON.stringify(attemptLog).includes(webhook.secret.slice('whsec_'.length)))
})

test('an attempt without a response says why', async () => {
  // A receiver of plain HTTP does not speak TLS.
  const webhook = await createWebhook(bob, { url: receiver.url.replace('http:', 'https:'), types: ['meeting.created'] })
  await schedule(bob)
  await deliverDue(app)
  const [{ eventId }] = (await done(bob.send('GET', webhookPath(webhook, '/deliveries')))).deliveries
  const { attemptLog, lastStatus } = await done(bob.send('GET', webhookPath(webhook, `/deliveries/${eventId}`)))
  const [{ status, error, responseHeaders, responseBody }] = attemptLog
  assert.deepEqual([lastStatus, status, responseHeaders, responseBody], [null, null, null, null])
  assert.match(error, /^[a-z_]+$/)
})

test('only deliveries of the webhook are found, by those who may read them', async () => {
  const webhook = await createWebhook(alice, { types: ['meeting.updated'] })
  const { _id } = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  receiver.answer = () => ({ status: 204 })
  await schedule(alice)
  await deliverDue(app)
  const { event } = receiver.requests.at(-1) ?? assert.fail('nothing was sent')
  for (const eventId of [event.id, 'x', alice.profile._id]) {
    await refused(alice.send('GET', webhookPath(webhook, `/deliveries/${eventId}`)), 404, 'delivery_not_found')
  }
  const path = webhookPath({ _id }, `/deliveries/${event.id}`)
  await done(alice.send('GET', path))
  await refused(mallory.send('GET', path), 404, 'webhook_not_found')
  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, alice, { scopes, clock })).access_token)
  const whole = await tokenWith('user:read', 'meeting:read')
  await refused(whole.send('GET', path), 404, 'webhook_not_found')
  const ofGrant = webhookPath(await createWebhook(whole), `/deliveries/${event.id}`)
  await refused(whole.send('GET', ofGrant), 404, 'delivery_not_found')
  await refused((await tokenWith('user:read')).send('GET', ofGrant), 403, 'insufficient_scope')
})
