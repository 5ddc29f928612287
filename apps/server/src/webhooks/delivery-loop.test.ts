import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { type Person, signUp, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'
import { webhookPath } from '../../test/webhooks/manage-webhooks.ts'
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'
import { retryOnConflict } from '../platform/database/database.ts'
import { freeSlotsDivisor, maxRunning, pollIntervalMs, slowMs } from './delivery-loop.ts'

const { app, clock, meet } = await useApp({
  emails: 'dropped',
  environment: loopbackReceivers,
  start: new Date().toISOString(),
})

/** Delete all webhooks, or those of others than one person, and abort their attempts. Some may just be recorded. */
async function deleteWebhooks({ but }: { but?: Person } = {}) {
  await retryOnConflict(() =>
    app.database
      .deleteFrom('webhook')
      .$if(but !== undefined, (query) => query.where('accountId', '!=', but?.profile._id ?? ''))
      .execute(),
  )
  clock.advance(pollIntervalMs)
  await app.webhooks.startDue()
  await app.webhooks.idle()
}

afterEach(() => deleteWebhooks())

async function create(...hosts: Person[]) {
  for (const host of hosts)
    await expectOk(host.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] })))
  await app.publishEvents()
}

const silence = new Promise<never>(() => {})

/** A receiver that never answers. */
async function startSilent(): Promise<Receiver> {
  const receiver = await startReceiver()
  receiver.answer = () => ({ status: 204, until: silence })
  return receiver
}

/** A webhook whose receiver has taken an event before. */
async function insertProven(maker: Person, receiver: Receiver): Promise<string> {
  const id = await insertWebhook(app, maker, receiver)
  await app.database.updateTable('webhook').set({ lastSuccessAt: clock.now() }).where('id', '=', id).execute()
  return id
}

/** Insert many webhooks whose receiver verifies nothing: it would compute a signature for each of them. */
async function insertMany(maker: Person, receiver: Receiver, count: number) {
  for (let made = 0; made < count; made += 1) await insertWebhook(app, maker, receiver)
  receiver.secrets.length = 0
}

async function startAll() {
  while ((await app.webhooks.startDue()) > 0);
}

/** Whether an event that is due for this receiver leaves, and is taken, while others are under way. */
async function leavesAtOnce(receiver: Receiver): Promise<boolean> {
  const before = receiver.requests.length
  if ((await app.webhooks.startDue()) === 0) return false
  await receiver.arrived(before + 1)
  return true
}

test('256 older webhooks of one account, whose receiver does not answer, do not delay that of another one', async () => {
  const [bob, mallory] = await meet('Bob', 'Mallory')
  const [silent, prompt] = [await startSilent(), await startReceiver()]
  await insertMany(mallory, silent, maxRunning)
  await insertWebhook(app, bob, prompt)
  await create(mallory, mallory)
  await startAll()
  assert.equal(app.webhooks.countRunning(), Math.floor(maxRunning / (freeSlotsDivisor + 1)))
  await create(bob)
  assert.equal(await leavesAtOnce(prompt), true)
})

test('events of two accounts that are due together leave together, however many one of them has', async () => {
  const [bob, mallory] = await meet('Bob', 'Mallory')
  const [silent, prompt] = [await startSilent(), await startReceiver()]
  await insertMany(mallory, silent, 100)
  await insertWebhook(app, bob, prompt)
  await create(mallory, bob)
  assert.equal(await leavesAtOnce(prompt), true)
})

test('a dozen accounts leave a quarter of the attempts to others, and while they are slow half', async () => {
  const [bob] = await meet('Bob')
  const [silent, prompt] = [await startSilent(), await startReceiver()]
  const attackers: Person[] = []
  for (let number = 1; number <= 12; number += 1) attackers.push(await signUp(app, `Attacker${number}`))
  for (const attacker of attackers) await insertMany(attacker, silent, 20)
  await insertWebhook(app, bob, prompt)
  await create(...attackers)
  await startAll()
  assert.equal(app.webhooks.countRunning(), (maxRunning * 3) / 4)
  await create(bob)
  assert.equal(await leavesAtOnce(prompt), true)

  // They are known to be slow, though their webhooks are others, and none of their attempts has ended by itself.
  clock.advance(slowMs)
  await app.webhooks.startDue()
  await deleteWebhooks({ but: bob })
  for (const attacker of attackers) await insertMany(attacker, silent, 20)
  await create(...attackers)
  await startAll()
  const underWay = app.webhooks.countRunning()
  assert.ok(underWay > 12 && underWay < maxRunning / 2, String(underWay))
  await create(bob)
  assert.equal(await leavesAtOnce(prompt), true)
})

