import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cancelPath,
  detailsPath,
  type Person,
  password,
  schedule,
  sendRequest,
  signInAgain,
  standUp,
} from '../../../test/people.ts'
import { createReceiver, startPushService, verifyVapid } from '../../../test/push-service.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { as, createRecordingMedia, enter, enterAsGuest } from '../../../test/rooms/rooms.ts'
import { useApp } from '../../../test/use-app.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { secureRandom } from '../../platform/random.ts'
import { endSessionNow, recordJoin } from '../../rooms/record-attendance.ts'
import { callStartJob, startChecksJob } from '../../rooms/starting.ts'

const path = '/api/user/push-subscription'
const service = await startPushService()
const { app, clock, meet } = await useApp({
  start: '2030-01-07T08:50:00Z',
  emails: 'dropped',
  media: createRecordingMedia(),
  pushFetch: service.fetch,
  environment: { RATE_LIMITS: 'off' },
})

let browsers = 0

/** Subscribe a browser of a person; it reads what the push service received for it. */
async function subscribe(person: Person, { language = 'en', address = `/push/${++browsers}` } = {}) {
  const { keys, decrypt } = await createReceiver()
  await expectOk(person.send('PUT', path, { endpoint: `${service.origin}${address}`, keys, language }), 204)
  return {
    address,
    async messages() {
      await app.mails()
      const own = service.received.filter((one) => one.path === address)
      return Promise.all(own.map(async (one) => ({ ...one, message: JSON.parse(await decrypt(one.body)) })))
    },
  }
}

async function start() {
  clock.set('2030-01-07T08:55:00Z')
  await app.publishEvents()
  await app.taskList[startChecksJob.name]?.({}, { job: { id: 1 } })
}

const isSubscribed = async (person: Person) => (await expectOk(person.send('GET', path))).subscribed

test('a meeting that starts is pushed to the browsers of host and guests, encrypted and signed, without a secret', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const [ofAlice, ofBob] = [await subscribe(alice), await subscribe(bob, { language: 'ar' })]
  const meeting = await schedule(alice, standUp({ topic: 'Plan', participants: [bob.email] }))
  await start()
  const [push, ...others] = await ofAlice.messages()
  assert.ok(push)
  assert.deepEqual(others, [])
  const { tag, ...message } = push.message
  assert.deepEqual(message, {
    title: 'Plan',
    body: 'Starts in 5 minutes',
    language: 'en',
    direction: 'ltr',
    path: `/j/${meeting.svcMeetId}`,
    startsAt: '2030-01-07T09:00:00.000Z',
  })
  const { notifications } = await expectOk(alice.send('GET', '/api/user/notifications'))
  assert.equal(tag, notifications[0]._id)
  const { headers } = push
  assert.deepEqual(
    [headers['content-encoding'], headers.ttl, headers.urgency, headers['content-type']],
    ['aes128gcm', '300', 'high', 'application/octet-stream'],
  )
  assert.match(String(headers.topic), /^[\w-]{1,32}$/)
  const { isValid, head, claims, key } = await verifyVapid(push)
  assert.equal(isValid, true)
  assert.deepEqual(head, { typ: 'JWT', alg: 'ES256' })
  assert.deepEqual([claims.aud, claims.sub], [service.origin, 'mailto:postmaster@parley.test'])
  assert.ok(claims.exp > clock.now().getTime() / 1000 && claims.exp <= clock.now().getTime() / 1000 + 86_400)
  assert.equal(key, (await expectOk(bob.send('GET', path))).publicKey)
  const [arabic] = await ofBob.messages()
  assert.deepEqual([arabic?.message.body, arabic?.message.direction], ['يبدأ بعد 5 دقائق', 'rtl'])
  assert.ok(![push, arabic].some((one) => JSON.stringify(one?.message).includes(meeting.pin)))
})

const daily = { repeat: 'daily', endDate: '2030-01-12T23:59:59Z', timeZone: 'GMT' }

