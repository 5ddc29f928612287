import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readEvents } from '../../test/event-reader.ts'
import { type Person, signUp, standUp } from '../../test/people.ts'
import { startApp } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'
import { type Received, type Receiver, startReceiver } from '../../test/webhooks/receiver.ts'
import { deliverDue, insertWebhook, loopbackReceivers, statesOf } from '../../test/webhooks/webhooks.ts'
import { secureRandom } from '../platform/random.ts'
import { slowMs } from './delivery-loop.ts'
import { encryptSecret, newWebhookSecret } from './webhook-secret.ts'

const { app, clock, olga, meet } = await useApp({
  emails: 'dropped',
  environment: loopbackReceivers,
  start: new Date().toISOString(),
})

async function create(host: Person, changes: object = {}) {
  const { body } = await host.send('POST', '/api/meeting?sendUpdates=none', standUp(changes))
  return body.meetingDetails as { _id: string; pin: string; svcMeetId: string; __v: number }
}
const rename = (host: Person, { _id }: { _id: string }, topic: string) =>
  host.send('PUT', `/api/meeting/meetingDetails/${_id}?sendUpdates=none`, standUp({ topic }))

const named = (events: readonly Received[]) => events.map(({ type, sequence }) => `${sequence} ${type}`)
const minutes = (count: number) => clock.advance(count * 60_000)

/** The library of Standard Webhooks refuses timestamps that are five minutes away from the machine's time. */
const withoutVerification = (receiver: Receiver) => {
  receiver.secrets.length = 0
}

afterEach(() => app.database.deleteFrom('webhook').execute())

test('a receiver gets each event of its owner once, signed, as the log has it, and nothing of others', async () => {
  const [alice, mallory] = await meet('Alice', 'Mallory')
  const receiver = await startReceiver()
  await insertWebhook(app, alice, receiver)
  const meeting = await create(alice)
  await rename(alice, meeting, 'Planning')
  await create(mallory)
  await deliverDue(app)
  const { events } = await readEvents(app, alice, `meetingId=${meeting._id}`)
  assert.deepEqual(receiver.taken, events)
  assert.deepEqual(named(receiver.taken), ['1 meeting.created', '2 meeting.updated'])
  assert.deepEqual(receiver.forged, [])
  const [first] = receiver.requests
  assert.equal(first?.headers['webhook-id'], events[0]?.id)
  assert.match(first?.headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
  assert.equal(first?.headers['content-type'], 'application/json')
  await deliverDue(app)
  assert.equal(receiver.requests.length, 2)
  assert.deepEqual(await app.database.selectFrom('webhookLane').selectAll().execute(), [])
})

test('the next event of a meeting leaves when the one before was taken; other meetings do not wait', async () => {
  const [bob] = await meet('Bob')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, bob, receiver)
  const [slow, quick] = [await create(bob), await create(bob)]
  await rename(bob, slow, 'Planning')
  let isBroken = true
  receiver.answer = ({ subject }) => ({ status: isBroken && subject === slow._id ? 500 : 204 })
  await deliverDue(app)
  assert.deepEqual(named(receiver.taken), ['1 meeting.created'])
  assert.equal(receiver.taken[0]?.subject, quick._id)
  assert.equal(receiver.requests.length, 2)
  // Before its time, nothing is repeated.
  clock.advance(4_999)
  await deliverDue(app)
  assert.equal(receiver.requests.length, 2)
  minutes(1)
  isBroken = false
  await deliverDue(app)
  assert.deepEqual(named(receiver.taken.slice(1)), ['1 meeting.created', '2 meeting.updated'])
  const [, , ...repeated] = receiver.requests.map(({ headers }) => headers['webhook-id'])
  const firstRefused = receiver.requests.find(({ event }) => event.subject === slow._id)
  assert.equal(repeated[0], firstRefused?.event.id)
  assert.deepEqual(await statesOf(app, id), ['delivered', 'delivered', 'delivered'])
})

test('after six refusals the later events go ahead, the refused one is repeated beside them for three days', async () => {
  const [carol] = await meet('Carol')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, carol, receiver)
  withoutVerification(receiver)
  const meeting = await create(carol)
  receiver.answer = ({ type }) => ({ status: type === 'meeting.created' ? 503 : 204 })
  await rename(carol, meeting, 'Planning')
  for (let sent = 1; sent <= 6; sent += 1) {
    await deliverDue(app)
    assert.equal(receiver.requests.filter(({ event }) => event.type === 'meeting.created').length, sent)
    assert.equal(receiver.taken.length, sent === 6 ? 1 : 0)
    minutes(25)
  }
  assert.deepEqual(named(receiver.taken), ['2 meeting.updated'])
  for (let hour = 0; hour < 80; hour += 1) {
    minutes(60)
    await deliverDue(app)
  }
  assert.deepEqual(await statesOf(app, id), ['failed', 'delivered'])
  const attempts = receiver.requests.filter(({ event }) => event.type === 'meeting.created')
  assert.ok(attempts.length >= 12 && attempts.length <= 18, String(attempts.length))
  assert.equal(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size, 1)
})

