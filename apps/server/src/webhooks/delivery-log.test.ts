import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { type Person, schedule, signUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { createWebhook, type Sender, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

const { app, clock, olga, meet } = await useApp({
  emails: 'dropped',
  environment: loopbackReceivers,
  start: '2029-12-01T09:00:00Z',
})
const minuteMs = 60_000

afterEach(() => app.database.deleteFrom('webhook').execute())

type Delivery = { eventId: string; state: string; nextAttemptOn: string | null }
const deliveries = async (sender: Sender, webhook: { _id: string }, query = '') =>
  (await expectOk(sender.send('GET', webhookPath(webhook, `/deliveries?${query}`)))) as {
    deliveries: Delivery[]
    moreAvailable: boolean
    nextCursor: string | null
  }

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
    (await expectOk(person.send('POST', webhookPath(webhook, '/resend'), body), 202)).count
  const sent = async () => {
    await deliverDue(app)
    return receiver.requests.splice(0).map(({ event }) => events.indexOf(event.id))
  }
  return { receiver, webhook, events, times, resend, sent }
}

test('a delivery shows its event and what came of it', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const webhook = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  const meeting = await schedule(alice)
  await deliverDue(app)
  const { deliveries: listed, ...page } = await deliveries(alice, webhook)
  assert.deepEqual(page, { moreAvailable: false, nextCursor: null })
  const at = clock.now().toISOString()
  assert.deepEqual(listed, [
    {
      eventId: receiver.taken[0]?.id,
      type: 'meeting.created',
      subject: meeting._id,
      sequence: 1,
      timestamp: at,
      state: 'delivered',
      outOfOrder: false,
      attempts: 1,
      lastAttemptOn: at,
      lastStatus: 204,
      nextAttemptOn: null,
    },
  ])
})

test('the newest come first, in pages, of all states or of one', async () => {
  const [bob] = await meet('Bob')
  const receiver = await startReceiver()
  const webhook = await createWebhook(bob, { url: receiver.url, types: ['meeting.created'] })
  for (let count = 1; count <= 5; count++) {
    const isTaken = count % 2 === 1
    receiver.answer = () => ({ status: isTaken ? 204 : 500 })
    await schedule(bob)
    await deliverDue(app)
  }
  const all = (await deliveries(bob, webhook)).deliveries
  assert.deepEqual(
    all.map(({ eventId }) => eventId),
    receiver.requests.map(({ event }) => event.id).reverse(),
  )
  const first = await deliveries(bob, webhook, 'limit=2')
  assert.deepEqual([first.deliveries, first.moreAvailable], [all.slice(0, 2), true])
  const second = await deliveries(bob, webhook, `limit=2&after=${first.nextCursor}`)
  assert.deepEqual([second.deliveries, second.moreAvailable], [all.slice(2, 4), true])
  const last = await deliveries(bob, webhook, `limit=2&after=${second.nextCursor}`)
  assert.deepEqual([last.deliveries, last.moreAvailable, last.nextCursor], [all.slice(4), false, null])

  const ofState = async (state: string) => (await deliveries(bob, webhook, `state=${state}`)).deliveries
  assert.deepEqual(
    await ofState('delivered'),
    all.filter(({ state }) => state === 'delivered'),
  )
  assert.equal((await ofState('delivered')).length, 3)
  assert.equal((await ofState('waiting')).length, 2)
  assert.deepEqual([await ofState('failed'), await ofState('withheld')], [[], []])
})

test('of a meeting, only the first waiting event has a time', async () => {
  const [carol] = await meet('Carol')
  const receiver = await startReceiver()
  receiver.answer = () => ({ status: 500 })
  const webhook = await createWebhook(carol, { url: receiver.url, types: ['meeting.created', 'meeting.cancelled'] })
  const meeting = await schedule(carol)
  await expectOk(carol.send('POST', `/api/meeting/cancel/${meeting._id}`, { cancel: 'all' }))
  await deliverDue(app)
  const [cancelled, created] = (await deliveries(carol, webhook, 'state=waiting')).deliveries
  const nextMs = Date.parse(created?.nextAttemptOn ?? '') - clock.now().getTime()
  assert.ok(nextMs >= 5_000 && nextMs <= 6_000, `${nextMs}`)
  assert.equal(cancelled?.nextAttemptOn, null)
})

test('strangers and narrow tokens read no log, and wrong queries are refused', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const webhook = await createWebhook(alice, { types: ['meeting.created'] })
  const path = webhookPath(webhook, '/deliveries')
  await expectProblem(mallory.send('GET', path), 'webhook_not_found')
  await expectProblem((await scriptOf(app, alice, ['user:read'])).send('GET', path), 'webhook_not_found')
  await expectOk((await scriptOf(app, alice, ['meeting:read'])).send('GET', path))
  await expectProblem(alice.send('GET', `${path}?after=x`), 'invalid_request', ['/after bad_format'])
  await expectProblem(alice.send('GET', `${path}?state=x`), 'invalid_request', ['/state not_allowed'])
  await expectProblem(alice.send('GET', `${path}?limit=101`), 'invalid_request', ['/limit too_large'])
  await expectOk(alice.send('GET', `${path}?limit=100`))
  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, alice, { scopes, clock })).access_token)
  const whole = await tokenWith('user:read', 'meeting:read')
  const ofGrant = await createWebhook(whole)
  await expectOk(whole.send('GET', webhookPath(ofGrant, '/deliveries')))
  const narrow = await tokenWith('user:read')
  await expectProblem(narrow.send('GET', webhookPath(ofGrant, '/deliveries')), 'insufficient_scope')
})

