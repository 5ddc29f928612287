import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readEvents } from '../../test/event-reader.ts'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { done } from '../../test/oauth/apps.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { type Person, password, sendRequest, signUp, standUp } from '../../test/people.ts'
import { createClock, startApp, tokenIn } from '../../test/start-app.ts'
import { createWebhook, scriptOf, webhookPath, withToken } from '../../test/webhooks/manage-webhooks.ts'
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { ...loopbackReceivers, EMAIL_VERIFICATION: 'off' } })
const olga = await signUp(app, 'Olga')
const newPassword = 'a wholly new passphrase'

afterEach(async () => {
  await app.mails()
})

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

for (const [name, end, what] of [
  ['Alice', changePassword, 'a new password that signs out everywhere'],
  ['Bob', resetVerified, 'a new password by an emailed link'],
  ['Carol', resetPassword, 'the claim of an account whose address was not verified'],
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
    await done(person.send('PUT', webhookPath({ _id: byOwner }), { active: false }))
    await app.mails()
    clock.advance(60_000)
    const at = clock.now()

    assert.equal((await end(person)).status, 200)
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
  assert.equal((await changePassword(dora, { signOutEverywhere: false })).status, 200)
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
  await done(changePassword(eve))
  const notices = (await app.mails()).filter(({ subject }) => subject === 'Your webhooks were switched off')
  assert.equal(notices.length, 1)
  assert.equal((await done(eve.send('GET', webhookPath(mine)))).disabledBecause, 'signed_out')
  const { events } = await readEvents(app, eve, 'type=webhook.disabled')
  assert.deepEqual(
    events.map(({ subject }) => subject),
    [mine._id],
  )
  clock.advance(1_000)
  const again = await ofGrant()
  await app.taskList['forget-expired']?.({}, { job: { id: 1 } })
  const left = await app.database.selectFrom('webhook').select('id').where('accountId', '=', eve.profile._id).execute()
  assert.deepEqual(left.map(({ id }) => id).toSorted(), [mine._id, again._id].toSorted())
  assert.ok(!left.some(({ id }) => old.some(({ _id }) => _id === id)))
})

test('a closed account is emailed nothing about its webhooks', async () => {
  const finn = await signUp(app, 'Finn')
  await createWebhook(finn)
  await app.mails()
  await done(finn.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'cancel' }))
  assert.ok(!(await app.mails()).some(({ subject }) => subject === 'Your webhooks were switched off'))
})