test('Retry-After is honoured', async () => {
  const [mallory] = await meet('Mallory')
  const erin = mallory
  const receiver = await startReceiver()
  await insertWebhook(app, erin, receiver, { types: ['meeting.cancelled'] })
  withoutVerification(receiver)
  const { _id } = await create(erin)
  await erin.send('POST', `/api/meeting/cancel/${_id}?sendUpdates=none`, { cancel: 'all' })
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '3600' } })
  await deliverDue(app)
  receiver.answer = () => ({ status: 200 })
  minutes(59)
  await deliverDue(app)
  assert.deepEqual(named(receiver.taken), [])
  minutes(1)
  await deliverDue(app)
  assert.deepEqual(named(receiver.taken), ['2 meeting.cancelled'])
})

test('410 switches the webhook off: what waits is given up, and its owner finds webhook.disabled in the log', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, alice, receiver)
  await Promise.all([create(alice), create(alice), create(alice)])
  receiver.answer = () => ({ status: 410 })
  await deliverDue(app)
  await create(alice)
  await deliverDue(app)
  assert.ok(receiver.requests.length <= 3)
  assert.deepEqual(await statesOf(app, id), ['failed', 'failed', 'failed'])
  const { disabledBecause } = await app.database
    .selectFrom('webhook')
    .select('disabledBecause')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(disabledBecause, 'gone')
  const { events } = await readEvents(app, alice, 'type=webhook.disabled')
  assert.deepEqual(
    events.map(({ subject, data }) => [subject, data]),
    [[id, { userId: alice.profile._id, webhookId: id }]],
  )
})

test('a redirect is refused and not followed, and what it leads to is not requested', async () => {
  const [alice] = await meet('Alice')
  const [receiver, inside] = [await startReceiver(), await startReceiver()]
  const id = await insertWebhook(app, olga, receiver, { owner: 'organisation' })
  receiver.answer = () => ({ status: 307, headers: { location: inside.url }, body: 'elsewhere' })
  await create(alice)
  await deliverDue(app)
  assert.deepEqual([receiver.requests.length, inside.requests.length], [1, 0])
  const attempt = await app.database
    .selectFrom('webhookAttempt')
    .selectAll()
    .where('webhookId', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual([attempt.number, attempt.status, attempt.error, attempt.responseBody], [1, 307, null, 'elsewhere'])
  assert.equal(attempt.requestBody, receiver.requests[0]?.body)
})

test('the log keeps 4 KiB of a response, and a response of any length is taken', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, olga, receiver, { owner: 'organisation' })
  receiver.answer = () => ({ status: 200, body: `\0${'x'.repeat(1_000_000)}` })
  await create(alice)
  await deliverDue(app)
  assert.deepEqual(await statesOf(app, id), ['delivered'])
  const { responseBody } = await app.database
    .selectFrom('webhookAttempt')
    .select('responseBody')
    .where('webhookId', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(responseBody, `\uFFFD${'x'.repeat(4 * 1024 - 1)}`)
})

test('the log has nothing of what a program on this machine answers a person, except its status', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, alice, receiver)
  receiver.answer = () => ({ status: 500, headers: { 'x-inside': 'secret' }, body: 'SECRET-INTERNAL-BODY' })
  await create(alice)
  await deliverDue(app)
  const attempts = await app.database.selectFrom('webhookAttempt').selectAll().where('webhookId', '=', id).execute()
  assert.deepEqual(
    attempts.map(({ status, responseHeaders, responseBody }) => [status, responseHeaders, responseBody]),
    [[500, null, null]],
  )
})

test('the log cuts a long header of a response, and has those after it', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, olga, receiver, { owner: 'organisation' })
  receiver.answer = () => ({ status: 200, headers: { 'x-first': 'a', 'x-long': 'b'.repeat(5_000), 'x-last': 'c' } })
  await create(alice)
  await deliverDue(app)
  const { responseHeaders } = await app.database
    .selectFrom('webhookAttempt')
    .select('responseHeaders')
    .where('webhookId', '=', id)
    .executeTakeFirstOrThrow()
  const { 'x-first': first, 'x-long': long, 'x-last': last } = responseHeaders ?? {}
  assert.deepEqual([first, long, last], ['a', 'b'.repeat(512), 'c'])
})