test('a slow account stays slow when it makes its webhook again, until an event is taken quickly', async () => {
  const [mallory] = await meet('Mallory')
  const receiver = await startSilent()
  await insertProven(mallory, receiver)
  await create(mallory)
  await app.webhooks.startDue()
  clock.advance(slowMs)
  await app.webhooks.startDue()
  await deleteWebhooks()

  receiver.answer = () => ({ status: 204 })
  await insertProven(mallory, receiver)
  receiver.secrets.length = 0
  await create(mallory, mallory, mallory)
  assert.equal(await app.webhooks.startDue(), 1)
  await app.webhooks.idle()
  // The two that wait, and the queue that has become empty.
  assert.equal(await app.webhooks.startDue(), 3)
  await app.webhooks.idle()
})

test('a new receiver gets one event at a time until it has taken one, then eight', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  await insertWebhook(app, alice, receiver)
  const mayAnswer = Promise.withResolvers<void>()
  receiver.answer = () => ({ status: 204, until: mayAnswer.promise })
  await create(...Array<Person>(10).fill(alice))
  assert.equal(await app.webhooks.startDue(), 1)
  assert.equal(await app.webhooks.startDue(), 0)
  mayAnswer.resolve()
  await app.webhooks.idle()
  receiver.answer = () => ({ status: 204, until: silence })
  // The queue that has become empty is one of the eight.
  await startAll()
  while (app.webhooks.countRunning() > 8) await app.webhooks.nextEnd()
  await startAll()
  assert.equal(app.webhooks.countRunning(), 8)
})

test('the webhooks of one account take turns, however many events one of them has', async () => {
  const [alice] = await meet('Alice')
  const [busy, other] = [await startSilent(), await startReceiver()]
  await insertProven(alice, busy)
  await insertWebhook(app, alice, other)
  busy.secrets.length = 0
  await create(...Array<Person>(60).fill(alice))
  assert.equal(await leavesAtOnce(other), true)
})

for (const [how, end] of [
  ['deleting', (alice: Person, id: string) => alice.send('DELETE', webhookPath({ _id: id }))],
  ['switching off', (alice: Person, id: string) => alice.send('PUT', webhookPath({ _id: id }), { active: false })],
] as const) {
  test(`${how} a webhook aborts its attempts, and records none`, async () => {
    const [alice, bob] = await meet('Alice', 'Bob')
    const [silent, prompt] = [await startSilent(), await startReceiver()]
    const id = await insertWebhook(app, alice, silent)
    const kept = await insertWebhook(app, bob, prompt)
    const mayAnswer = Promise.withResolvers<void>()
    prompt.answer = () => ({ status: 204, until: mayAnswer.promise })
    await create(alice, bob)
    await app.webhooks.startDue()
    await Promise.all([silent.arrived(1), prompt.arrived(1)])
    clock.advance(pollIntervalMs)
    await app.webhooks.startDue()
    assert.equal(app.webhooks.countRunning(), 2)
    const closed = silent.closed()
    const aborted = app.webhooks.countOf('aborted')
    await expectOk(end(alice, id))
    clock.advance(pollIntervalMs)
    await app.webhooks.startDue()
    await closed
    mayAnswer.resolve()
    await app.webhooks.idle()
    await deliverDue(app)
    assert.equal(app.webhooks.countOf('aborted'), aborted + 1)
    assert.deepEqual(await statesOf(app, kept), ['delivered'])
    assert.deepEqual(await statesOf(app, id), how === 'deleting' ? [] : ['failed'])
    const attempts = await app.database.selectFrom('webhookAttempt').select('webhookId').execute()
    assert.deepEqual(attempts, [{ webhookId: kept }])
  })
}
