import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { as, decide, enter, enterAsGuest, watchAdmission, watchRoom } from '../../test/rooms/rooms.ts'
import { useRooms } from '../../test/rooms/use-rooms.ts'

// The part that needs no engine; engine/reconcile-rooms.host-controls.test.ts tests with the engine that tracks really stop.
const { alice, app, bob, carol, clock, control, enterRoom, mallory, meet, move, update } = await useRooms()

test('notifies a person who is asked to speak, becomes a cohost or is removed', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId } = await enterRoom(room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  const first = await page.next()
  assert.deepEqual([first.state, first.hardMuted, first.unmuteAskedOn], ['admitted', true, null])
  await control(room, admissionId, 'ask_unmute')
  const asked = await page.until(({ unmuteAskedOn }) => unmuteAskedOn !== null)
  assert.equal(asked.unmuteAskedOn, clock.now().toISOString())
  await control(room, admissionId, 'make_cohost')
  assert.equal((await page.until(({ role }) => role === 'cohost')).hardMuted, false, 'hosts are never muted for good')
  await control(room, admissionId, 'remove')
  await page.until(({ state }) => state === 'denied')
  page.close()
  await expectProblem(update(room, { locked: true }, as(bob)), 'host_required')
})

test('a cohost stops the video and the screen of a participant, and has no such control over a host', async () => {
  const room = await meet()
  const ofAlice = await enterRoom(room, as(alice))
  const ofBob = await enterRoom(room, as(bob))
  const ofCarol = await enterRoom(room, as(carol))
  await control(room, ofBob.admissionId, 'make_cohost')
  for (const action of ['mute', 'stop_camera', 'stop_share']) {
    await expectOk(control(room, ofCarol.admissionId, action, as(bob)), 204)
    await expectProblem(control(room, ofAlice.admissionId, action, as(bob)), 'forbidden')
    await expectProblem(control(room, ofBob.admissionId, action, as(carol)), 'host_required')
  }
})

test('a host takes back that a person is a cohost, whose page and rights follow at once', async () => {
  for (const hardMuted of [false, true]) {
    const room = await meet({ participantHardAudioMute: hardMuted })
    const { admissionId } = await enterRoom(room, as(bob))
    await control(room, admissionId, 'make_cohost')
    const list = await watchRoom(app, room, as(bob))
    assert.deepEqual(
      (await list.next()).participants.map(({ role, madeCohost }) => [role, madeCohost]),
      [['cohost', true]],
    )
    const page = await watchAdmission(app, room, admissionId, as(bob))
    await page.until(({ role }) => role === 'cohost')
    await expectOk(control(room, admissionId, 'remove_cohost'), 204)
    const now = await page.until(({ role }) => role === 'participant')
    assert.deepEqual([now.state, now.hardMuted], ['admitted', hardMuted])
    page.close()
    list.close()
    await expectProblem(update(room, { locked: true }, as(bob)), 'host_required')
    assert.equal((await enter(app, room, as(bob))).role, 'participant')
    await expectOk(control(room, admissionId, 'remove_cohost'), 204)
  }
})

test('only a host makes and removes cohosts, and no cohost of the meeting itself', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const ofAlice = await enterRoom(room, as(alice))
  const ofBob = await enterRoom(room, as(bob))
  const ofCarol = await enterRoom(room, as(carol))
  const guest = await enterAsGuest(app, room, 'Second browser of Bob')
  await move(guest.admissionId, clock.now())
  await control(room, ofBob.admissionId, 'make_cohost')
  for (const cohost of [bob, carol]) {
    for (const target of [guest.admissionId, ofBob.admissionId, ofAlice.admissionId]) {
      for (const action of ['make_cohost', 'remove_cohost']) {
        await expectProblem(control(room, target, action, as(cohost)), 'forbidden')
      }
    }
  }
  await expectProblem(control(room, guest.admissionId, 'make_cohost', guest.headers), 'host_required')
  await expectProblem(control(room, ofCarol.admissionId, 'remove_cohost'), 'cohost_of_meeting')
  await expectOk(control(room, ofAlice.admissionId, 'remove_cohost'), 204)
  await expectOk(update(room, { locked: true }))
})

test('says who is a guest by the account, whatever name a guest gives', async () => {
  const room = await meet({ waitingRoom: true })
  await enterRoom(room, as(alice))
  const guest = await enterAsGuest(app, room, 'Alice Test')
  await enter(app, room, as(bob))
  const list = await watchRoom(app, room, as(alice))
  const seen = await list.until(({ waiting }) => waiting.length === 2)
  assert.deepEqual(
    seen.waiting.map(({ name, guest: isGuest }) => [name, isGuest]),
    [
      ['Alice Test', true],
      ['Bob Test', false],
    ],
  )
  await decide(app, room, guest.admissionId, 'admit', as(alice))
  await move(guest.admissionId, clock.now())
  list.close()
  const again = await watchRoom(app, room, as(alice))
  assert.deepEqual(
    (await again.next()).participants.map(({ name, guest: isGuest }) => [name, isGuest]),
    [
      ['Alice Test', false],
      ['Alice Test', true],
    ],
  )
  again.close()
  assert.deepEqual((await enter(app, room, as(alice))).inside?.people, [{ name: 'Alice Test', guest: true }])
})

test('refuses a person outside, and a person of another room', async () => {
  const room = await meet()
  const { admissionId } = await enter(app, room, as(bob))
  for (const action of ['mute', 'stop_camera', 'stop_share', 'ask_unmute']) {
    await expectProblem(control(room, admissionId, action), 'participant_not_found')
  }
  await enterRoom(room, as(bob))
  for (const action of ['mute', 'stop_camera', 'stop_share']) {
    await expectOk(control(room, admissionId, action), 204)
  }
  const elsewhere = await meet()
  await expectProblem(control(elsewhere, admissionId, 'remove'), 'participant_not_found')
  await expectProblem(control(room, 'nonsense', 'remove'), 'participant_not_found')
})

test('allows only hosts, only existing actions, and no removal of the host', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const { admissionId } = await enterRoom(room, as(bob))
  const ofAlice = await enterRoom(room, as(alice))
  await expectProblem(control(room, admissionId, 'remove', as(bob)), 'host_required')
  await expectProblem(control(room, admissionId, 'remove', as(mallory)), 'meeting_not_found')
  await expectProblem(control(room, admissionId, 'remove', {}), 'meeting_not_found')
  await expectProblem(control(room, admissionId, 'unmute'), 'invalid_request', ['/action not_allowed'])
  for (const by of [carol, alice]) {
    await expectProblem(control(room, ofAlice.admissionId, 'remove', as(by)), 'forbidden')
  }
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
})
