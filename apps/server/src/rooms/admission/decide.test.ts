import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights, roomRights } from '@parley/contract'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import {
  admissionPath,
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { useRooms } from '../../../test/rooms/use-rooms.ts'

const { alice, app, bob, clock, mallory, media, other, waitingRoom, watchOnce } = await useRooms()

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
    allowed: allRights,
    spotlight: [],
    breakout: null,
    endsAt: '2030-01-07T09:30:00.000Z',
    unmuteAskedOn: null,
    hostInside: false,
  })
  const list = await watchRoom(other, room, as(alice))
  assert.deepEqual(await list.next(), {
    locked: false,
    waitingRoom: true,
    approvalRequired: false,
    allowed: allRights,
    breakout: null,
    breakoutSupported: true,
    controllable: roomRights,
    owns: true,
    waiting: [
      {
        admissionId,
        name: 'Bob Test',
        email: bob.email,
        guest: false,
        formerName: null,
        askedOn: '2030-01-07T09:00:00.000Z',
      },
    ],
    denied: [],
    participants: [],
  })
  assert.deepEqual(media.granted, [])
  await expectOk(decide(other, room, admissionId, 'admit', as(alice)), 204)
  assert.equal((await page.next()).state, 'admitted')
  assert.deepEqual((await list.next()).waiting, [])
  const inside = await enter(app, room, as(bob))
  assert.deepEqual(inside.devices, {
    camera: true,
    microphone: true,
    hardMuted: false,
    allowed: allRights,
  })
  assert.deepEqual(inside.media, { url: 'ws://media.test', token: `for ${admissionId}`, iceServers: [] })
  assert.deepEqual(media.granted.splice(0), [
    {
      meetingId: room._id,
      admissionId,
      name: 'Bob Test',
      role: 'participant',
      guest: false,
      allowed: allRights,
      breakoutRoom: null,
    },
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
  await expectOk(decide(app, room, admissionId, 'deny', as(alice)), 204)
  await page.until(({ state }) => state === 'denied')
  const { denied } = await list.next()
  assert.deepEqual(denied, [
    {
      admissionId,
      name: 'Bob Test',
      email: bob.email,
      guest: false,
      formerName: null,
      decidedOn: '2030-01-07T09:00:01.000Z',
    },
  ])
  for (let tries = 0; tries < 3; tries++) {
    const again = await enter(app, room, as(bob))
    assert.deepEqual([again.state, again.admissionId, again.media], ['denied', admissionId, undefined])
  }
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [], 'a denied person does not ask again')
  clock.advance(24 * 60 * 60 * 1000)
  assert.equal((await enter(app, room, as(bob))).state, 'denied', 'also the next day')
  await expectOk(decide(app, room, admissionId, 'admit', as(alice)), 204)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  page.close()
  list.close()
})

test('allows only hosts to decide, only about people of their room, and only to admit or deny', async () => {
  const [room, elsewhere] = [await waitingRoom(), await waitingRoom()]
  const { admissionId } = await enter(app, room, as(bob))
  const decideAs = (headers: Headers, of: Room = room) => decide(app, of, admissionId, 'admit', headers)
  await expectProblem(decideAs(as(bob)), 'host_required')
  await expectProblem(decideAs(as(mallory)), 'meeting_not_found')
  await expectProblem(decideAs({}), 'meeting_not_found')
  await expectProblem(decideAs(as(alice), elsewhere), 'admission_not_found')
  await expectProblem(decideAs(as(alice), { ...room, svcMeetId: '8999999999' }), 'meeting_not_found')
  const path = admissionPath(room, admissionId)
  await expectProblem(alice.send('POST', path, { decision: 'later' }), 'invalid_request', ['/decision not_allowed'])
  await expectProblem(alice.send('POST', path, {}), 'invalid_request', ['/decision required'])
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
})

test('admits all waiting people at once, and no others', async () => {
  const room = await waitingRoom()
  const gone = await enterAsGuest(app, room, 'Gone')
  clock.advance(20_000)
  const denied = await enterAsGuest(app, room, 'Denied')
  await decide(app, room, denied.admissionId, 'deny', as(alice))
  const guests = await Promise.all(['Greta', 'Hugo', ''].map((name) => enterAsGuest(app, room, name)))
  const pages = await Promise.all(
    guests.map(({ admissionId, headers }, at) => watchAdmission(at === 0 ? app : other, room, admissionId, headers)),
  )
  const names = (await watchOnce(room, as(alice))).waiting.map(({ name, email }) => [name, email])
  assert.deepEqual(names.toSorted(), [
    ['', null],
    ['Greta', null],
    ['Hugo', null],
  ])
  await expectOk(sendRequest(other, 'POST', roomPath(room, 'admit-all'), undefined, as(alice)), 204)
  for (const page of pages) {
    await page.until(({ state }) => state === 'admitted')
    page.close()
  }
  const states = await Promise.all([gone, denied, ...guests].map(({ headers }) => enter(app, room, headers)))
  assert.deepEqual(
    states.map(({ state }) => state),
    ['waiting', 'denied', 'admitted', 'admitted', 'admitted'],
  )
})

test('allows only hosts to admit, and changes nothing when no person waits', async () => {
  const room = await waitingRoom()
  const admitAs = (headers: Headers) => sendRequest(app, 'POST', roomPath(room, 'admit-all'), undefined, headers)
  await expectOk(admitAs(as(alice)), 204)
  const guest = await enterAsGuest(app, room, 'Greta')
  await expectProblem(admitAs(as(bob)), 'host_required')
  await expectProblem(admitAs(guest.headers), 'host_required')
  await expectProblem(admitAs(as(mallory)), 'meeting_not_found')
  await expectProblem(admitAs({}), 'meeting_not_found')
  assert.equal((await enter(app, room, guest.headers)).state, 'waiting')
})
