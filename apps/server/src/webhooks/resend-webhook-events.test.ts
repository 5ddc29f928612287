import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, type Person, schedule, signUp, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createWebhook, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

const clock = createClock('2029-11-01T09:00:00Z')
const app = await startApp({ emails: 'dropped', environment: loopbackReceivers, clock })
const { olga, alice, mallory } = await meetPeople(app)
const minuteMs = 60_000

/** A webhook of the person, one minute after another: the first two events taken, the next two given up. */
async function withFailures(person: Person) {
  const receiver = await startReceiver()
  const webhook = await createWebhook(person, { url: receiver.url, types: ['meeting.created'] })
  const times: Date[] = []
  for (const isTaken of [true, true, false, false]) {
    clock.advance(minuteMs)
    times.push(clock.now())
    receiver.answer = () => ({ status: isTaken ? 204 : 500 })
    await schedule(person)
    await deliverDue(app)
  }
  // Retries end after three days.
  for (let hours = 0; hours < 4 * 24; hours += 1) {
    clock.advance(60 * minuteMs)
    await deliverDue(app)
  }
  assert.deepEqual(await statesOf(app, webhook._id), ['delivered', 'delivered', 'failed', 'failed'])
  const events = [...new Set(receiver.requests.map(({ event }) => event.id))]
  receiver.answer = () => ({ status: 204 })
  receiver.requests.length = 0
  const resend = async (body?: object) =>
    (await done(person.send('POST', webhookPath(webhook, '/resend'), body), 202)).count
  const sent = async () => {
    await deliverDue(app)
    return receiver.requests.splice(0).map(({ event }) => events.indexOf(event.id))
  }
  return { receiver, webhook, events, times, resend, sent }
}

test('one, a range or all that failed are sent again, each with its id', async () => {
  const { webhook, events, times, resend, sent } = await withFailures(alice)
  const [first, second, third, fourth] = times.map((time) => time.toISOString())
  assert.equal(await resend({ eventId: events[0] }), 1)
  assert.deepEqual(await sent(), [0], 'also one that was taken')
  assert.equal(await resend({ from: second, to: fourth }), 1)
  assert.deepEqual(await sent(), [2], 'of a range what failed, with its start and without its end')
  assert.equal(await resend({ from: first, to: third, state: 'any' }), 2)
  assert.deepEqual((await sent()).toSorted(), [0, 1])
  assert.equal(await resend(), 1)
  assert.equal(await resend(), 0, 'what waits already is not sent twice')
  assert.equal(await resend({ eventId: events[3] }), 0)
  assert.deepEqual(await sent(), [3])
  assert.deepEqual(await statesOf(app, webhook._id), Array(4).fill('delivered'))
  assert.equal(await resend(), 0)
  assert.equal(await resend({ state: 'delivered' }), 4)
  assert.deepEqual((await sent()).toSorted(), [0, 1, 2, 3])
  assert.equal(await resend({ state: 'withheld' }), 0)
})

test('two requests at once send an event once', async () => {
  const { resend, sent } = await withFailures(await signUp(app, 'Ada'))
  const counts = await Promise.all([resend(), resend(), resend({ state: 'any' })])
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    4,
    JSON.stringify(counts),
  )
  assert.deepEqual((await sent()).toSorted(), [0, 1, 2, 3])
})

test('an event that is refused again is retried as a new one is, and its attempts count on', async () => {
  const dora = await signUp(app, 'Dora')
  const { receiver, webhook, events, resend, sent } = await withFailures(dora)
  const read = async () => done(dora.send('GET', webhookPath(webhook, `/deliveries/${events[2]}`)))
  const before = (await read()).attempts
  assert.ok(before > 9)
  receiver.answer = () => ({ status: 500 })
  assert.equal(await resend({ eventId: events[2] }), 1)
  const waits: number[] = []
  for (let attempt = 1; attempt <= 3; attempt++) {
    assert.deepEqual(await sent(), [2])
    const { nextAttemptOn, attempts, state, outOfOrder } = await read()
    assert.deepEqual([attempts, state, outOfOrder], [before + attempt, 'waiting', true])
    waits.push(Date.parse(nextAttemptOn) - clock.now().getTime())
    clock.set(nextAttemptOn)
  }
  const bounds = [5_000, 30_000, 180_000]
  for (const [index, wait] of waits.entries()) {
    const least = bounds[index] ?? 0
    assert.ok(wait >= least && wait <= 1.2 * least, `wait ${wait}`)
  }
  for (let hours = 0; hours < 4 * 24; hours += 1) {
    clock.advance(60 * minuteMs)
    await deliverDue(app)
  }
  assert.equal((await read()).state, 'failed', 'for three days')
})

test('a webhook that is off, an unknown event and a stranger are refused', async () => {
  const bob = await signUp(app, 'Bea')
  const { webhook, events } = await withFailures(bob)
  const path = webhookPath(webhook, '/resend')
  await refused(mallory.send('POST', path, {}), 404, 'webhook_not_found')
  for (const eventId of ['x', bob.profile._id]) {
    await refused(bob.send('POST', path, { eventId }), 404, 'delivery_not_found')
  }
  const both = { eventId: events[0], from: '2029-01-01T00:00:00Z', to: '2029-01-02T00:00:00Z', state: 'any' }
  assert.deepEqual(violationsOf(await bob.send('POST', path, both)), [
    '/from not_together',
    '/state not_together',
    '/to not_together',
  ])
  const at = '2029-01-01T00:00:00Z'
  assert.deepEqual(violationsOf(await bob.send('POST', path, { from: at, to: at })), ['/to not_after_start'])
  assert.deepEqual(violationsOf(await bob.send('POST', path, { from: 'x', to: 'y' })), [
    '/from bad_format',
    '/to bad_format',
  ])
  await done(bob.send('PUT', webhookPath(webhook), { active: false }))
  await refused(bob.send('POST', path, {}), 409, 'webhook_disabled')

  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, bob, { scopes, clock })).access_token)
  const ofGrant = await createWebhook(await tokenWith('user:read', 'meeting:read'))
  const narrow = await tokenWith('user:read')
  await refused(narrow.send('POST', webhookPath(ofGrant, '/resend'), {}), 403, 'insufficient_scope')
})
