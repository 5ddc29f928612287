import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done, refused } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, schedule, violationsOf } from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { createWebhook, type Sender, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, loopbackReceivers } from '../../test/webhooks/webhooks.ts'

const clock = createClock('2029-12-01T09:00:00Z')
const app = await startApp({ emails: 'dropped', environment: loopbackReceivers, clock })
const { olga, alice, bob, carol, mallory } = await meetPeople(app)

type Delivery = { eventId: string; state: string; nextAttemptOn: string | null }
const deliveries = async (sender: Sender, webhook: { _id: string }, query = '') =>
  (await done(sender.send('GET', webhookPath(webhook, `/deliveries?${query}`)))) as {
    deliveries: Delivery[]
    moreAvailable: boolean
    nextCursor: string | null
  }

test('a delivery shows its event and what came of it', async () => {
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
  const receiver = await startReceiver()
  receiver.answer = () => ({ status: 500 })
  const webhook = await createWebhook(carol, { url: receiver.url, types: ['meeting.created', 'meeting.cancelled'] })
  const meeting = await schedule(carol)
  await done(carol.send('POST', `/api/meeting/cancel/${meeting._id}`, { cancel: 'all' }))
  await deliverDue(app)
  const [cancelled, created] = (await deliveries(carol, webhook, 'state=waiting')).deliveries
  const nextMs = Date.parse(created?.nextAttemptOn ?? '') - clock.now().getTime()
  assert.ok(nextMs >= 5_000 && nextMs <= 6_000, `${nextMs}`)
  assert.equal(cancelled?.nextAttemptOn, null)
})

test('strangers and narrow tokens read no log, and wrong queries are refused', async () => {
  const webhook = await createWebhook(alice, { types: ['meeting.created'] })
  const path = webhookPath(webhook, '/deliveries')
  await refused(mallory.send('GET', path), 404, 'webhook_not_found')
  await refused((await scriptOf(app, alice, ['user:read'])).send('GET', path), 404, 'webhook_not_found')
  await done((await scriptOf(app, alice, ['meeting:read'])).send('GET', path))
  assert.deepEqual(violationsOf(await alice.send('GET', `${path}?after=x`)), ['/after bad_format'])
  assert.deepEqual(violationsOf(await alice.send('GET', `${path}?state=x`)), ['/state not_allowed'])
  assert.deepEqual(violationsOf(await alice.send('GET', `${path}?limit=101`)), ['/limit too_large'])
  await done(alice.send('GET', `${path}?limit=100`))
  const planner = await approvedApp(app, olga)
  const tokenWith = async (...scopes: ('user:read' | 'meeting:read')[]) =>
    withToken(app, (await tokensFor(app, planner, alice, { scopes, clock })).access_token)
  const whole = await tokenWith('user:read', 'meeting:read')
  const ofGrant = await createWebhook(whole)
  await done(whole.send('GET', webhookPath(ofGrant, '/deliveries')))
  const narrow = await tokenWith('user:read')
  await refused(narrow.send('GET', webhookPath(ofGrant, '/deliveries')), 403, 'insufficient_scope')
})
