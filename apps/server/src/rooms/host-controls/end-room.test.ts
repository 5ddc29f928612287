import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schedule, weekdays } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { nine } from '../../../test/rooms/entry-fixture.ts'
import { setUpHost } from '../../../test/rooms/host-fixture.ts'
import { as, enter, type Room, watchAdmission, watchRoom } from '../../../test/rooms/rooms.ts'

const { alice, bob, carol, app, clock, meet, act, enterRoom, assertHostsOnly, auditedOf, update } = await setUpHost()

test('Alice ends the meeting for everyone: Bob is notified at once and cannot return, and no lock remains', async () => {
  const room = await meet()
  const { admissionId } = await enterRoom(room, as(bob))
  await update(room, { locked: true })
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.equal((await page.next()).state, 'admitted')
  clock.advance(1)
  const answer = await act(room, 'end')
  await expectOk(answer, 204)
  await page.until(({ state }) => state === 'ended')
  page.close()
  assert.equal((await enter(app, room, as(bob))).state, 'ended')
  const list = await watchRoom(app, room, as(alice))
  assert.equal((await list.next()).locked, false)
  list.close()
  clock.set(nine)
})

test('a cohost ends one date of a series, and the next one opens again', async () => {
  const room: Room = await schedule(alice, weekdays({ cohosts: [carol.email] }))
  await enterRoom(room, as(bob))
  clock.advance(1)
  await expectOk(act(room, 'end', as(carol)), 204)
  assert.equal((await enter(app, room, as(bob))).state, 'ended')
  clock.set('2030-01-08T08:50:00Z')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  assert.deepEqual(await auditedOf(room), [['room.ended', carol.profile._id, null]])
  clock.set(nine)
})

test('allows only hosts to end the meeting', async () => {
  const room = await meet()
  await assertHostsOnly(room, 'end')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
})
