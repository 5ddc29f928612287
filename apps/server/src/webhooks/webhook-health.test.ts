import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { readEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { meetPeople, type Person, password, sendRequest, signUp, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { runTask } from '../../test/run-task.ts'
import { createClock, startApp, tokenIn } from '../../test/start-app.ts'
import { createWebhook, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'
import { probeWebhooksJob, watchFailingWebhooksJob } from './webhook-health.ts'

const start = '2030-01-01T00:00:00.000Z'
const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs
const newPassword = 'a wholly new passphrase'
const clock = createClock(start)
const app = await startApp({ clock, environment: { ...loopbackReceivers, EMAIL_VERIFICATION: 'off' } })
const { olga, alice, bob } = await meetPeople(app)

beforeEach(() => clock.set(start))
afterEach(async () => {
  await app.database.deleteFrom('webhook').execute()
  await app.mails()
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

const changePassword = (person: Person, more: object = {}) =>
  person.send('POST', '/api/auth/password', { currentPassword: password, newPassword, ...more })

async function resetPassword({ email }: Person) {
  const path = '/api/auth/password-reset'
  await sendRequest(app, 'POST', path, { email })
  const token = tokenIn((await app.mails()).find(({ to }) => to === email))
  return sendRequest(app, 'POST', path, { token, newPassword })
}

async function resetVerified(person: Person) {
  await app.database
    .updateTable('account')
    .set({ emailVerifiedAt: clock.now() })
    .where('id', '=', person.profile._id)
    .execute()
  return resetPassword(person)
}

const rowOf = (id: string) =>
  app.database
    .selectFrom('webhook')
    .select(['disabledAt', 'disabledBecause', 'nextProbeAt'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const queuesOf = (webhookId: string) =>
  app.database.selectFrom('webhookLane').select('lane').where('webhookId', '=', webhookId).execute()

/** A webhook whose receiver has refused an event, which waits. The machine's time is not that of the test. */
async function refusing(person: Person, receiver: Receiver): Promise<string> {
  const id = await insertWebhook(app, person, receiver)
  receiver.secrets.length = 0
  receiver.answer = () => ({ status: 500 })
  await person.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] }))
  await deliverDue(app)
  assert.deepEqual(await statesOf(app, id), ['waiting'])
  return id
}

async function probed(person: Person, receiver: Receiver): Promise<string> {
  const id = await insertWebhook(app, person, receiver)
  const now = clock.now()
  await app.database
    .updateTable('webhook')
    .set({ disabledAt: now, disabledBecause: 'no_success', nextProbeAt: now })
    .where('id', '=', id)
    .execute()
  return id
}

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
  assert.equal(events.filter(({ subject }) => subject === id).length, 1)
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

for (const [name, end, what] of [
  ['Anna', changePassword, 'a new password that signs out everywhere'],
  ['Ben', resetVerified, 'a new password by an emailed link'],
  ['Clara', resetPassword, 'the claim of an account whose address was not verified'],
] as const) {
  test(`${what} switches the webhooks that ${name} made off, with what waits, and no others`, async () => {
    const person = await signUp(app, name)
    const stranger = await signUp(app, `Not-${name}`)
    const receiver = await startReceiver()
    const [waiting, failed] = [await refusing(person, receiver), await probed(person, receiver)]
    const ofStranger = await refusing(stranger, await startReceiver())
    const planner = await approvedApp(app, person, { name: `App of ${name}` })
    const ofApp = await insertWebhook(app, person, receiver, { owner: 'app', app: planner })
    const ofOthersApp = await insertWebhook(app, olga, await startReceiver(), { owner: 'app', app: planner })
    const ofOrganisation = await insertWebhook(app, person, receiver, { owner: 'organisation' })
    const byOwner = await insertWebhook(app, person, receiver, { url: 'https://off.example/' })
    await expectOk(person.send('PUT', webhookPath({ _id: byOwner }), { active: false }))
    await app.mails()
    clock.advance(60_000)
    const at = clock.now()

    await expectOk(end(person))
    assert.deepEqual(await rowOf(waiting), { disabledAt: at, disabledBecause: 'signed_out', nextProbeAt: null })
    assert.deepEqual(await statesOf(app, waiting), ['failed'])
    assert.deepEqual(await queuesOf(waiting), [])
    const { disabledBecause, nextProbeAt } = await rowOf(failed)
    assert.deepEqual([disabledBecause, nextProbeAt], ['signed_out', null], 'it is not probed, and stays off')
    for (const made of [ofApp, ofOrganisation]) assert.equal((await rowOf(made)).disabledBecause, 'signed_out')
    assert.equal((await rowOf(byOwner)).disabledBecause, 'owner')
    for (const other of [ofStranger, ofOthersApp]) assert.equal((await rowOf(other)).disabledAt, null)
    const notices = (await app.mails()).filter(({ subject }) => subject === 'Your webhooks were switched off')
    assert.deepEqual(
      notices.map(({ to, text }) => [to, text.includes(new URL(receiver.url).host), text.includes('off.example')]),
      [[person.email, true, false]],
    )
    assert.equal((await queuesOf(ofStranger)).length, 1)

    const sentBefore = receiver.requests.length
    clock.advance(60 * 60_000)
    await deliverDue(app)
    assert.equal(receiver.requests.length, sentBefore)
  })
}

test('a new password that keeps Dora signed in elsewhere keeps her webhooks', async () => {
  const dora = await signUp(app, 'Dora')
  const receiver = await startReceiver()
  const id = await refusing(dora, receiver)
  await expectOk(changePassword(dora, { signOutEverywhere: false }))
  assert.equal((await rowOf(id)).disabledAt, null)
  receiver.answer = () => ({ status: 204 })
  clock.advance(60_000)
  await deliverDue(app)
  assert.deepEqual(await statesOf(app, id), ['delivered'])
})

test('webhooks of tokens and of grants end with a new password; those that Eve makes afterwards do not', async () => {
  const eve = await signUp(app, 'Eve')
  const planner = await approvedApp(app, olga, { name: 'Planner' })
  const url = 'https://planner.example.com/'
  const ofGrant = async () =>
    createWebhook(withToken(app, (await tokensFor(app, planner, eve, { clock })).access_token), { url })
  const old = [await ofGrant(), await createWebhook(await scriptOf(app, eve, ['meeting:read']), { url })]
  const mine = await createWebhook(eve, { url })
  clock.advance(1_000)
  await app.mails()
  await expectOk(changePassword(eve))
  const notices = (await app.mails()).filter(({ subject }) => subject === 'Your webhooks were switched off')
  assert.equal(notices.length, 1)
  assert.equal((await expectOk(eve.send('GET', webhookPath(mine)))).disabledBecause, 'signed_out')
  const { events } = await readEvents(app, eve, 'type=webhook.disabled')
  assert.deepEqual(
    events.map(({ subject }) => subject),
    [mine._id],
  )
  clock.advance(1_000)
  const again = await ofGrant()
  await app.taskList['delete-expired']?.({}, { job: { id: 1 } })
  const left = await app.database.selectFrom('webhook').select('id').where('accountId', '=', eve.profile._id).execute()
  assert.deepEqual(left.map(({ id }) => id).toSorted(), [mine._id, again._id].toSorted())
  assert.ok(!left.some(({ id }) => old.some(({ _id }) => _id === id)))
})

test('a closed account is emailed nothing about its webhooks', async () => {
  const finn = await signUp(app, 'Finn')
  await createWebhook(finn)
  await app.mails()
  await expectOk(finn.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'cancel' }))
  assert.ok(!(await app.mails()).some(({ subject }) => subject === 'Your webhooks were switched off'))
})
