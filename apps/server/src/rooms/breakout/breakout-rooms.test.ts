import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BodyOf, BreakoutRooms, openBreakoutRooms, updateBreakoutRooms } from '@parley/contract'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import {
  admissionPath,
  as,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  watchAdmission,
} from '../../../test/rooms/rooms.ts'
import { useRooms } from '../../../test/rooms/use-rooms.ts'

// The part that needs no engine; breakout-rooms.engine.test.ts tests that the engine keeps the rooms apart.
const rooms = await useRooms()
const { act, alice, app, auditedOf, bob, carol, clock, enterRoom, expectHostsOnly, mallory } = rooms
const { media, meet, move, other, watchOnce } = rooms

type Opening = BodyOf<typeof openBreakoutRooms>
type Change = BodyOf<typeof updateBreakoutRooms>

const open = (room: Room, body: Opening, by: Headers = as(alice)) =>
  sendRequest(app, 'POST', roomPath(room, 'breakout-rooms'), body, by)
const change = (room: Room, body: Change, by: Headers = as(alice)) =>
  sendRequest(app, 'PATCH', roomPath(room, 'breakout-rooms'), body, by)
const opened = async (...sent: Parameters<typeof open>): Promise<BreakoutRooms> =>
  (await expectOk(open(...sent))).breakout
const changed = async (...sent: Parameters<typeof change>): Promise<BreakoutRooms | null> =>
  (await expectOk(change(...sent))).breakout
const go = (room: Room, admissionId: string | undefined, body: { room?: string | null; help?: boolean }, by: Headers) =>
  sendRequest(app, 'PATCH', `${admissionPath(room, admissionId)}/breakout-room`, body, by)

/** Two rooms with these people. */
const two = (inOne: (string | undefined)[] = [], inTwo: (string | undefined)[] = []) => [
  { name: ' Room 1 ', participants: inOne.map(String) },
  { name: 'Room 2', participants: inTwo.map(String) },
]

/** Alice, the host, Bob and a guest are inside. */
async function callOfThree(changes: object = {}) {
  const room = await meet({}, changes)
  const ofAlice = await enterRoom(room, as(alice))
  const ofBob = await enterRoom(room, as(bob))
  const guest = await enterAsGuest(app, room, 'Gita')
  await move(guest.admissionId, clock.now())
  return { room, alice: ofAlice.admissionId, bob: ofBob.admissionId, gita: guest.admissionId, guest: guest.headers }
}

/** What a person sees of the breakout rooms. */
async function seenBy(room: Room, admissionId: string | undefined, headers: Headers) {
  const page = await watchAdmission(app, room, admissionId, headers)
  const { breakout } = await page.next()
  page.close()
  return breakout
}

const idsOf = ({ rooms: listed }: BreakoutRooms) => listed.map(({ id }) => id)

test('Alice opens rooms with people in them; their pages learn where they are, and media is granted for it', async () => {
  const { room, bob: ofBob, gita, guest } = await callOfThree()
  const page = await watchAdmission(app, room, ofBob, as(bob))
  assert.equal((await page.next()).breakout, null)
  const breakout = await opened(room, { rooms: two([ofBob], [gita]), minutes: 10 })
  const [one, second] = idsOf(breakout)
  assert.deepEqual(breakout, {
    rooms: [
      { id: one, name: 'Room 1' },
      { id: second, name: 'Room 2' },
    ],
    choice: false,
    endsAt: '2030-01-07T09:10:00.000Z',
    message: null,
  })
  assert.deepEqual((await page.next()).breakout, { ...breakout, room: one, assignedRoom: one, helpAskedOn: null })
  page.close()
  const watched = await watchOnce(room)
  assert.deepEqual([watched.breakout, watched.breakoutSupported], [breakout, true])
  assert.deepEqual(
    watched.participants.map(({ breakoutRoom }) => breakoutRoom),
    [null, one, second],
  )
  // After a reload, a lost connection, and on a second device.
  await enter(other, room, as(bob))
  assert.equal(media.granted.at(-1)?.breakoutRoom, one)
  await move(gita, clock.now(), clock.now())
  await enter(app, room, guest)
  assert.equal(media.granted.at(-1)?.breakoutRoom, second)
  // Carol comes later, to the main room.
  await enter(app, room, as(carol))
  assert.equal(media.granted.at(-1)?.breakoutRoom, null)
  assert.deepEqual(await auditedOf(room), [['room.breakout-rooms-opened', alice.profile._id, null]])
})

