import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents } from '../../test/event-reader.ts'
import { type Person, password, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { createMediaReports } from '../../test/rooms/media-reports.ts'
import { startRecordingLivekit } from '../../test/rooms/recording-livekit.ts'
import { as, decide, enter, enterAsGuest, type Room, roomPath } from '../../test/rooms/rooms.ts'
import { useApp } from '../../test/use-app.ts'

const livekit = await startRecordingLivekit()
const environment = { ...livekit.environment, RATE_LIMITS: 'off' }
const { app, clock, meet } = await useApp({
  start: '2030-01-07T09:00:00Z',
  environment,
  media: 'engine',
  emails: 'dropped',
})
const { report } = createMediaReports(app, livekit, clock)
const openRoom = (host: Person, advancedOptions: object = {}): Promise<Room> =>
  schedule(host, standUp({ advancedOptions }))

/** The events of a room after its creation, with the names of the people. */
async function eventsOf(host: Person, { _id }: Room) {
  const { events } = await readEvents(app, host, `meetingId=${_id}&limit=200`)
  return events.slice(1).map(({ type, data }) => {
    const { name } = (data.participant ?? {}) as { name?: string }
    return name === undefined ? type : `${type} ${name}`
  })
}

const act = (host: Person, room: Room, action: string, body?: object) =>
  sendRequest(app, 'POST', roomPath(room, action), body, as(host))

test('participant.waiting, .admitted and .denied: each decision once, and none for who may stay', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  // Events show only an address that its owner has confirmed.
  const confirmed = { emailVerifiedAt: clock.now() }
  await app.database.updateTable('account').set(confirmed).where('email', '=', bob.email).execute()
  const room = await openRoom(alice, { waitingRoom: true })
  const { admissionId, reply } = await enterAsGuest(app, room, 'Gita')
  assert.equal(reply.state, 'waiting')
  await enter(app, room, as(bob))
  await enter(app, room, as(bob))
  const hosting = await enter(app, room, as(alice))
  await enter(app, room, as(alice))
  assert.equal(hosting.state, 'admitted')
  for (let times = 0; times < 2; times++) await decide(app, room, admissionId, 'deny', as(alice))
  for (let times = 0; times < 2; times++) await act(alice, room, 'admit-all')
  const { admissionId: bobs = '' } = await enter(app, room, as(bob))
  await expectOk(act(alice, room, `participants/${bobs}`, { action: 'remove' }), 204)
  await decide(app, room, bobs, 'admit', as(alice))
  assert.deepEqual(await eventsOf(alice, room), [
    'participant.waiting Gita',
    'participant.waiting Bob Test',
    'participant.admitted Alice Test',
    'participant.denied Gita',
    'participant.admitted Bob Test',
    'participant.denied Bob Test',
    'participant.admitted Bob Test',
  ])
  const { events } = await readEvents(app, alice, `meetingId=${room._id}`)
  assert.deepEqual(events[1]?.data.participant, { admissionId, name: 'Gita', email: null, role: 'participant' })
  assert.deepEqual(events[2]?.data.participant, {
    admissionId: bobs,
    name: 'Bob Test',
    email: bob.email,
    role: 'participant',
  })
  assert.equal((await readEvents(app, bob)).events.length, 0)
})

test('meeting.started and .ended, participant.joined and .left: by people, not by connections', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const room = await openRoom(alice)
  const { admissionId: alices = '' } = await enter(app, room, as(alice))
  const { admissionId: bobs = '' } = await enter(app, room, as(bob))
  for (let times = 0; times < 2; times++) await report('participant_joined', room, bobs)
  await report('participant_joined', room, bobs, { sid: 'PA_second' })
  await report('participant_joined', room, alices)
  await report('participant_left', room, bobs)
  await report('participant_left', room, bobs, { sid: 'PA_second' })
  await report('participant_left', room, alices)
  const inside = [
    'participant.admitted Alice Test',
    'participant.admitted Bob Test',
    'meeting.started',
    'participant.joined Bob Test',
    'participant.joined Alice Test',
    'participant.left Bob Test',
    'participant.left Alice Test',
  ]
  assert.deepEqual(await eventsOf(alice, room), inside)
  // A room that is empty for half a minute is over; its attendance goes on until then.
  clock.advance(31_000)
  await app.pool.query('select graphile_worker.add_job($1)', ['reconcile-rooms'])
  await app.mails()
  assert.deepEqual(await eventsOf(alice, room), [...inside, 'meeting.ended'])
})

test('a host who ends the meeting ends it for everyone, once', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const room = await openRoom(alice)
  const { admissionId = '' } = await enter(app, room, as(bob))
  await report('participant_joined', room, admissionId)
  for (let times = 0; times < 2; times++) await expectOk(act(alice, room, 'end'), 204)
  await report('participant_left', room, admissionId)
  assert.deepEqual(await eventsOf(alice, room), [
    'participant.admitted Bob Test',
    'meeting.started',
    'participant.joined Bob Test',
    'participant.left Bob Test',
    'meeting.ended',
  ])
})

test('a person whose joining is reported after the leaving has joined and left', async () => {
  const [alice, carol] = await meet('Alice', 'Carol')
  const room = await openRoom(alice)
  const { admissionId = '' } = await enter(app, room, as(carol))
  const details = { sid: 'PA_late' }
  await report('participant_left', room, admissionId, details)
  await report('participant_joined', room, admissionId, details)
  assert.deepEqual((await eventsOf(alice, room)).slice(1), [
    'meeting.started',
    'participant.joined Carol Test',
    'participant.left Carol Test',
  ])
})

test('an own room has no events', async () => {
  const [alice] = await meet('Alice')
  const { svcMeetId, roomPIN } = alice.profile as unknown as { svcMeetId: string; roomPIN: string }
  const before = (await readEvents(app, alice, 'limit=200')).events.length
  const own = { _id: '', svcMeetId, pin: roomPIN }
  assert.equal((await enter(app, own, as(alice))).state, 'admitted')
  assert.equal((await readEvents(app, alice, 'limit=200')).events.length, before)
})

test('a deleted account is no longer named in the events of a room that it has entered', async () => {
  const [alice, dora] = await meet('Alice', 'Dora')
  const room = await openRoom(alice)
  await enter(app, room, as(dora))
  assert.deepEqual(await eventsOf(alice, room), ['participant.admitted Dora Test'])
  await expectOk(dora.send('POST', '/api/my_profile/delete', { currentPassword: password, meetings: 'cancel' }))
  const { events } = await readEvents(app, alice, `meetingId=${room._id}`)
  const { name, email } = Object(events[1]?.data.participant)
  assert.deepEqual([name, email], ['', null])
})
