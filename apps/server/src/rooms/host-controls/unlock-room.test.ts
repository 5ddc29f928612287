import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, enter, verdictOf } from '../../../test/rooms/rooms.ts'

const { alice, bob, carol, app, meet, act, assertHostsOnly, auditedOf } = await setUpHost()

test('Carol, a cohost, unlocks the room that Alice has locked, and Bob enters', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  await act(room, 'lock')
  assert.equal((await enter(app, room, as(bob))).state, 'locked')
  const answer = await act(room, 'unlock', as(carol))
  assert.deepEqual([answer.status, answer.body], [200, { status: 'People may come in again.' }])
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  assert.equal(verdictOf(await act(room, 'unlock')), '200')
  assert.deepEqual(await auditedOf(room), [
    ['room.locked', alice.profile._id, null],
    ['room.unlocked', carol.profile._id, null],
  ])
})

test('leaves a room that was never locked as it is', async () => {
  const room = await meet()
  assert.equal(verdictOf(await act(room, 'unlock')), '200')
  assert.deepEqual(await auditedOf(room), [])
})

test('allows only hosts to unlock', async () => {
  const room = await meet()
  await assertHostsOnly(room, 'unlock')
})
