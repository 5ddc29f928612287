import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readEvents } from '../../test/event-reader.ts'
import { meetPeople, type Person, standUp } from '../../test/people.ts'
import { runTask } from '../../test/run-task.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'
import { probeWebhooksJob, watchFailingWebhooksJob } from './webhook-health.ts'

const start = '2030-01-01T00:00:00.000Z'
const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs
const clock = createClock(start)
const app = await startApp({ clock, environment: loopbackReceivers })
const { alice, bob } = await meetPeople(app)

afterEach(async () => {
  await app.database.deleteFrom('webhook').execute()
  await app.mails()
  clock.set(start)
})

const create = (host: Person) => host.send('POST', '/api/meeting?sendUpdates=none', standUp())
const run = (name: string) =>
  runTask(Object.fromEntries(Object.entries(app.taskList).filter(([task]) => task === name)))
const watch = () => run(watchFailingWebhooksJob.name)
const probe = () => run(probeWebhooksJob.name)
const sentTo = async ({ email }: Person) =>
  (await app.mails()).filter(({ to }) => to === email).map(({ subject }) => subject)

/** A webhook of Alice whose receiver refuses everything; the machine's time is not that of the test. */
async function failing(): Promise<{ id: string; receiver: Receiver }> {
  const receiver = await startReceiver()
  const id = await insertWebhook(app, alice, receiver)
  receiver.secrets.length = 0
  receiver.answer = () => ({ status: 500 })
  await app.mails()
  await create(alice)
  await deliverDue(app)
  return { id, receiver }
}

const stateOf = (id: string) =>
  app.database
    .selectFrom('webhook')
    .select(['disabledBecause', 'failingSince', 'nextProbeAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('its owner is emailed once after a day without success, and after three it is switched off, once', async () => {
  const { id, receiver } = await failing()
  clock.advance(dayMs - 1)
  await watch()
  assert.deepEqual(await sentTo(alice), [])
  clock.advance(1)
  await watch()
  await watch()
  const { host } = new URL(receiver.url)
  assert.deepEqual(await sentTo(alice), [`Your webhook at ${host} has taken no events for a day`])
  clock.advance(2 * dayMs - 1)
  await watch()
  assert.equal((await stateOf(id)).disabledBecause, null)
  clock.advance(1)
  await watch()
  await watch()
  assert.deepEqual(await sentTo(alice), [`Your webhook at ${host} was switched off`])
  assert.equal((await stateOf(id)).disabledBecause, 'no_success')
  assert.deepEqual(await statesOf(app, id), ['failed'])
  const sent = receiver.requests.length
  await create(alice)
  await deliverDue(app)
  assert.equal(receiver.requests.length, sent)
  const { events } = await readEvents(app, alice, 'type=webhook.disabled')
  assert.deepEqual(
    events.map(({ subject }) => subject),
    [id],
  )
})

test('one success, also just before the end, begins the three days anew', async () => {
  const { id, receiver } = await failing()
  clock.advance(dayMs)
  await watch()
  receiver.answer = () => ({ status: 200 })
  await deliverDue(app)
  assert.equal((await stateOf(id)).failingSince, null)
  receiver.answer = () => ({ status: 500 })
  await create(alice)
  await deliverDue(app)
  clock.advance(3 * dayMs - 1)
  await watch()
  assert.equal((await stateOf(id)).disabledBecause, null)
  // The second failure of a day is emailed as well.
  assert.equal((await sentTo(alice)).length, 2)
})

test('it is probed each hour; one that is back is switched on, and is sent the time that it has missed and what follows', async () => {
  const { id, receiver } = await failing()
  clock.advance(3 * dayMs)
  await watch()
  await create(alice)
  await app.publishEvents()
  clock.advance(hourMs - 1)
  const before = receiver.requests.length
  await probe()
  assert.equal(receiver.requests.length, before)
  clock.advance(1)
  await Promise.all([probe(), probe()])
  assert.deepEqual(
    receiver.requests.slice(before).map(({ event }) => [event.type, event.test, event.subject]),
    [['webhook.test', true, id]],
  )
  receiver.answer = () => ({ status: 204 })
  clock.advance(hourMs)
  await probe()
  assert.equal((await stateOf(id)).disabledBecause, null)
  await create(alice)
  receiver.taken.length = 0
  await deliverDue(app)
  const to = new Date(Date.parse(start) + 3 * dayMs + 2 * hourMs).toISOString()
  assert.deepEqual(
    receiver.taken.map(({ type, data }) => [type, 'from' in data ? [data.from, data.to] : []]),
    [
      ['webhook.gap', [start, to]],
      ['meeting.created', []],
    ],
  )
})

test('after five days it is not probed any more', async () => {
  const { id, receiver } = await failing()
  clock.advance(3 * dayMs)
  await watch()
  const before = receiver.requests.length
  for (let hour = 0; hour < 6 * 24; hour += 1) {
    clock.advance(hourMs)
    await probe()
  }
  assert.equal(receiver.requests.length - before, 5 * 24)
  assert.equal((await stateOf(id)).nextProbeAt, null)
})

test('the owner alone is emailed; Bob, whose webhook works, is not', async () => {
  const receiver = await startReceiver()
  const id = await insertWebhook(app, bob, receiver)
  receiver.secrets.length = 0
  await failing()
  await create(bob)
  await deliverDue(app)
  clock.advance(3 * dayMs)
  await watch()
  assert.deepEqual(await sentTo(bob), [])
  assert.equal((await stateOf(id)).disabledBecause, null)
})
