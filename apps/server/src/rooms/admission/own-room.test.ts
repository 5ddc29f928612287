import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import {
  as,
  createRecordingMedia,
  decide,
  enter,
  enterAsGuest,
  type Room,
  roomPath,
  updateRoom,
  watchAdmission,
} from '../../../test/rooms/rooms.ts'
import { useApp } from '../../../test/use-app.ts'
import { secureRandom } from '../../platform/random.ts'
import { endQuietSession, recordJoin, recordLeave } from '../record-attendance.ts'

const media = createRecordingMedia()
const { app, clock, olga, meet } = await useApp({ start: '2030-01-07T09:00:00Z', media })

/** The own room of an account; its id is visible to its host only. */
const ownRoomOf = async (person: Person): Promise<Room> => {
  const { svcMeetId, roomPIN } = (await person.send('GET', '/api/my_profile')).body
  return { _id: '', svcMeetId, pin: roomPIN }
}
const idOf = async ({ svcMeetId }: Room) => {
  const found = app.database.selectFrom('account').select('roomId').where('roomCode', '=', svcMeetId)
  return (await found.executeTakeFirstOrThrow()).roomId
}
/** These people enter and leave again; a minute later the conversation is over. */
async function talk({ svcMeetId }: Room, roomId: string, ...people: (string | undefined)[]) {
  for (const admissionId of people) {
    const connection = { meetingId: roomId, admissionId: String(admissionId), participantSid: `${svcMeetId} ${++sids}` }
    await recordJoin(
      { database: app.database, random: secureRandom },
      { ...connection, joinedAt: clock.now() },
      clock.now(),
    )
  }
  await recordLeave(app.database, roomId, 'all', clock.now(), clock.now())
  clock.advance(60_000)
  await endQuietSession(app.database, roomId, clock.now())
}
let sids = 0
/** Facts that only the media engine reports. */
const move = (admissionId: string | undefined, enteredAt: Date, leftAt: Date | null = null) =>
  app.database.updateTable('admission').set({ enteredAt, leftAt }).where('id', '=', String(admissionId)).execute()
const state = async (room: Room, person: Person) => (await enter(app, room, as(person))).state

test('visitors with code and PIN ask to enter; none enters before the owner, who admits each of them', async () => {
  const [alice] = await meet('Alice')
  const room = await ownRoomOf(alice)
  const { reply, admissionId, headers } = await enterAsGuest(app, room, 'Gita')
  assert.deepEqual([reply.state, reply.role, reply.media], ['waiting_for_host', 'participant', undefined])
  assert.deepEqual([reply.meeting?.kind, reply.meeting?.topic, reply.meeting?.hostName], ['own_room', '', 'Alice Test'])
  const page = await watchAdmission(app, room, admissionId, headers)
  assert.equal((await page.next()).state, 'waiting_for_host')

  const hers = await enter(app, room, as(alice))
  assert.deepEqual([hers.state, hers.role], ['admitted', 'host'])
  await move(hers.admissionId, clock.now())
  const again = await enterAsGuest(app, room, 'Harry')
  assert.equal(again.reply.state, 'waiting')
  await expectOk(decide(app, room, again.admissionId, 'admit', as(alice)), 204)
  const inside = await sendRequest(
    app,
    'POST',
    roomPath(room, 'enter'),
    { pin: room.pin, name: 'Harry' },
    again.headers,
  )
  assert.equal(inside.body.state, 'admitted')
  assert.equal(media.granted.at(-1)?.name, 'Harry')
  page.close()
})

test('ended by its owner, the room disconnects participants and opens again as usual', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const room = await ownRoomOf(alice)
  const hers = await enter(app, room, as(alice))
  await move(hers.admissionId, clock.now())
  const { reply, admissionId, headers } = await enterAsGuest(app, room, 'Ida')
  assert.equal(reply.state, 'waiting')
  await decide(app, room, admissionId, 'admit', as(alice))
  const page = await watchAdmission(app, room, admissionId, headers)
  await page.until((seen) => seen.state === 'admitted')
  clock.advance(1_000)
  await expectOk(sendRequest(app, 'POST', roomPath(room, 'end'), undefined, as(alice)), 204)
  await page.until((seen) => seen.state === 'ended')
  page.close()
  await app.database.updateTable('admission').set({ leftAt: clock.now() }).where('enteredAt', 'is not', null).execute()
  clock.advance(1_000)
  assert.equal(await state(room, bob), 'waiting_for_host')
  assert.equal(await state(room, alice), 'admitted')
  clock.advance(20 * 24 * 60 * 60 * 1000)
  assert.equal(await state(room, alice), 'admitted', 'weeks later, too')
})

