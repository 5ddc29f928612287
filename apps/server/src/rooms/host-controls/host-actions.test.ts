import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meetPeople, schedule, sendRequest, standUp } from '../../../test/people.ts'
import {
  as,
  createNotedMedia,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  verdictOf,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

// What needs no engine: the rows, who is told of them, and what is written down.
const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, media: createNotedMedia(), letters: 'dropped' })
const { olga, alice, bob, carol } = await meetPeople(app)
const meet = (advancedOptions: object = {}, changes: object = {}): Promise<Room> =>
  schedule(alice, standUp({ advancedOptions, ...changes }))

const control = (room: Room, admissionId: string | undefined, action: string, by: Headers = as(alice)) =>
  sendRequest(app, 'POST', roomPath(room, `participants/${admissionId}`), { action }, by)
const host = (room: Room, action: string, by: Headers = as(alice)) =>
  sendRequest(app, 'POST', roomPath(room, action), undefined, by)
const comeIn = async (room: Room, headers: Headers) => {
  const told = await enter(app, room, headers)
  const enteredAt = clock.now()
  await app.database.updateTable('admission').set({ enteredAt }).where('id', '=', String(told.admissionId)).execute()
  return told
}
const written = async (room: Room) => {
  const rows = await app.database.selectFrom('auditEntry').selectAll().orderBy('id').execute()
  return rows
    .filter(({ detail }) => (detail as { meetingId?: string }).meetingId === room._id)
    .map(({ action, actorId, subjectId }) => [action, actorId, subjectId])
}

test('each lasting action is audited once, with its actor and subject', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId } = await comeIn(room, as(bob))
  const guest = await enterAsGuest(app, room, 'Guest')
  for (const action of ['lock', 'lock', 'unlock', 'unlock']) assert.equal(verdictOf(await host(room, action)), '200')
  for (const action of ['lift_hard_mute', 'lift_hard_mute', 'make_cohost', 'make_cohost', 'remove']) {
    assert.equal(verdictOf(await control(room, admissionId, action)), '200', action)
  }
  assert.equal(verdictOf(await control(room, guest.admissionId, 'remove')), '200')
  assert.equal(verdictOf(await host(room, 'end')), '200')
  const [byAlice, toBob] = [alice.profile._id, bob.profile._id]
  assert.deepEqual(await written(room), [
    ['room.locked', byAlice, null],
    ['room.unlocked', byAlice, null],
    ['participant.hard-mute-lifted', byAlice, toBob],
    ['participant.made-cohost', byAlice, toBob],
    ['participant.removed', byAlice, toBob],
    ['participant.removed', byAlice, null],
    ['room.ended', byAlice, null],
  ])
  const log = await olga.send('GET', '/api/admin/audit-log?limit=50')
  assert.ok(log.body.entries.some(({ action }: { action: string }) => action === 'participant.removed'))
})

test('who is asked to speak is told, and so is who becomes a cohost or is removed', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId } = await comeIn(room, as(bob))
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
  assert.equal(verdictOf(await host(room, 'lock', as(bob))), '403 host_required')
})

test('muting all succeeds without an engine; a person outside is not a participant', async () => {
  const room = await meet()
  const { admissionId } = await enter(app, room, as(bob))
  for (const action of ['mute', 'stop_camera', 'stop_share', 'ask_unmute']) {
    assert.equal(verdictOf(await control(room, admissionId, action)), '404 participant_not_found', action)
  }
  await comeIn(room, as(bob))
  for (const action of ['mute', 'stop_camera', 'stop_share']) {
    assert.equal(verdictOf(await control(room, admissionId, action)), '200', action)
  }
  assert.equal(verdictOf(await host(room, 'mute-all')), '200')
  const elsewhere = await meet()
  assert.equal(verdictOf(await control(elsewhere, admissionId, 'remove')), '404 participant_not_found')
  for (const action of ['lock', 'unlock', 'mute-all', 'end']) {
    assert.equal(verdictOf(await host(room, action, as(bob))), '403 host_required')
    assert.equal(verdictOf(await host(room, action, as(carol))), '404 meeting_not_found')
  }
})

test('a cohost stops the video and the screen of a participant, and nothing of a host', async () => {
  const room = await meet()
  const ofAlice = await comeIn(room, as(alice))
  const ofBob = await comeIn(room, as(bob))
  const ofCarol = await comeIn(room, as(carol))
  await control(room, ofBob.admissionId, 'make_cohost')
  for (const action of ['mute', 'stop_camera', 'stop_share']) {
    assert.equal(verdictOf(await control(room, ofCarol.admissionId, action, as(bob))), '200', action)
    assert.equal(verdictOf(await control(room, ofAlice.admissionId, action, as(bob))), '403 forbidden', action)
    assert.equal(verdictOf(await control(room, ofBob.admissionId, action, as(carol))), '403 host_required', action)
  }
})

test('a host sees at once that the room is locked, and that it is empty once they ended it', async () => {
  const room = await meet()
  await comeIn(room, as(bob))
  const list = await watchRoom(app, room, as(alice))
  const first = await list.next()
  assert.deepEqual([first.locked, first.participants.length], [false, 1])
  await host(room, 'lock')
  assert.equal((await list.until(({ locked }) => locked)).participants.length, 1)
  list.close()
  const { admissionId } = await enter(app, room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.equal((await page.next()).state, 'admitted')
  clock.advance(1)
  await host(room, 'end')
  await page.until(({ state }) => state === 'ended')
  page.close()
})