test('a date that is cancelled or moved before the job runs is not pushed, and the others are', async () => {
  const [alice] = await meet('Alice')
  const ofAlice = await subscribe(alice)
  const scheduleOf = (topic: string, more = {}) => schedule(alice, standUp({ topic, participants: [], ...more }))
  await scheduleOf('Single')
  await scheduleOf('Series', { repeatOptions: daily })
  const renamed = await scheduleOf('Changed', { repeatOptions: daily })
  const cancelled = await scheduleOf('Cancelled', { repeatOptions: daily })
  const later = { startTime: '2030-01-07T11:00:00Z', endTime: '2030-01-07T12:00:00Z' }
  const moved = await scheduleOf('Moved')
  const movedDate = await scheduleOf('Moved date', { repeatOptions: daily })
  const occurrence = '2030-01-07T09:00:00.000Z'
  const occurrencePath = (meeting: { _id: string }) => `${detailsPath(meeting)}/occurrences/${occurrence}`
  await expectOk(alice.send('PUT', occurrencePath(renamed), { topic: 'Renamed' }))
  await start()
  await expectOk(alice.send('POST', cancelPath(cancelled), { cancel: 'current', occurrence }))
  await expectOk(alice.send('PUT', detailsPath(moved), standUp({ topic: 'Moved', participants: [], ...later })))
  await expectOk(alice.send('PUT', occurrencePath(movedDate), later))
  const titles = (await ofAlice.messages()).map(({ message }) => message.title)
  assert.deepEqual(titles.sort(), ['Renamed', 'Series', 'Single'])
})

test('a person who waits is pushed to the host who is not in the room, and not to one who is', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const [ofAlice, ofBob] = [await subscribe(alice), await subscribe(bob)]
  const meeting = await schedule(
    alice,
    standUp({ topic: 'Open', advancedOptions: { waitingRoom: true }, participants: [], cohosts: [bob.email] }),
  )
  const { admissionId } = await enter(app, meeting, as(bob))
  const inside = app.database.updateTable('admission').set({ enteredAt: clock.now() })
  await inside.where('id', '=', String(admissionId)).execute()
  await enterAsGuest(app, meeting, 'Gita')
  await app.publishEvents()
  const [push] = await ofAlice.messages()
  assert.deepEqual(
    [push?.message.title, push?.message.body, push?.message.path, push?.headers.ttl],
    ['Open', 'Gita is waiting to be let in', `/j/${meeting.svcMeetId}`, '300'],
  )
  assert.deepEqual(await ofBob.messages(), [])
})

test('a person who has left, or was let in or refused before the job runs, is not pushed', async () => {
  const [alice] = await meet('Alice')
  const ofAlice = await subscribe(alice)
  const meeting = await schedule(alice, standUp({ advancedOptions: { waitingRoom: true }, participants: [] }))
  const { svcMeetId, roomPIN: pin } = await expectOk(alice.send('GET', '/api/my_profile'))
  for (const room of [meeting, { _id: '', svcMeetId, pin }]) {
    for (const name of ['Gone', 'Admitted', 'Denied', 'Waits']) await enterAsGuest(app, room, name)
  }
  await app.publishEvents()
  const admissionsOf = (name: string) => app.database.updateTable('admission').where('name', '=', name)
  await admissionsOf('Gone')
    .set({ seenAt: new Date(clock.now().getTime() - 20_000) })
    .execute()
  await admissionsOf('Admitted').set({ state: 'admitted' }).execute()
  await admissionsOf('Denied').set({ state: 'denied' }).execute()
  const bodies = (await ofAlice.messages()).map(({ message }) => message.body)
  assert.deepEqual(bodies, ['Waits is waiting to be let in', 'Waits is waiting to be let in'])
})

test('a call that has begun is pushed while it goes on', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const ofAlice = await subscribe(alice)
  const join = async (topic: string) => {
    const meeting = await schedule(alice, standUp({ topic, participants: [bob.email] }))
    const { admissionId = '' } = await enter(app, meeting, as(bob))
    const connection = { meetingId: meeting._id, admissionId, participantSid: `PA_${topic}`, joinedAt: clock.now() }
    await recordJoin({ database: app.database, random: secureRandom }, connection, clock.now())
    await app.taskList[callStartJob.name]?.({ admissionId }, { job: { id: 1 } })
    return meeting
  }
  const meeting = await join('Goes on')
  const over = await join('Over')
  await inTransaction(app.database, (tx) => endSessionNow(tx, over._id, null, clock.now()))
  const pushed = (await ofAlice.messages()).map(({ message, headers }) => [
    message.title,
    message.body,
    message.path,
    headers.ttl,
  ])
  assert.deepEqual(pushed, [['Goes on', 'The call has begun', `/j/${meeting.svcMeetId}`, '300']])
})

