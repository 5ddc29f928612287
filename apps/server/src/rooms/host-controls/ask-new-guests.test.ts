import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, schedule, sendRequest, weekdays } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { nine, setUpEntry } from '../../../test/rooms/entry-fixture.ts'
import {
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  updateRoom,
  verdictOf,
  watchAdmission,
} from '../../../test/rooms/rooms.ts'

const { alice, app, bob, carol, clock, hostKeyOf, mallory, media, meet, move, other, waitingRoom, watchOnce } =
  await setUpEntry()

const act = (room: Room, path: string, headers: Headers = as(alice)) =>
  sendRequest(app, 'POST', roomPath(room, path), undefined, headers)

const askNew = (room: Room, headers: Headers = as(alice)) => updateRoom(app, room, { approvalRequired: true }, headers)
const stopAsking = (room: Room, headers: Headers = as(alice)) =>
  updateRoom(app, room, { approvalRequired: false }, headers)

const remove = (room: Room, admissionId: string) =>
  sendRequest(app, 'POST', roomPath(room, `participants/${admissionId}`), { action: 'remove' }, as(alice))

/** A guest who was admitted and has entered. */
async function insideAsGuest(room: Room, name: string) {
  const guest = await enterAsGuest(app, room, name)
  assert.equal(guest.reply.state, 'admitted')
  await move(guest.admissionId, clock.now())
  return guest
}

test('a removed guest who drops the cookie waits, once the host requires approval of new guests', async () => {
  const room = await meet({})
  const mia = await insideAsGuest(room, 'Mia')
  await expectOk(remove(room, mia.admissionId), 204)
  assert.equal((await enter(app, room, mia.headers)).state, 'denied')
  assert.equal((await enterAsGuest(app, room, 'Not Mia')).reply.state, 'admitted', 'what the host can stop now')

  await expectOk(askNew(room))
  const back = await enterAsGuest(app, room, 'Mia again')
  assert.deepEqual([back.reply.state, back.reply.media, back.reply.devices], ['waiting', undefined, undefined])
  assert.equal((await enter(app, room, as(mallory))).state, 'waiting', 'an account that is not invited is no better')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'who is invited comes in')
  assert.equal((await enter(app, room, as(alice))).state, 'admitted')
  const byKey = await enterAsGuest(app, room, 'Gwen', { hostKey: await hostKeyOf(room) })
  assert.deepEqual([byKey.reply.state, byKey.reply.role], ['admitted', 'host'])
  assert.equal((await enter(app, room, mia.headers)).state, 'denied', 'removed is removed')

  const { waiting, approvalRequired, waitingRoom: byOption } = await watchOnce(room)
  assert.deepEqual([approvalRequired, byOption], [true, false])
  assert.deepEqual(waiting.map(({ name }) => name).toSorted(), ['Mallory Test', 'Mia again'])
  await decide(app, room, back.admissionId, 'admit', as(alice))
  assert.equal((await enter(app, room, back.headers)).state, 'admitted')
  media.granted.length = 0
})

test('people inside stay, may return, and need no approval', async () => {
  const room = await meet({})
  const [inside, left] = [await insideAsGuest(room, 'Ina'), await insideAsGuest(room, 'Lars')]
  clock.advance(1_000)
  await move(left.admissionId, new Date(nine), clock.now())
  await askNew(room)
  const page = await watchAdmission(app, room, inside.admissionId, inside.headers)
  assert.equal((await page.next()).state, 'admitted')
  page.close()
  for (const { headers } of [inside, left]) assert.equal((await enter(app, room, headers)).state, 'admitted')
  media.granted.length = 0
  clock.set(nine)
})

test('a second browser that was admitted before but has not entered waits as well', async () => {
  const room = await meet({})
  const spare = await enterAsGuest(app, room, 'Spare')
  assert.equal(spare.reply.state, 'admitted')
  clock.advance(1)
  const page = await watchAdmission(other, room, spare.admissionId, spare.headers)
  assert.equal((await page.next()).state, 'admitted')
  await askNew(room)
  await page.until(({ state }) => state === 'waiting')
  page.close()
  const again = await enter(app, room, spare.headers)
  assert.deepEqual([again.state, again.media], ['waiting', undefined])
  assert.deepEqual(
    (await watchOnce(room)).waiting.map(({ name }) => name),
    ['Spare'],
  )
  clock.advance(1)
  await decide(app, room, spare.admissionId, 'admit', as(alice))
  assert.equal((await enter(app, room, spare.headers)).state, 'admitted')
  media.granted.length = 0
  clock.set(nine)
})

test('lasts for one date, and ends when the meeting is ended', async () => {
  const room: Room = await schedule(alice, weekdays())
  await askNew(room)
  assert.equal((await enterAsGuest(app, room, 'Monday')).reply.state, 'waiting')
  clock.set('2030-01-08T08:50:00Z')
  assert.equal((await watchOnce(room)).approvalRequired, false)
  assert.equal((await enterAsGuest(app, room, 'Tuesday')).reply.state, 'admitted')
  await askNew(room)
  clock.advance(1)
  await act(room, 'end')
  assert.equal((await watchOnce(room)).approvalRequired, false)
  clock.set('2030-01-09T08:50:00Z')
  assert.equal((await enterAsGuest(app, room, 'Wednesday')).reply.state, 'admitted')
  media.granted.length = 0
  clock.set(nine)
})

test('allows only hosts, and audits each change once', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const verdicts = [
    await askNew(room, as(bob)),
    await askNew(room, as(mallory)),
    await askNew(room, {}),
    await askNew(room, as(carol)),
    await askNew(room),
    await stopAsking(room),
    await stopAsking(room),
  ]
  assert.deepEqual(verdicts.map(verdictOf), [
    '403 host_required',
    '404 meeting_not_found',
    '404 meeting_not_found',
    '200',
    '200',
    '200',
    '200',
  ])
  const rows = await app.database.selectFrom('auditEntry').select(['action', 'actorId', 'detail']).execute()
  const ofRoom = rows.filter(({ detail }) => (detail as { meetingId?: string }).meetingId === room._id)
  assert.deepEqual(
    ofRoom.map(({ action, actorId }) => [action, actorId]),
    [
      ['room.new-guests-asked', carol.profile._id],
      ['room.new-guests-not-asked', alice.profile._id],
    ],
  )
})

test('changes nothing in a meeting with a waiting room, nor in a own room', async () => {
  const room = await waitingRoom()
  await askNew(room)
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
  await stopAsking(room)
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
  assert.equal((await watchOnce(room)).waitingRoom, true)
  const { svcMeetId, roomPIN } = (await alice.send('GET', '/api/my_profile')).body
  const own = { _id: '', svcMeetId, pin: roomPIN }
  await expectOk(askNew(own))
  assert.equal((await enterAsGuest(app, own, 'Otto')).reply.state, 'waiting_for_host')
})

test('a meeting that is moved while it runs keeps its guests, and still requires approval of new ones', async () => {
  const room = await meet({})
  const ina = await insideAsGuest(room, 'Ina')
  await askNew(room)
  const [details] = (await alice.send('GET', detailsPath(room))).body
  const moved = { ...details, startTime: '2030-01-07T09:10:00Z', endTime: '2030-01-07T09:40:00Z' }
  assert.equal((await alice.send('PUT', detailsPath(room), moved)).status, 200)
  assert.equal((await enter(app, room, ina.headers)).state, 'admitted')
  assert.equal((await watchOnce(room)).approvalRequired, true)
  assert.equal((await enterAsGuest(app, room, 'Mia again')).reply.state, 'waiting')
  media.granted.length = 0
})
