import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk } from '../../../test/replies.ts'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, enter } from '../../../test/rooms/rooms.ts'

const { alice, bob, carol, app, meet, auditedOf, update } = await setUpHost()

test('Carol, a cohost, unlocks the room that Alice has locked, and Bob enters', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  await update(room, { locked: true })
  assert.equal((await enter(app, room, as(bob))).state, 'locked')
  const answer = await update(room, { locked: false }, as(carol))
  assert.deepEqual(await expectOk(answer), { locked: false, approvalRequired: false })
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  await expectOk(update(room, { locked: false }))
  assert.deepEqual(await auditedOf(room), [
    ['room.locked', alice.profile._id, null],
    ['room.unlocked', carol.profile._id, null],
  ])
})

test('leaves a room that was never locked as it is', async () => {
  const room = await meet()
  await expectOk(update(room, { locked: false }))
  assert.deepEqual(await auditedOf(room), [])
})