test('during a rotation both secrets sign, afterwards the new one alone', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, alice, receiver)
  const previous = newWebhookSecret(secureRandom)
  receiver.secrets.push(previous)
  await app.database
    .updateTable('webhook')
    .set({
      encryptedPreviousSecret: encryptSecret(app.encryption, previous, id),
      previousSecretUntil: new Date(clock.now().getTime() + 60_000),
    })
    .where('id', '=', id)
    .execute()
  await create(alice)
  await deliverDue(app)
  assert.deepEqual([receiver.taken.length, receiver.forged], [1, []])
  await app.database.updateTable('webhook').set({ previousSecretUntil: clock.now() }).execute()
  await create(alice)
  await deliverDue(app)
  assert.deepEqual([receiver.taken.length, receiver.forged.length], [1, 1])
})

test('payload full has the meeting as the owner reads it, without PIN, keys and links that hold them', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  await insertWebhook(app, alice, receiver, { payload: 'full' })
  const created = await create(alice, { topic: 'Full' })
  await deliverDue(app)
  const [{ meeting } = {}] = receiver.taken
  const { body } = await alice.send('GET', `/api/meeting/meetingDetails/${created._id}`)
  const { pin, meetingUrl, addToSvcUrl, url, roomKey, roomUrl, vpin, ...rest } = body[0]
  assert.deepEqual(meeting, rest)
  for (const secret of [pin, roomKey, vpin]) assert.equal(receiver.requests[0]?.body.includes(secret), false)
})

test('an instance that dies during an attempt leaves it to another, after half a minute', async () => {
  const [alice] = await meet('Alice')
  const receiver = await startReceiver()
  const mayAnswer = Promise.withResolvers<void>()
  const id = await insertWebhook(app, alice, receiver)
  receiver.answer = () => ({ status: 204, until: mayAnswer.promise })
  await create(alice)
  await app.publishEvents()
  await app.webhooks.startDue()
  const other = await startApp({ clock, emails: 'dropped', environment: loopbackReceivers, beside: app })
  assert.equal(await other.webhooks.startDue(), 0)
  clock.advance(29_999)
  assert.equal(await other.webhooks.startDue(), 0)
  clock.advance(1)
  assert.equal(await other.webhooks.startDue(), 1)
  mayAnswer.resolve()
  await Promise.all([app.webhooks.idle(), other.webhooks.idle()])
  assert.deepEqual(await statesOf(app, id), ['delivered'])
  assert.equal(receiver.requests.length, 2)
  assert.equal(receiver.requests[0]?.headers['webhook-id'], receiver.requests[1]?.headers['webhook-id'])
})

test('a slow receiver gets one event at a time; others get theirs meanwhile', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const [slow, prompt] = [await startReceiver(), await startReceiver()]
  await insertWebhook(app, alice, slow)
  await insertWebhook(app, bob, prompt)
  await Promise.all([create(alice), create(bob)])
  await deliverDue(app)
  const mayAnswer = Promise.withResolvers<void>()
  slow.answer = () => ({ status: 204, until: mayAnswer.promise })
  await create(alice)
  await app.publishEvents()
  await app.webhooks.startDue()
  clock.advance(slowMs)
  await Promise.all([create(alice), create(alice), create(alice), create(bob), create(bob), create(bob)])
  await app.publishEvents()
  assert.equal(await app.webhooks.startDue(), 3)
  while (prompt.taken.length < 4) await app.webhooks.nextEnd()
  mayAnswer.resolve()
  await app.webhooks.idle()
  assert.equal(slow.requests.length, 2)
  await deliverDue(app)
  assert.equal(slow.taken.length, 5)
})

test('an attempt that loses a deadlock with the switching off of its webhook is recorded again', async () => {
  const app = await startApp({ emails: 'dropped', environment: loopbackReceivers })
  const alice = await signUp(app, 'Alice')
  const receiver = await startReceiver()
  const id = await insertWebhook(app, alice, receiver)
  await alice.send('POST', '/api/meeting?sendUpdates=none', standUp({ participants: [] }))
  // PostgreSQL chooses which of the two loses, so this database reports the deadlock itself: the first time.
  await app.pool.query(`create sequence attempts;
    create function lose_once() returns trigger language plpgsql as $$ begin
      if nextval('attempts') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger lose_once before insert on webhook_attempt for each row execute function lose_once()`)

  await deliverDue(app)
  const { rows } = await app.pool.query('select last_value::integer as tried from attempts')
  assert.deepEqual(rows, [{ tried: 2 }])
  assert.equal(receiver.taken.length, 1, 'the event is not sent again')
  assert.deepEqual(await statesOf(app, id), ['delivered'])
  const attempts = await app.database.selectFrom('webhookAttempt').select(['number', 'status']).execute()
  assert.deepEqual(attempts, [{ number: 1, status: 204 }])
})
