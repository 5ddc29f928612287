import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { type Person, password, sendRequest, signUp, standUp } from '../../test/people.ts'
import { createClock, startApp, tokenIn } from '../../test/start-app.ts'
import { type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { ...loopbackReceivers, EMAIL_VERIFICATION: 'off' } })
await signUp(app, 'Olga')
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
const lanesOf = (webhookId: string) =>
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
  test(`${what} switches the webhooks of ${name} off, with what waits, and no others`, async () => {
    const person = await signUp(app, name)
    const stranger = await signUp(app, `Not-${name}`)
    const receiver = await startReceiver()
    const [waiting, failed] = [await refusing(person, receiver), await probed(person, receiver)]
    const ofStranger = await refusing(stranger, await startReceiver())
    const planner = await approvedApp(app, person, { name: `App of ${name}` })
    const ofApp = await insertWebhook(app, person, receiver, { owner: 'app', app: planner })
    clock.advance(60_000)
    const at = clock.now()

    assert.equal((await end(person)).status, 200)
    assert.deepEqual(await rowOf(waiting), { disabledAt: at, disabledBecause: 'owner', nextProbeAt: null })
    assert.deepEqual(await statesOf(app, waiting), ['failed'])
    assert.deepEqual(await lanesOf(waiting), [])
    const { disabledBecause, nextProbeAt } = await rowOf(failed)
    assert.deepEqual([disabledBecause, nextProbeAt], ['owner', null], 'it is not probed, and stays off')
    for (const other of [ofStranger, ofApp]) assert.equal((await rowOf(other)).disabledAt, null)
    assert.equal((await lanesOf(ofStranger)).length, 1)

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