test('only the owner hosts it: neither a host key nor an administrator does, and a lock keeps others out', async () => {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  const room = await ownRoomOf(alice)
  assert.equal(await state(room, bob), 'waiting_for_host')
  for (const sent of [{ hostKey: ' ' }, { hostKey: '' }, { hostKey: 'x' }, { pin: '' }, { pin: 'x' }]) {
    const { body } = await sendRequest(app, 'POST', roomPath(room, 'enter'), { pin: 'wrong', ...sent }, as(mallory))
    assert.match(body.state, /^pin_(wrong|required)$/)
    assert.equal(body.role, undefined)
  }
  for (const [person, code] of [
    [mallory, 'meeting_not_found'],
    [olga, 'meeting_not_found'],
    [bob, 'host_required'],
  ] as const) {
    await expectProblem(updateRoom(app, room, { locked: true }, as(person)), code)
  }
  await expectOk(updateRoom(app, room, { locked: true }, as(alice)))
  assert.equal(await state(room, carol), 'locked')
  await expectOk(updateRoom(app, room, { locked: false }, as(alice)))
  assert.equal(await state(room, carol), 'waiting_for_host')
})

test('admissions and cohost roles last for one conversation: the next one begins with an entry request', async () => {
  const [bob] = await meet('Bob')
  const bobs = await ownRoomOf(bob)
  const roomId = await idOf(bobs)
  const his = await enter(app, bobs, as(bob))
  const gita = await enterAsGuest(app, bobs, 'Gita')
  await decide(app, bobs, gita.admissionId, 'admit', as(bob))
  await move(gita.admissionId, clock.now())
  const toCohost = { action: 'make_cohost' }
  const made = await sendRequest(app, 'POST', roomPath(bobs, `participants/${gita.admissionId}`), toCohost, as(bob))
  await expectOk(made, 204)
  await talk(bobs, roomId, his.admissionId, gita.admissionId)
  clock.advance(8 * 60 * 60 * 1000)
  const again = await sendRequest(app, 'POST', roomPath(bobs, 'enter'), { pin: bobs.pin, name: 'Gita' }, gita.headers)
  assert.deepEqual(
    [again.body.state, again.body.role, again.body.media],
    ['waiting_for_host', 'participant', undefined],
  )
  await expectProblem(updateRoom(app, bobs, { locked: true }, gita.headers), 'host_required')
})

test('a lock never keeps the owner out, and ends with the conversation', async () => {
  const [bob, carol] = await meet('Bob', 'Carol')
  const bobs = await ownRoomOf(bob)
  await expectOk(updateRoom(app, bobs, { locked: true }, as(bob)))
  assert.equal(await state(bobs, carol), 'locked')
  const his = await enter(app, bobs, as(bob))
  assert.equal(his.state, 'admitted')
  await talk(bobs, await idOf(bobs), his.admissionId)
  assert.equal(await state(bobs, carol), 'waiting_for_host')
})

test('is on no list, and is not found once its account is disabled', async () => {
  const [bob, carol] = await meet('Bob', 'Carol')
  const carols = await ownRoomOf(carol)
  assert.equal(await state(carols, carol), 'admitted')
  assert.equal((await carol.send('GET', '/api/meeting/me')).body.totalCount, 0)
  const added = await sendRequest(app, 'POST', `/api/meeting/add/${carols.svcMeetId}`, { pin: carols.pin }, as(bob))
  await expectProblem(added, 'meeting_not_found')
  await expectOk(olga.send('PUT', `/api/admin/accounts/${carol.profile._id}`, { disabled: true }))
  assert.equal(await state(carols, bob), 'not_found')
})
