import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { admissionPath, as, enter, enterAsGuest, type Headers, type Room } from '../../../test/rooms/rooms.ts'
import { useRooms } from '../../../test/rooms/use-rooms.ts'

const { act, alice, app, bob, carol, clock, control, enterRoom, media, meet, move, waitingRoom, watchOnce } =
  await useRooms()

const rename = (room: Room, admissionId: string | undefined, name: string, headers: Headers) =>
  sendRequest(app, 'PATCH', admissionPath(room, admissionId), { name }, headers)

/** The people inside as a host sees them: name and former name. */
const namesIn = async (room: Room) =>
  (await watchOnce(room)).participants.map(({ name, formerName }) => [name, formerName])

test('an account changes its name in the lobby and in the call; hosts see the first one, and reloads keep it', async () => {
  const room = await meet()
  const lobby = await enter(app, room, as(bob))
  assert.equal(lobby.name, 'Bob Test')
  assert.deepEqual(await expectOk(rename(room, lobby.admissionId, ' Bobby ', as(bob))), { name: 'Bobby' })
  assert.equal((await enterRoom(room, as(bob))).name, 'Bobby')
  assert.equal(media.granted.at(-1)?.name, 'Bobby')
  await expectOk(rename(room, lobby.admissionId, 'Robert', as(bob)))
  assert.deepEqual(await namesIn(room), [['Robert', 'Bob Test']])
  assert.equal((await enter(app, room, as(bob))).name, 'Robert')
  await expectOk(rename(room, lobby.admissionId, 'Bob Test', as(bob)))
  assert.deepEqual(await namesIn(room), [['Bob Test', null]])
  const { name, lname } = (await bob.send('GET', '/api/my_profile')).body
  assert.deepEqual([name, lname], ['Bob', 'Test'])
})

test('a changed name ends with the call', async () => {
  const room = await meet()
  const { admissionId } = await enterRoom(room, as(bob))
  await expectOk(rename(room, admissionId, 'Bobby', as(bob)))
  await expectOk(act(room, 'end'), 204)
  await move(admissionId, clock.now(), clock.now())
  clock.advance(24 * 60 * 60_000)
  const other = await meet()
  assert.equal((await enterRoom(other, as(bob))).name, 'Bob Test')
})

test('a guest who enters again under another name is seen as renamed, as one who changes it inside', async () => {
  const room = await meet()
  const guest = await enterAsGuest(app, room, 'Gita')
  await move(guest.admissionId, clock.now())
  await enter(app, room, guest.headers, { name: 'Alice Test' })
  assert.deepEqual(await namesIn(room), [['Alice Test', 'Gita']])
  await expectOk(rename(room, guest.admissionId, 'Gus', guest.headers))
  assert.deepEqual(await namesIn(room), [['Gus', 'Gita']])
})

test('a host sees the first name of a person who waits, and none where there was none', async () => {
  const room = await waitingRoom()
  const guest = await enterAsGuest(app, room, '')
  await enter(app, room, guest.headers, { name: 'Gita' })
  const named = async () => (await watchOnce(room)).waiting.map(({ name, formerName }) => [name, formerName])
  assert.deepEqual(await named(), [['Gita', null]])
  await enter(app, room, guest.headers, { name: 'Carol' })
  assert.deepEqual(await named(), [['Carol', 'Gita']])
})

test('refuses names that are empty, too long or invisible, other people, and too many changes', async () => {
  const room = await meet()
  const { admissionId } = await enterRoom(room, as(bob))
  for (const name of ['', '   ', 'x'.repeat(101), 'B\u200bob', 'B\u202eob', 'B\nob'])
    await expectProblem(rename(room, admissionId, name, as(bob)), 'invalid_request')
  await expectOk(rename(room, admissionId, 'x'.repeat(100), as(bob)))
  for (const headers of [as(alice), as(carol), {}])
    await expectProblem(rename(room, admissionId, 'Mallory', headers), 'admission_not_found')
  await expectProblem(rename(await meet(), admissionId, 'Bobby', as(bob)), 'admission_not_found')
  for (let count = 1; count < 20; count++) await expectOk(rename(room, admissionId, `Bob ${count}`, as(bob)))
  await expectProblem(rename(room, admissionId, 'Bobby', as(bob)), 'too_many_requests')
  await expectOk(control(room, admissionId, 'remove'), 204)
  await expectProblem(rename(room, admissionId, 'Bobby', as(bob)), 'admission_not_found')
})