test('the rooms close at their end, and everyone is in the main room', async () => {
  const { room, bob: ofBob } = await callOfThree()
  await expectOk(open(room, { rooms: two([ofBob]), minutes: 10 }))
  clock.advance(10 * 60_000 - 1)
  assert.notEqual(await seenBy(room, ofBob, as(bob)), null)
  clock.advance(1)
  assert.equal(await seenBy(room, ofBob, as(bob)), null)
  const { breakout, participants } = await watchOnce(room)
  assert.deepEqual([breakout, participants.map(({ breakoutRoom }) => breakoutRoom)], [null, [null, null, null]])
  await enter(app, room, as(bob))
  assert.equal(media.granted.at(-1)?.breakoutRoom, null)
  await expectProblem(change(room, { message: 'Late' }), 'breakout_rooms_not_open')
  // Another opening has other rooms: earlier places count no longer.
  await expectOk(open(room, { rooms: two() }))
  assert.equal((await seenBy(room, ofBob, as(bob)))?.assignedRoom, null)
})

test('a host closes them with a countdown, which never makes them end later, or at once', async () => {
  const { room, bob: ofBob } = await callOfThree()
  await expectOk(open(room, { rooms: two([ofBob]), minutes: 1 }))
  const closing = async (closeInSeconds: 0 | 15 | 30 | 60) => (await changed(room, { closeInSeconds }))?.endsAt
  assert.equal(await closing(30), '2030-01-07T09:00:30.000Z')
  assert.equal(await closing(60), '2030-01-07T09:00:30.000Z')
  assert.equal((await changed(room, { minutes: 5 }))?.endsAt, '2030-01-07T09:05:00.000Z')
  assert.equal((await changed(room, { minutes: null }))?.endsAt, null)
  assert.equal(await changed(room, { closeInSeconds: 0 }), null)
  assert.equal(await seenBy(room, ofBob, as(bob)), null)
  assert.equal((await auditedOf(room)).at(-1)?.[0], 'room.breakout-rooms-closed')
})

test('hosts and cohosts move people, also back to the main room, and go everywhere themselves', async () => {
  const called = await callOfThree({ cohosts: [carol.email] })
  const { room, bob: ofBob, gita, guest } = called
  const ofCarol = (await enterRoom(room, as(carol))).admissionId
  const [one, second] = idsOf(await opened(room, { rooms: two([ofBob]) }, as(carol)))
  const moves = [
    { admissionId: String(ofBob), room: String(second) },
    { admissionId: gita, room: String(one) },
    { admissionId: 'no one', room: null },
  ]
  await expectOk(change(room, { moves }, as(carol)))
  assert.equal((await seenBy(room, ofBob, as(bob)))?.room, second)
  assert.equal((await seenBy(room, gita, guest))?.room, one)
  await expectOk(change(room, { moves: [{ admissionId: gita, room: null }] }))
  assert.deepEqual((await seenBy(room, gita, guest))?.assignedRoom, null)
  for (const target of [second, one, null]) await expectOk(go(room, ofCarol, { room: target ?? null }, as(carol)), 204)
  assert.equal((await seenBy(room, ofCarol, as(carol)))?.room, null)
  await expectProblem(
    change(room, { moves: [{ admissionId: gita, room: crypto.randomUUID() }] }),
    'breakout_room_not_found',
  )
  await expectProblem(change(room, { moves: [{ admissionId: 'no one', room: null }] }), 'participant_not_found')
})

test('a participant goes to the main room and back, and to no other room unless they choose', async () => {
  const { room, bob: ofBob, gita, guest } = await callOfThree()
  const [one, second] = idsOf(await opened(room, { rooms: two([ofBob]) }))
  await expectOk(go(room, ofBob, { room: null }, as(bob)), 204)
  const seen = await seenBy(room, ofBob, as(bob))
  assert.deepEqual([seen?.room, seen?.assignedRoom], [null, one])
  await expectOk(go(room, ofBob, { room: String(one) }, as(bob)), 204)
  await expectProblem(go(room, ofBob, { room: String(second) }, as(bob)), 'forbidden')
  await expectProblem(go(room, gita, { room: String(one) }, guest), 'forbidden')
  await expectOk(change(room, { choice: true }))
  await expectOk(go(room, gita, { room: String(second) }, guest), 204)
  assert.equal((await seenBy(room, gita, guest))?.room, second)
  await expectProblem(go(room, gita, { room: crypto.randomUUID() }, guest), 'breakout_room_not_found')
})

