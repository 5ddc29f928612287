import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk } from '../../../test/replies.ts'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, enter, enterAsGuest } from '../../../test/rooms/rooms.ts'

const { alice, bob, carol, app, clock, meet, move, enterRoom, auditedOf, update } = await setUpHost()

test('Alice locks the room: people inside stay and may return, and no other person enters, host and cohosts included', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const { admissionId } = await enterRoom(room, as(bob))
  const early = await enterAsGuest(app, room, 'Early')
  const answer = await update(room, { locked: true })
  assert.deepEqual(await expectOk(answer), { locked: true, approvalRequired: false })
  for (const person of [alice, carol]) assert.equal((await enter(app, room, as(person))).state, 'locked')
  assert.equal((await enter(app, room, early.headers)).state, 'locked', 'admitted before, and not yet inside')
  await move(admissionId, clock.now(), clock.now())
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
})

test('locking twice equals locking once, and a cohost may lock', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  await expectOk(update(room, { locked: true }, as(carol)))
  await expectOk(update(room, { locked: true }))
  assert.deepEqual(await auditedOf(room), [['room.locked', carol.profile._id, null]])
})