test('the key is the same after a restore of a backup that has none', async () => {
  const [alice] = await meet('Alice')
  const { publicKey } = await expectOk(alice.send('GET', path))
  await app.pool.query('delete from push_key')
  assert.equal((await expectOk(alice.send('GET', path))).publicKey, publicKey)
})

test('the owner of an own room gets a push of people who wait there; what is read or old is not pushed', async () => {
  const [alice] = await meet('Alice')
  const ofAlice = await subscribe(alice, { language: 'de' })
  const { svcMeetId, roomPIN: pin } = await expectOk(alice.send('GET', '/api/my_profile'))
  const room = { _id: '', svcMeetId, pin }
  await enterAsGuest(app, room, '')
  const [push] = await ofAlice.messages()
  assert.deepEqual([push?.message.title, push?.message.body], ['Ihr Raum', 'Ein Gast wartet auf Einlass'])
  await enterAsGuest(app, room, 'Hugo')
  const [{ _id: upTo }] = (await expectOk(alice.send('GET', '/api/user/notifications'))).notifications
  await expectOk(alice.send('POST', '/api/user/notifications/read', { upTo }), 204)
  assert.equal((await ofAlice.messages()).length, 1)
  await enterAsGuest(app, room, 'Ines')
  clock.advance(5 * 60_000)
  assert.equal((await ofAlice.messages()).length, 1)
})

test('a subscription ends with its session, by taking it back, and when another person takes the browser', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  for (const person of [alice, bob, carol]) assert.equal(await isSubscribed(person), false)
  const { address } = await subscribe(alice)
  await subscribe(bob)
  assert.deepEqual([await isSubscribed(alice), await isSubscribed(bob)], [true, true])
  await subscribe(carol, { address })
  assert.deepEqual([await isSubscribed(alice), await isSubscribed(carol)], [false, true])
  await expectOk(bob.send('DELETE', path), 204)
  await expectOk(bob.send('DELETE', path), 204)
  assert.equal(await isSubscribed(bob), false)
  await expectOk(carol.send('POST', '/api/auth/sign-out'))
  const rows = app.database.selectFrom('pushSubscription').select('id')
  assert.deepEqual(
    await rows
      .where(
        'accountId',
        'in',
        [alice, bob, carol].map((one) => one.profile._id),
      )
      .execute(),
    [],
  )
})

test('sessions that subscribe the same browser at the same time are answered, and one has it', async () => {
  const people = await meet('Alice', 'Bob', 'Carol', 'Dan')
  const { address } = await subscribe(people[0])
  for (let times = 0; times < 5; times++) {
    await Promise.all(people.map((person) => subscribe(person, { address })))
    assert.equal((await Promise.all(people.map(isSubscribed))).filter(Boolean).length, 1)
  }
})

test('a session that has expired is pushed nothing', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const [ofAlice, ofBob] = [await subscribe(alice), await subscribe(bob)]
  await schedule(alice, standUp({ topic: 'Plan', participants: [bob.email] }))
  const sessions = app.database.updateTable('session').set({ expiresAt: new Date('2030-01-07T08:55:00Z') })
  await sessions.where('accountId', '=', bob.profile._id).execute()
  await start()
  assert.deepEqual([(await ofAlice.messages()).length, (await ofBob.messages()).length], [1, 0])
})

test('a subscription of a closed account is gone with its sessions', async () => {
  const [alice] = await meet('Alice')
  await subscribe(alice)
  await expectOk(alice.send('POST', '/api/my_profile/delete', { currentPassword: password }))
  const rows = app.database.selectFrom('pushSubscription').select('id').where('accountId', '=', alice.profile._id)
  assert.deepEqual(await rows.execute(), [])
})

for (const status of [404, 410]) {
  test(`a push service that answers ${status} is sent nothing more`, async () => {
    const [alice] = await meet('Alice')
    const ofAlice = await subscribe(alice)
    await schedule(alice, standUp({ topic: 'One', participants: [] }))
    service.answers.status = status
    await start()
    assert.equal((await ofAlice.messages()).length, 1)
    service.answers.status = 201
    assert.equal(await isSubscribed(alice), false)
  })
}