test('a person asks for help, hosts see it, and it ends when a host comes or the person goes', async () => {
  const { room, alice: ofAlice, bob: ofBob, gita, guest } = await callOfThree()
  const [one, second] = idsOf(await opened(room, { rooms: two([ofBob], [gita]) }))
  for (let asked = 0; asked < 2; asked += 1) {
    await expectOk(go(room, ofBob, { help: true }, as(bob)), 204)
    clock.advance(1000)
  }
  await expectOk(go(room, gita, { help: true }, guest), 204)
  const asking = async () => (await watchOnce(room)).participants.map(({ helpAskedOn }) => helpAskedOn)
  assert.deepEqual(await asking(), [null, '2030-01-07T09:00:00.000Z', '2030-01-07T09:00:02.000Z'])
  await expectOk(go(room, ofAlice, { room: String(one) }, as(alice)), 204)
  assert.deepEqual(await asking(), [null, null, '2030-01-07T09:00:02.000Z'])
  assert.equal((await seenBy(room, ofBob, as(bob)))?.helpAskedOn, null)
  await expectOk(go(room, gita, { help: false }, guest), 204)
  await expectOk(go(room, gita, { help: true }, guest), 204)
  await expectOk(go(room, gita, { room: null }, guest), 204)
  assert.deepEqual(await asking(), [null, null, null])
  // The main room has a host in it, or none who could come.
  await expectOk(go(room, gita, { help: true }, guest), 204)
  assert.deepEqual(await asking(), [null, null, null])
  assert.equal((await seenBy(room, gita, guest))?.assignedRoom, second)
})

test('a message reaches everyone, the last one also those who come later', async () => {
  const { room, bob: ofBob } = await callOfThree()
  await expectOk(open(room, { rooms: two([ofBob]) }))
  await expectOk(change(room, { message: ' Five minutes left ' }))
  const message = { text: 'Five minutes left', sentOn: '2030-01-07T09:00:00.000Z' }
  assert.deepEqual((await seenBy(room, ofBob, as(bob)))?.message, message)
  assert.deepEqual((await watchOnce(room)).breakout?.message, message)
  for (const text of ['', ' ', 'x'.repeat(501), 'a\nb'])
    await expectProblem(change(room, { message: text }), 'invalid_request')
})

test('they end with the meeting, and a host who leaves keeps them open', async () => {
  const { room, alice: ofAlice, bob: ofBob } = await callOfThree()
  const [one] = idsOf(await opened(room, { rooms: two([ofBob]) }))
  await move(ofAlice, clock.now(), clock.now())
  assert.equal((await seenBy(room, ofBob, as(bob)))?.room, one)
  await expectOk(rooms.update(room, { locked: true }))
  await move(ofBob, clock.now(), clock.now())
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'a lock lets people back into their rooms')
  await expectOk(act(room, 'end'), 204)
  assert.equal((await watchOnce(room)).breakout, null)
})

test('only hosts open and change rooms, while a call is in progress, and once', async () => {
  await expectHostsOnly(await meet(), (room, by) => open(room, { rooms: two() }, by))
  await expectHostsOnly(await meet(), (room, by) => change(room, { choice: true }, by))
  await expectProblem(open(await meet(), { rooms: two() }), 'call_not_in_progress')
  const { room, bob: ofBob } = await callOfThree()
  await expectProblem(change(room, { choice: true }), 'breakout_rooms_not_open')
  await expectProblem(go(room, ofBob, { room: null }, as(bob)), 'breakout_rooms_not_open')
  await expectOk(open(room, { rooms: two() }))
  await expectProblem(open(room, { rooms: two() }), 'breakout_rooms_open')
  for (const by of [as(alice), as(mallory), {}])
    await expectProblem(go(room, ofBob, { room: null }, by), 'admission_not_found')
  await move(ofBob, clock.now(), clock.now())
  await expectProblem(go(room, ofBob, { room: null }, as(bob)), 'admission_not_found')
})

test('there are 1 to 50 rooms with names, and ends within a day', async () => {
  const { room } = await callOfThree()
  const named = (name: string) => ({ name, participants: [] })
  const many = Array.from({ length: 51 }, (_, at) => named(`Room ${at}`))
  for (const sent of [[], many, [named('')], [named('x'.repeat(101))]])
    await expectProblem(open(room, { rooms: sent }), 'invalid_request')
  for (const minutes of [0, 1441, 1.5]) await expectProblem(open(room, { rooms: two(), minutes }), 'invalid_request')
  await expectProblem(change(room, { closeInSeconds: 20 } as never), 'invalid_request')
  await expectOk(open(room, { rooms: many.slice(1), minutes: 1440 }))
})