test('a delivery shows each attempt with what was sent and what came back', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const start = clock.now().toISOString()
  const webhook = await createWebhook(olga, { url: receiver.url, types: ['meeting.created'], everyone: true })
  receiver.answer = () => ({ status: 503, headers: { 'x-reason': 'restart' }, body: 'b'.repeat(5_000) })
  await schedule(alice)
  await deliverDue(app)
  clock.advance(10_000)
  receiver.answer = () => ({ status: 200, body: 'thanks' })
  await deliverDue(app)
  const [first, second] = receiver.requests
  const path = webhookPath(webhook, `/deliveries/${first?.event.id}`)
  const { attemptLog, ...delivery } = await expectOk(olga.send('GET', path))
  assert.deepEqual(
    [delivery, ...(await expectOk(olga.send('GET', webhookPath(webhook, '/deliveries')))).deliveries].map(
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
      { number: 1, status: 503, error: null, attemptedOn: start },
      { number: 2, status: 200, error: null, attemptedOn: clock.now().toISOString() },
    ],
  )
  assert.deepEqual([attemptLog[0].requestBody, attemptLog[1].requestBody], [first?.body, second?.body])
  assert.equal(attemptLog[1].requestHeaders['webhook-signature'], second?.headers['webhook-signature'])
  assert.deepEqual([attemptLog[0].responseHeaders['x-reason'], attemptLog[0].responseBody.length], ['restart', 4_096])
  assert.equal(attemptLog[1].responseBody, 'thanks')
  assert.ok(!JSON.stringify(attemptLog).includes(webhook.secret.slice('whsec_'.length)))
})

test('an attempt without a response says why', async () => {
  const [bob] = await meet('Bob')
  const receiver = await startReceiver()
  // A receiver of plain HTTP does not speak TLS.
  const webhook = await createWebhook(bob, { url: receiver.url.replace('http:', 'https:'), types: ['meeting.created'] })
  await schedule(bob)
  await deliverDue(app)
  const [{ eventId }] = (await expectOk(bob.send('GET', webhookPath(webhook, '/deliveries')))).deliveries
  const { attemptLog, lastStatus } = await expectOk(bob.send('GET', webhookPath(webhook, `/deliveries/${eventId}`)))
  const [{ status, error, responseHeaders, responseBody }] = attemptLog
  assert.deepEqual([lastStatus, status, responseHeaders, responseBody], [null, null, null, null])
  assert.match(error, /^[a-z_]+$/)
})

test('only deliveries of the webhook are found, by those who may read them', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const receiver = await startReceiver()
  const webhook = await createWebhook(alice, { types: ['meeting.updated'] })
  const { _id } = await createWebhook(alice, { url: receiver.url, types: ['meeting.created'] })
  await schedule(alice)
  await deliverDue(app)
  const { event } = receiver.requests.at(-1) ?? assert.fail('nothing was sent')
  for (const eventId of [event.id, 'x', alice.profile._id]) {
    await expectProblem(alice.send('GET', webhookPath(webhook, `/deliveries/${eventId}`)), 'delivery_not_found')
  }
  const path = webhookPath({ _id }, `/deliveries/${event.id}`)
  await expectOk(alice.send('GET', path))
  await expectProblem(mallory.send('GET', path), 'webhook_not_found')
  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, alice, { scopes, clock })).access_token)
  const whole = await tokenWith('user:read', 'meeting:read')
  await expectProblem(whole.send('GET', path), 'webhook_not_found')
  const ofGrant = webhookPath(await createWebhook(whole), `/deliveries/${event.id}`)
  await expectProblem(whole.send('GET', ofGrant), 'delivery_not_found')
  await expectProblem((await tokenWith('user:read')).send('GET', ofGrant), 'insufficient_scope')
})

test('one, a range or all that failed are sent again, each with its id', async () => {
  const [alice] = await meet('Alice')
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
  const read = async () => expectOk(dora.send('GET', webhookPath(webhook, `/deliveries/${events[2]}`)))
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
  const [bob, mallory] = await meet('Bob', 'Mallory')
  const { webhook, events } = await withFailures(bob)
  const path = webhookPath(webhook, '/resend')
  await expectProblem(mallory.send('POST', path, {}), 'webhook_not_found')
  for (const eventId of ['x', bob.profile._id]) {
    await expectProblem(bob.send('POST', path, { eventId }), 'delivery_not_found')
  }
  const both = { eventId: events[0], from: '2029-01-01T00:00:00Z', to: '2029-01-02T00:00:00Z', state: 'any' }
  await expectProblem(bob.send('POST', path, both), 'invalid_request', [
    '/from not_together',
    '/state not_together',
    '/to not_together',
  ])
  const at = '2029-01-01T00:00:00Z'
  await expectProblem(bob.send('POST', path, { from: at, to: at }), 'invalid_request', ['/to not_after_start'])
  await expectProblem(bob.send('POST', path, { from: 'x', to: 'y' }), 'invalid_request', [
    '/from bad_format',
    '/to bad_format',
  ])
  await expectOk(bob.send('PUT', webhookPath(webhook), { active: false }))
  await expectProblem(bob.send('POST', path, {}), 'webhook_disabled')

  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, bob, { scopes, clock })).access_token)
  const ofGrant = await createWebhook(await tokenWith('user:read', 'meeting:read'))
  const narrow = await tokenWith('user:read')
  await expectProblem(narrow.send('POST', webhookPath(ofGrant, '/resend'), {}), 'insufficient_scope')
})
