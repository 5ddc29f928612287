import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, enter, enterAsGuest, verdictOf } from '../../../test/rooms/rooms.ts'

const { alice, bob, carol, app, clock, meet, act, move, enterRoom, assertHostsOnly, auditedOf } = await setUpHost()

test('Alice locks the room: people inside stay and may return, and no other person enters, host and cohosts included', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const { admissionId } = await enterRoom(room, as(bob))
  const early = await enterAsGuest(app, room, 'Early')
  const answer = await act(room, 'lock')
  assert.deepEqual([answer.status, answer.body], [200, { status: 'Nobody else comes in.' }])
  for (const person of [alice, carol]) assert.equal((await enter(app, room, as(person))).state, 'locked')
  assert.equal((await enter(app, room, early.headers)).state, 'locked', 'admitted before, and not yet inside')
  await move(admissionId, clock.now(), clock.now())
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
})

test('locking twice equals locking once, and a cohost may lock', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  assert.equal(verdictOf(await act(room, 'lock', as(carol))), '200')
  assert.equal(verdictOf(await act(room, 'lock')), '200')
  assert.deepEqual(await auditedOf(room), [['room.locked', carol.profile._id, null]])
})

test('allows only hosts to lock', async () => {
  const room = await meet()
  await assertHostsOnly(room, 'lock')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
})
