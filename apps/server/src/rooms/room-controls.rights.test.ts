import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights } from '@parley/contract'
import { schedule, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { as, enter, enterAsGuest, type Room, watchAdmission } from '../../test/rooms/rooms.ts'
import { useRooms } from '../../test/rooms/use-rooms.ts'

// The part that needs no engine; engine/reconcile-rooms.host-controls.test.ts tests that the engine enforces it.
const rooms = await useRooms()
const { act, alice, app, auditedOf, bob, carol, clock, control, enterRoom, expectHostsOnly } = rooms
const { media, meet, update, watchOnce } = rooms

const allowedTo = async (room: Room, headers: ReturnType<typeof as>) =>
  (await enter(app, room, headers)).devices?.allowed

test('what Alice forbids to all holds for people inside at once, for those who come later and after a reload, and not for hosts', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const { admissionId } = await enterRoom(room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.deepEqual((await page.next()).allowed, allRights)
  const answer = await expectOk(update(room, { allowed: { chat: false, microphone: false } }))
  const allowed = { ...allRights, chat: false, microphone: false }
  assert.deepEqual(answer.allowed, allowed)
  const changed = await page.next()
  assert.deepEqual([changed.allowed, changed.hardMuted], [allowed, true])
  assert.deepEqual(await allowedTo(room, as(bob)), allowed)
  assert.equal((await enterAsGuest(app, room, 'Late')).reply.devices?.hardMuted, true)
  assert.deepEqual(media.granted.at(-1)?.allowed, allowed)
  for (const person of [alice, carol]) assert.deepEqual(await allowedTo(room, as(person)), allRights)

  const later = await expectOk(update(room, { allowed: { camera: false, chat: true } }, as(carol)))
  assert.deepEqual(later.allowed, { ...allRights, microphone: false, camera: false })
  const { allowed: ofBob } = await page.until(({ allowed: seen }) => !seen.camera)
  assert.deepEqual(ofBob, later.allowed)
  page.close()
  const { allowed: seen, participants } = await watchOnce(room)
  assert.deepEqual(seen, later.allowed)
  assert.deepEqual(participants.find((person) => person.admissionId === admissionId)?.allowed, later.allowed)
  assert.deepEqual(
    (await auditedOf(room)).map(([action]) => action),
    ['room.rights-changed', 'room.rights-changed'],
  )
})

test('what a host allows or forbids to one person comes before the decision for all, and ends with the next one', async () => {
  const room = await meet()
  const { admissionId } = await enterRoom(room, as(bob))
  await expectOk(control(room, admissionId, 'forbid_camera'), 204)
  await expectOk(control(room, admissionId, 'forbid_camera'), 204)
  assert.deepEqual(await allowedTo(room, as(bob)), { ...allRights, camera: false })
  assert.deepEqual(await allowedTo(room, as(carol)), allRights)
  await expectOk(update(room, { allowed: { chat: false } }))
  await expectOk(control(room, admissionId, 'allow_chat'), 204)
  assert.deepEqual(await allowedTo(room, as(bob)), { ...allRights, camera: false })
  await expectOk(update(room, { allowed: { camera: true } }))
  assert.deepEqual(await allowedTo(room, as(bob)), allRights, 'the chat stays as it was decided for Bob')
  await expectOk(update(room, { allowed: { chat: false } }))
  assert.deepEqual(await allowedTo(room, as(bob)), { ...allRights, chat: false })
})

test('a host mutes one person until the host lifts it, also under the option of the meeting', async () => {
  for (const byOption of [false, true]) {
    const room = await meet({ participantHardAudioMute: byOption })
    const { admissionId } = await enterRoom(room, as(bob))
    await expectOk(control(room, admissionId, 'hard_mute'), 204)
    assert.equal((await enter(app, room, as(bob))).devices?.hardMuted, true)
    await expectOk(control(room, admissionId, 'lift_hard_mute'), 204)
    assert.equal((await enter(app, room, as(bob))).devices?.hardMuted, false)
    assert.equal((await enter(app, room, as(carol))).devices?.hardMuted, byOption)
  }
})

test('a cohost takes nothing from hosts; one who is made a cohost has everything, and then what participants have', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const ofAlice = await enterRoom(room, as(alice))
  const ofCarol = await enterRoom(room, as(carol))
  const ofBob = await enterRoom(room, as(bob))
  for (const action of ['hard_mute', 'forbid_camera', 'forbid_screen', 'forbid_chat', 'forbid_reactions']) {
    for (const { admissionId } of [ofAlice, ofCarol])
      await expectProblem(control(room, admissionId, action, as(carol)), 'forbidden')
    await expectOk(control(room, ofBob.admissionId, action, as(carol)), 204)
    await expectProblem(control(room, ofBob.admissionId, action, as(bob)), 'host_required')
  }
  const nothing = { microphone: false, camera: false, screen: false, chat: false, reactions: false }
  assert.deepEqual(await allowedTo(room, as(bob)), nothing)
  await control(room, ofBob.admissionId, 'make_cohost')
  assert.deepEqual(await allowedTo(room, as(bob)), allRights)
  await control(room, ofBob.admissionId, 'remove_cohost')
  assert.deepEqual(await allowedTo(room, as(bob)), allRights)
})

test('a decision holds for its date, and until the host ends the meeting', async () => {
  const series: Room = await schedule(alice, weekdays())
  await enterRoom(series, as(bob))
  await update(series, { allowed: { screen: false } })
  assert.equal((await allowedTo(series, as(bob)))?.screen, false)
  clock.advance(24 * 60 * 60_000)
  assert.deepEqual((await watchOnce(series)).allowed, allRights)

  const room = await meet()
  await update(room, { allowed: { screen: false } })
  await expectOk(act(room, 'end'), 204)
  assert.deepEqual((await watchOnce(room)).allowed, allRights)
})

test('only hosts decide, and only about rights that there are', async () => {
  await expectHostsOnly(await meet(), (room, by) => update(room, { allowed: { chat: false } }, by))
  const room = await meet()
  await expectProblem(update(room, { allowed: { chat: 'no' } } as never), 'invalid_request')
  assert.deepEqual((await expectOk(update(room, { allowed: {} }))).allowed, allRights)
  assert.deepEqual(await auditedOf(room), [])
})
