import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violationsOf } from '../../../test/people.ts'
import { nine, setUpEntry } from '../../../test/rooms/entry-fixture.ts'
import {
  admissionPath,
  as,
  decide,
  enter,
  type Headers,
  type Room,
  verdictOf,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'

const { alice, app, bob, clock, mallory, media, other, waitingRoom, watchOnce } = await setUpEntry()

test('Bob waits on one instance, Alice admits him on the other, and Bob is notified at once', async () => {
  const room = await waitingRoom()
  const asked = await enter(app, room, as(bob))
  assert.deepEqual([asked.state, asked.media, asked.devices], ['waiting', undefined, undefined])
  const { admissionId } = asked
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.deepEqual(await page.next(), {
    state: 'waiting',
    role: 'participant',
    hardMuted: false,
    unmuteAskedOn: null,
    hostInside: false,
  })
  const list = await watchRoom(other, room, as(alice))
  assert.deepEqual(await list.next(), {
    locked: false,
    waitingRoom: true,
    approvalRequired: false,
    waiting: [{ admissionId, name: 'Bob Test', email: bob.email, guest: false, askedOn: '2030-01-07T09:00:00.000Z' }],
    denied: [],
    participants: [],
  })
  assert.deepEqual(media.granted, [])
  assert.equal((await decide(other, room, admissionId, 'admit', as(alice))).status, 204)
  assert.equal((await page.next()).state, 'admitted')
  assert.deepEqual((await list.next()).waiting, [])
  const inside = await enter(app, room, as(bob))
  assert.deepEqual(inside.devices, { camera: true, microphone: true, hardMuted: false })
  assert.deepEqual(inside.media, { url: 'ws://media.test', token: `for ${admissionId}`, iceServers: [] })
  assert.deepEqual(media.granted.splice(0), [
    { meetingId: room._id, admissionId, name: 'Bob Test', role: 'participant', guest: false, hardMuted: false },
  ])
  page.close()
  list.close()
})

test('Bob is denied, stays denied whatever he tries, and enters once Alice admits him', async () => {
  const room = await waitingRoom()
  const { admissionId } = await enter(app, room, as(bob))
  const page = await watchAdmission(other, room, admissionId, as(bob))
  const list = await watchRoom(app, room, as(alice))
  await list.until(({ waiting }) => waiting.length === 1)
  clock.advance(1_000)
  assert.equal((await decide(app, room, admissionId, 'deny', as(alice))).status, 204)
  await page.until(({ state }) => state === 'denied')
  const { denied } = await list.next()
  assert.deepEqual(denied, [
    { admissionId, name: 'Bob Test', email: bob.email, guest: false, decidedOn: '2030-01-07T09:00:01.000Z' },
  ])
  for (let tries = 0; tries < 3; tries++) {
    const again = await enter(app, room, as(bob))
    assert.deepEqual([again.state, again.admissionId, again.media], ['denied', admissionId, undefined])
  }
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [], 'who was turned away does not ring again')
  clock.advance(24 * 60 * 60 * 1000)
  assert.equal((await enter(app, room, as(bob))).state, 'denied', 'also the next day')
  assert.equal((await decide(app, room, admissionId, 'admit', as(alice))).status, 204)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  page.close()
  list.close()
  media.granted.length = 0
  clock.set(nine)
})

test('allows only hosts to decide, only about people of their room, and only to admit or deny', async () => {
  const [room, elsewhere] = [await waitingRoom(), await waitingRoom()]
  const { admissionId } = await enter(app, room, as(bob))
  const decideAs = (headers: Headers, of: Room = room) => decide(app, of, admissionId, 'admit', headers)
  const verdicts = [
    await decideAs(as(bob)),
    await decideAs(as(mallory)),
    await decideAs({}),
    await decideAs(as(alice), elsewhere),
    await decideAs(as(alice), { ...room, svcMeetId: '8999999999' }),
  ]
  assert.deepEqual(verdicts.map(verdictOf), [
    '403 host_required',
    '404 meeting_not_found',
    '404 meeting_not_found',
    '404 admission_not_found',
    '404 meeting_not_found',
  ])
  const path = admissionPath(room, admissionId)
  assert.deepEqual(violationsOf(await alice.send('POST', path, { decision: 'later' })), ['/decision not_allowed'])
  assert.deepEqual(violationsOf(await alice.send('POST', path, {})), ['/decision required'])
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
})
