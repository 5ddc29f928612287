import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights, roomRights } from '@parley/contract'
import { detailsPath, sendRequest } from '../../test/people.ts'
import { expectProblem } from '../../test/replies.ts'
import { as, decide, enterAsGuest, type Headers, roomPath, watchRoom } from '../../test/rooms/rooms.ts'
import { useRooms } from '../../test/rooms/use-rooms.ts'

const { alice, app, bob, carol, clock, enterRoom, mallory, meet, move, update } = await useRooms()

test('Alice sees who waits, who was denied and who is inside, each with its time', async () => {
  const room = await meet({ waitingRoom: true })
  const { admissionId } = await enterRoom(room, as(alice))
  const list = await watchRoom(app, room, as(alice))
  const first = await list.next()
  const rights = { role: 'host', madeCohost: false, madeHost: false, hardMuted: false, allowed: allRights }
  const inside = { admissionId, name: 'Alice Test', email: alice.email, guest: false, formerName: null, ...rights }
  assert.deepEqual(first, {
    locked: false,
    waitingRoom: true,
    approvalRequired: false,
    allowed: allRights,
    breakout: null,
    breakoutSupported: true,
    controllable: roomRights,
    owns: true,
    waiting: [],
    denied: [],
    participants: [{ ...inside, breakoutRoom: null, helpAskedOn: null, enteredOn: clock.now().toISOString() }],
  })
  const guest = await enterAsGuest(app, room, 'Greta')
  const { waiting } = await list.until((seen) => seen.waiting.length === 1)
  const greta = { admissionId: guest.admissionId, name: 'Greta', email: null, guest: true, formerName: null }
  assert.deepEqual(waiting, [{ ...greta, askedOn: clock.now().toISOString() }])
  await decide(app, room, guest.admissionId, 'deny', as(alice))
  const { denied } = await list.until((seen) => seen.waiting.length === 0)
  assert.deepEqual(denied, [{ ...greta, decidedOn: clock.now().toISOString() }])
  list.close()
})

test('a host sees at once that the room is locked, and that a participant has left', async () => {
  const room = await meet()
  const { admissionId } = await enterRoom(room, as(bob))
  const list = await watchRoom(app, room, as(alice))
  const first = await list.next()
  assert.deepEqual([first.locked, first.participants.length], [false, 1])
  await move(admissionId, clock.now(), clock.now())
  await update(room, { locked: true })
  const next = await list.until(({ locked }) => locked)
  assert.deepEqual(next.participants, [])
  list.close()
})

test('a cohost and a guest with the host key may watch; participants and strangers may not', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const [{ roomKey }] = (await alice.send('GET', detailsPath(room))).body
  const byKey = await enterAsGuest(app, room, 'With the key', { hostKey: roomKey })
  for (const headers of [as(carol), byKey.headers]) {
    const list = await watchRoom(app, room, headers)
    assert.equal((await list.next()).locked, false)
    list.close()
  }
  const guest = await enterAsGuest(app, room, 'Greta')
  const watchAs = (headers: Headers, of = room) => sendRequest(app, 'GET', roomPath(of, 'waiting'), undefined, headers)
  await expectProblem(watchAs(as(bob)), 'host_required')
  await expectProblem(watchAs(guest.headers), 'host_required')
  await expectProblem(watchAs(as(mallory)), 'meeting_not_found')
  await expectProblem(watchAs({}), 'meeting_not_found')
  await expectProblem(watchAs(as(alice), { ...room, svcMeetId: '8999999999' }), 'meeting_not_found')
})