test('a push service that fails is asked once more, and after ten failures in a row no more', async () => {
  const [alice] = await meet('Alice')
  const ofAlice = await subscribe(alice)
  const failures = () =>
    app.database.selectFrom('pushSubscription').select('failures').where('accountId', '=', alice.profile._id).execute()
  service.answers.status = 503
  await schedule(alice, standUp({ topic: 'One', participants: [] }))
  await start()
  await ofAlice.messages()
  assert.deepEqual(await failures(), [{ failures: 1 }])
  service.answers.status = 201
  await app.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts = 1')
  assert.equal((await ofAlice.messages()).length, 2)
  assert.deepEqual(await failures(), [{ failures: 0 }])
  service.answers.status = 400
  await app.database
    .updateTable('pushSubscription')
    .set({ failures: 9 })
    .where('accountId', '=', alice.profile._id)
    .execute()
  await schedule(alice, standUp({ topic: 'Two', participants: [] }))
  await start()
  await ofAlice.messages()
  service.answers.status = 201
  assert.deepEqual(await failures(), [])
})

test('an account has eight subscriptions, and is pushed thirty notifications an hour', async () => {
  const [alice] = await meet('Alice')
  const first = await subscribe(alice)
  const sessions = []
  for (let index = 0; index < 8; index++) {
    clock.advance(1_000)
    const token = await signInAgain(app, alice.email)
    const headers = { authorization: `Bearer ${token}` }
    const session: Person = { ...alice, send: (method, at, body) => sendRequest(app, method, at, body, headers) }
    sessions.push(await subscribe(session))
  }
  const { svcMeetId, roomPIN: pin } = await expectOk(alice.send('GET', '/api/my_profile'))
  for (let index = 0; index < 32; index++) {
    await enterAsGuest(app, { _id: '', svcMeetId, pin }, `Guest ${index}`)
    await app.database.updateTable('admission').set({ state: 'denied' }).where('name', '=', `Guest ${index}`).execute()
  }
  await app.database.updateTable('admission').set({ state: 'waiting' }).where('name', 'like', 'Guest %').execute()
  assert.equal((await first.messages()).length, 0)
  for (const session of sessions) assert.equal((await session.messages()).length, 30)
})

test('a meeting that is moved again and again is pushed thirty times an hour', async () => {
  const [alice] = await meet('Alice')
  const ofAlice = await subscribe(alice)
  const meeting = await schedule(alice, standUp({ participants: [] }))
  for (let second = 0; second < 31; second++) {
    const startTime = `2030-01-07T09:00:${String(second).padStart(2, '0')}Z`
    await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ startTime, participants: [] })))
    await start()
    // Before the next move: a notification that was replaced is not pushed.
    await app.mails()
  }
  assert.equal((await ofAlice.messages()).length, 30)
})

test('an address is https with the keys of a browser; private addresses are never asked', async () => {
  const [alice] = await meet('Alice')
  const { keys } = await createReceiver()
  const put = (body: object) => alice.send('PUT', path, { keys, language: 'en', ...body })
  for (const endpoint of ['http://app.test/push', 'ftp://app.test', 'nothing', 'https://a:b@app.test/']) {
    await expectProblem(put({ endpoint }), 'invalid_request')
  }
  await expectProblem(put({ endpoint: 'https://app.test/', keys: { p256dh: 'AAAA', auth: 'AAAA' } }), 'invalid_request')
  await expectOk(put({ endpoint: 'https://inside.test/push' }), 204)
  await schedule(alice, standUp({ topic: 'Inside', participants: [] }))
  await start()
  await app.mails()
  const failed = app.database.selectFrom('pushSubscription').select('failures')
  assert.deepEqual(await failed.where('accountId', '=', alice.profile._id).execute(), [{ failures: 1 }])
})

test('it is for sessions, not for tokens', async () => {
  const [alice] = await meet('Alice')
  const { token } = await expectOk(
    alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] }),
    201,
  )
  const headers = { authorization: `Bearer ${token}` }
  await expectProblem(sendRequest(app, 'GET', path, undefined, headers), 'session_required')
  await expectProblem(sendRequest(app, 'DELETE', path, undefined, headers), 'session_required')
})
