import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxNotifications, type UserChanges } from '@parley/contract'
import { undoableMs } from '@parley/rules/meetings/undo'
import { openStream } from '../../test/event-stream.ts'
import {
  cancelPath,
  detailsPath,
  meetPeople,
  type Person,
  password,
  schedule,
  sendRequest,
  signUp,
  standUp,
} from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startRecordingLivekit } from '../../test/rooms/recording-livekit.ts'
import { as, enter, enterAsGuest } from '../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { deleteOldNotifications, notificationRetentionMs } from './notification-store.ts'

const app = await startApp({ emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetPeople(app)

const path = '/api/user/notifications'
const daily = { repeat: 'daily', endDate: '2030-01-12T23:59:59Z', timeZone: 'GMT' }

async function readAll(person: Person) {
  await app.publishEvents()
  return expectOk(person.send('GET', `${path}?limit=100`))
}

/** The kinds and subjects of a person's notifications of a meeting, newest first. */
const kindsOf = async (person: Person, meeting: { _id: string }) =>
  (await readAll(person)).notifications
    .filter(({ meetingId }: { meetingId: string }) => meetingId === meeting._id)
    .map(({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`)

const respond = (person: Person, meeting: { _id: string }, response: string) =>
  expectOk(person.send('POST', `${detailsPath(meeting)}/response`, { response }))

test('guests get notifications of invitations, changes and cancellations, and the host of answers', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Plan', participants: ['bob@example.org'] }))
  await app.publishEvents()
  await respond(bob, meeting, 'accepted')
  await expectOk(
    alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Plan B', participants: ['bob@example.org'] })),
  )
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  assert.deepEqual(await kindsOf(bob, meeting), ['cancelled Plan B', 'changed Plan B', 'invited Plan'])
  assert.deepEqual(await kindsOf(alice, meeting), ['answered Plan'])
  assert.deepEqual(await kindsOf(mallory, meeting), [])
  const [answered] = (await readAll(alice)).notifications
  assert.equal(answered.person, 'Bob Test')
  assert.equal(answered.response, 'accepted')
  const invited = (await readAll(bob)).notifications.at(-1)
  assert.equal(invited.person, 'Alice Test')
  assert.ok(invited.startTime)
})

test('of the answers of a guest the host has the last one, and those that were read before', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Often', participants: [bob.email, carol.email] }))
  const answers = async () =>
    (await readAll(alice)).notifications
      .filter(({ meetingId }: { meetingId: string }) => meetingId === meeting._id)
      .map(({ person, response }: Record<string, unknown>) => `${person} ${response}`)
  await respond(carol, meeting, 'accepted')
  await respond(bob, meeting, 'accepted')
  await app.publishEvents()
  for (const response of ['declined', 'tentative', 'declined']) await respond(bob, meeting, response)
  assert.deepEqual(await answers(), ['Bob Test declined', 'Carol Test accepted'])
  const [{ _id: notificationId }] = (await readAll(alice)).notifications
  await expectOk(alice.send('POST', `${path}/read`, { notificationId }), 204)
  await respond(bob, meeting, 'accepted')
  assert.deepEqual(await answers(), ['Bob Test accepted', 'Bob Test declined', 'Carol Test accepted'])
})

test('a participant who is added later gets the invitation alone; a change of participants notifies no other guest', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Later', participants: ['bob@example.org'] }))
  await app.publishEvents()
  const participants = ['bob@example.org', 'carol@example.org']
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Later', participants })))
  assert.deepEqual(await kindsOf(bob, meeting), ['invited Later'])
  assert.deepEqual(await kindsOf(carol, meeting), ['invited Later'])
  await expectOk(
    alice.send(
      'PUT',
      detailsPath(meeting),
      standUp({ topic: 'Latest', participants: [...participants, mallory.email] }),
    ),
  )
  assert.deepEqual(await kindsOf(mallory, meeting), ['invited Latest'])
  assert.deepEqual(await kindsOf(carol, meeting), ['changed Latest', 'invited Later'])
})

test('the person who changes a meeting is not told of it, and the other guests and people who follow it are told once', async () => {
  const people = { participants: [mallory.email], cohosts: [bob.email] }
  const meeting = await schedule(alice, standUp({ topic: 'Ours', repeatOptions: daily, ...people }))
  await app.publishEvents()
  const change = { topic: 'Ours!', repeatOptions: daily, ...people }
  await expectOk(bob.send('PUT', detailsPath(meeting), standUp(change)))
  await app.publishEvents()
  await expectOk(bob.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' }))
  await app.publishEvents()
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  assert.deepEqual(await kindsOf(bob, meeting), ['cancelled Ours!', 'invited Ours'])
  const others = ['cancelled Ours!', 'cancelled Ours!', 'changed Ours!', 'invited Ours']
  assert.deepEqual(await kindsOf(mallory, meeting), others)
})

test('a guest who has added the meeting before is told once, a guest who has blocked the host not at all', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'Twice', participants: [] }))
  const { svcMeetId, pin } = meeting
  for (const person of [bob, carol]) await expectOk(person.send('POST', `/api/meeting/add/${svcMeetId}`, { pin }))
  const participants = [bob.email, mallory.email]
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Twice', participants })))
  await expectOk(mallory.send('POST', '/api/blocked-senders', { meetingId: meeting._id }))
  await app.publishEvents()
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Once', participants })))
  assert.deepEqual(await kindsOf(bob, meeting), ['changed Once', 'invited Twice'])
  assert.deepEqual(await kindsOf(carol, meeting), ['changed Once'])
  assert.deepEqual(await kindsOf(mallory, meeting), ['invited Twice'])
})

for (const isPublished of [true, false]) {
  const order = isPublished ? 'has been told' : 'was not told yet'
  test(`a cancellation that ${order} leaves nothing once it is undone`, async () => {
    const publishEarly = () => (isPublished ? app.publishEvents() : undefined)
    const meeting = await schedule(alice, standUp({ topic: 'Undone', repeatOptions: daily }))
    await app.publishEvents()
    for (const body of [{ cancel: 'all' }, { cancel: 'following', occurrence: '2030-01-08T09:00:00Z' }]) {
      await expectOk(alice.send('POST', `${cancelPath(meeting)}?undoable=true`, body))
      await publishEarly()
      await expectOk(alice.send('POST', `${cancelPath(meeting)}/undo`))
      await app.publishEvents()
    }
    const occurrence = '2030-01-09T09:00:00.000Z'
    await expectOk(alice.send('POST', `${cancelPath(meeting)}?undoable=true`, { cancel: 'current', occurrence }))
    await publishEarly()
    await expectOk(alice.send('POST', `${detailsPath(meeting)}/occurrences/${occurrence}/restore`))
    assert.deepEqual(await kindsOf(bob, meeting), ['invited Undone'])
  })
}

test('a meeting or a date that is restored later is told', async () => {
  const clock = createClock('2030-01-01T00:00:00Z')
  const other = await startApp({ emails: 'dropped', clock })
  const [host, guest] = [await signUp(other, 'Alice'), await signUp(other, 'Bob')]
  const meeting = await schedule(host, standUp({ topic: 'Back', repeatOptions: daily, participants: [guest.email] }))
  const occurrence = '2030-01-09T09:00:00.000Z'
  for (const laterMs of [undoableMs, undoableMs + 1]) {
    await expectOk(host.send('POST', cancelPath(meeting), { cancel: 'current', occurrence }))
    clock.advance(laterMs)
    await expectOk(host.send('POST', `${detailsPath(meeting)}/occurrences/${occurrence}/restore`))
  }
  await expectOk(host.send('POST', cancelPath(meeting), { cancel: 'all' }))
  clock.advance(1)
  await expectOk(host.send('POST', `${cancelPath(meeting)}/restore`))
  await other.publishEvents()
  const { notifications } = await expectOk(guest.send('GET', path))
  const shown = ({ kind, originalStartTime }: Record<string, unknown>) => [kind, originalStartTime]
  assert.deepEqual(notifications.map(shown), [
    ['restored', null],
    ['cancelled', null],
    ['restored', occurrence],
    ['cancelled', occurrence],
    ['invited', null],
  ])
})

test('a guest who is added before the creation of the meeting is published is told once', async () => {
  const meeting = await schedule(alice, standUp({ topic: 'New', participants: [bob.email] }))
  const participants = [bob.email, carol.email]
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'New', participants })))
  assert.deepEqual(await kindsOf(bob, meeting), ['invited New'])
  assert.deepEqual(await kindsOf(carol, meeting), ['invited New'])
})

test('the name of a person who waited is deleted with the account, as it is in the room', async () => {
  const { environment } = await startRecordingLivekit()
  const clock = createClock('2030-01-07T09:00:00Z')
  const other = await startApp({ emails: 'dropped', media: 'engine', environment, clock })
  await signUp(other, 'Olga')
  const [host, cohost] = [await signUp(other, 'Alice'), await signUp(other, 'Bob')]
  const [leaving, staying] = [await signUp(other, 'Lea'), await signUp(other, 'Stan')]
  const people = { participants: [], cohosts: [cohost.email] }
  const meeting = await schedule(host, standUp({ advancedOptions: { waitingRoom: true }, ...people }))
  for (const person of [leaving, staying]) await enter(other, meeting, as(person))
  await other.publishEvents()
  const waiting = async (person: Person) =>
    (await expectOk(person.send('GET', path))).notifications
      .filter(({ kind }: { kind: string }) => kind === 'waiting')
      .map(({ person: name }: { person: string }) => name)
  for (const person of [host, cohost]) assert.deepEqual(await waiting(person), ['Stan Test', 'Lea Test'])
  await expectOk(leaving.send('POST', '/api/my_profile/delete', { currentPassword: password }))
  for (const person of [host, cohost]) assert.deepEqual(await waiting(person), ['Stan Test', ''])
})

test('the owner of an own room is told who waits there: at once, once, and with the way into the room', async () => {
  const { environment } = await startRecordingLivekit()
  const clock = createClock('2030-01-07T09:00:00Z')
  const other = await startApp({ emails: 'dropped', media: 'engine', environment, clock })
  const [owner, visitor] = [await signUp(other, 'Olga'), await signUp(other, 'Vera')]
  const { svcMeetId, roomPIN: pin } = await expectOk(owner.send('GET', '/api/my_profile'))
  const room = { _id: '', svcMeetId, pin }
  const stream = await openStream<UserChanges>(other, '/api/user/events', as(owner))
  await stream.next()
  await enterAsGuest(other, room, 'Gita')
  const { notificationsChanged, meetingIds } = await stream.next()
  assert.deepEqual([notificationsChanged, meetingIds], [true, []])
  stream.close()
  await enterAsGuest(other, room, 'Gita')
  await enter(other, room, as(owner))
  await enter(other, room, as(visitor))
  const listed = async (person: Person) => (await expectOk(person.send('GET', path))).notifications
  const shown = ({ kind, person, subject, meetingId, roomCode }: Record<string, unknown>) => [
    kind,
    person,
    subject,
    meetingId,
    roomCode,
  ]
  assert.deepEqual((await listed(owner)).map(shown), [
    ['waiting', 'Vera Test', '', null, svcMeetId],
    ['waiting', 'Gita', '', null, svcMeetId],
  ])
  assert.deepEqual(await listed(visitor), [])
  await expectOk(visitor.send('POST', '/api/my_profile/delete', { currentPassword: password }))
  assert.deepEqual(
    (await listed(owner)).map(({ person }: { person: string }) => person),
    ['', 'Gita'],
  )
  await expectOk(owner.send('PUT', '/api/my_profile', { notifyOfWaiting: false }))
  await enterAsGuest(other, room, 'Hugo')
  assert.equal((await listed(owner)).length, 2)
})

test('one is marked as read, or all that are not newer than one; a stranger’s id marks nothing', async () => {
  const dan = carol
  for (const topic of ['one', 'two', 'three']) await schedule(alice, standUp({ topic, participants: [dan.email] }))
  const { notifications, unreadCount } = await readAll(dan)
  const [newest, middle] = notifications
  const send = (person: Person, body: object) => expectOk(person.send('POST', `${path}/read`, body), 204)
  await send(bob, { notificationId: newest._id, upTo: newest._id })
  assert.equal((await readAll(dan)).unreadCount, unreadCount)
  await send(dan, { notificationId: newest._id })
  assert.equal((await readAll(dan)).unreadCount, unreadCount - 1)
  await send(dan, { upTo: middle._id })
  assert.equal((await readAll(dan)).unreadCount, 0)
  await expectProblem(dan.send('POST', `${path}/read`, { upTo: 'x' }), 'invalid_request')
})

test('a kind that is switched off is kept no more', async () => {
  await expectOk(bob.send('PUT', '/api/my_profile', { notifyOfInvitations: false }))
  const meeting = await schedule(alice, standUp({ topic: 'Unheard', participants: [bob.email] }))
  assert.deepEqual(await kindsOf(bob, meeting), [])
  await expectOk(bob.send('PUT', '/api/my_profile', { notifyOfInvitations: true }))
})

test('pages continue where the page before ended, and at most the newest 200 are kept, for 30 days', async () => {
  const row = { accountId: bob.profile._id, kind: 'reviewed' as const, byAddress: false, data: JSON.stringify({}) }
  const rows = Array.from({ length: maxNotifications + 5 }, () => ({ ...row, occurredAt: new Date() }))
  await app.database.insertInto('notification').values(rows).execute()
  const first = await expectOk(bob.send('GET', `${path}?limit=2`))
  const second = await expectOk(bob.send('GET', `${path}?limit=2&after=${first.nextCursor}`))
  const ids = [...first.notifications, ...second.notifications].map(({ _id }: { _id: string }) => _id)
  assert.equal(new Set(ids).size, 4)
  const kept = async () =>
    (await app.database.selectFrom('notification').select('id').where('accountId', '=', row.accountId).execute()).length
  const newest = (await expectOk(bob.send('GET', `${path}?limit=100`))).notifications
  await deleteOldNotifications(app.database, new Date())
  assert.equal(await kept(), maxNotifications)
  assert.deepEqual((await expectOk(bob.send('GET', `${path}?limit=100`))).notifications, newest)
  const others = await app.database
    .selectFrom('notification')
    .select('id')
    .where('accountId', '<>', row.accountId)
    .execute()
  assert.ok(others.length > 0)
  const before = new Date(Date.now() - notificationRetentionMs)
  const old = Array.from({ length: 1_001 }, () => ({ ...row, occurredAt: before }))
  await app.database.insertInto('notification').values(old).execute()
  await deleteOldNotifications(app.database, new Date(Date.now() + notificationRetentionMs + 60_000))
  assert.equal(await kept(), 0)
})

test('it is for sessions, not for tokens', async () => {
  const { token } = await expectOk(
    alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] }),
    201,
  )
  const asToken = sendRequest(app, 'GET', path, undefined, { authorization: `Bearer ${token}` })
  await expectProblem(asToken, 'session_required')
})
