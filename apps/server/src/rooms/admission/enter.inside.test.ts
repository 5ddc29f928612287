import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights } from '@parley/contract'
import { cancelPath, detailsPath, schedule, sendRequest, standUp, weekdays } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { as, decide, enter, type Room, roomPath, watchAdmission } from '../../../test/rooms/rooms.ts'
import { nine, useRooms } from '../../../test/rooms/use-rooms.ts'

const { alice, app, bob, carol, clock, mallory, media, meet, move, remove, setRoom } = await useRooms()

test('people inside stay when the host leaves and the room is locked, and may reconnect', async () => {
  const room = await meet({ joinBeforeHost: false }, { cohosts: [carol.email] })
  const host = await enter(app, room, as(alice))
  await move(host.admissionId, clock.now())
  const { admissionId } = await enter(app, room, as(bob))
  await move(admissionId, clock.now())
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.until(({ state }) => state === 'admitted')
  await move(host.admissionId, clock.now(), clock.now())
  await setRoom(room, { lockedAt: clock.now() })
  assert.equal((await enter(app, room, as(mallory))).state, 'locked')
  assert.equal((await enter(app, room, as(carol))).state, 'locked', 'a cohost as well')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'a page that is loaded anew')
  await move(admissionId, clock.now(), clock.now())
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'a connection that broke')
  assert.equal((await enter(app, room, as(alice))).state, 'admitted', 'and so for the host')
  page.close()
})

test('notifies participants when the meeting is restricted or ended, or they are removed', async () => {
  const cases: [string, (room: Room, admissionId: string) => Promise<unknown>][] = [
    [
      'not_invited',
      (room) => alice.send('PUT', detailsPath(room), standUp({ advancedOptions: { isRestrictedMeeting: true } })),
    ],
    ['denied', (_room, admissionId) => remove(admissionId)],
    ['ended', (room) => setRoom(room, { endedAt: clock.now() })],
  ]
  await Promise.all(
    cases.map(async ([state, happens]) => {
      const room = await meet({})
      const { admissionId = '' } = await enter(app, room, as(carol))
      await move(admissionId, clock.now())
      const page = await watchAdmission(app, room, admissionId, as(carol))
      await page.until((status) => status.state === 'admitted')
      await happens(room, admissionId)
      await page.until((status) => status.state === state)
      page.close()
      const again = await enter(app, room, as(carol))
      assert.deepEqual([again.state, again.media], [state, undefined])
    }),
  )
})

test('lets the people inside stay in a meeting that is cancelled, and no one else come in', async () => {
  const room = await meet({})
  const { admissionId = '' } = await enter(app, room, as(carol))
  await move(admissionId, clock.now())
  const page = await watchAdmission(app, room, admissionId, as(carol))
  await page.until(({ state, cancelled }) => state === 'admitted' && cancelled === undefined)
  await alice.send('POST', cancelPath(room), { cancel: 'all' })
  await page.until(({ state, cancelled }) => state === 'admitted' && cancelled === true)
  for (const person of [alice, bob, mallory]) assert.equal((await enter(app, room, as(person))).state, 'cancelled')
  assert.equal((await enter(app, room, as(carol))).state, 'admitted', 'a page that is loaded anew')
  await move(admissionId, clock.now(), clock.now())
  await page.until(({ state }) => state === 'cancelled')
  page.close()
  assert.equal((await enter(app, room, as(carol))).state, 'cancelled')
})

test('keeps a removed person out, without a waiting room and cohosts too, but not the host', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  for (const person of [bob, carol]) {
    const { admissionId } = await enter(app, room, as(person))
    await remove(admissionId)
    assert.equal((await enter(app, room, as(person))).state, 'denied')
    const watching = await sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, as(person))
    await expectProblem(watching, 'host_required')
    await expectOk(decide(app, room, admissionId, 'admit', as(alice)), 204)
    assert.equal((await enter(app, room, as(person))).state, 'admitted')
  }
  const { admissionId } = await enter(app, room, as(alice))
  await remove(admissionId)
  assert.equal((await enter(app, room, as(alice))).state, 'admitted')
})

test('closes a meeting that ended early to its participants, and opens it at its scheduled time', async () => {
  clock.set('2030-01-06T12:00:00Z')
  const room = await meet({ joinBeforeHost: false })
  const host = await enter(app, room, as(alice))
  await move(host.admissionId, clock.now())
  const { state, admissionId } = await enter(app, room, as(bob))
  assert.equal(state, 'admitted')
  await move(admissionId, clock.now())
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.until((status) => status.state === 'admitted')
  clock.advance(1_000)
  await setRoom(room, { endedAt: clock.now() })
  await page.until((status) => status.state === 'ended')
  page.close()
  for (const id of [host.admissionId, admissionId]) await move(id, clock.now(), clock.now())
  clock.set(nine)
  assert.equal((await enter(app, room, as(alice))).state, 'admitted')
  assert.equal((await enter(app, room, as(bob))).state, 'waiting_for_host')
})

test('does not ask an admitted person again on the same date, and asks on the next one', async () => {
  const room = await schedule(alice, weekdays({ advancedOptions: { waitingRoom: true } }))
  const { admissionId } = await enter(app, room, as(bob))
  await decide(app, room, admissionId, 'admit', as(alice))
  clock.set('2030-01-07T11:00:00Z')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  clock.set('2030-01-08T08:44:59Z')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'Monday’s door is still open')
  clock.set('2030-01-08T08:45:00Z')
  const tuesday = await enter(app, room, as(bob))
  assert.deepEqual([tuesday.state, tuesday.media, tuesday.admissionId], ['waiting', undefined, admissionId])
})

test('starts devices as the meeting says, and keeps a hard mute until a host lifts it', async () => {
  const options = { hostVideo: false, participantAudio: false, participantHardAudioMute: true }
  const room = await meet(options)
  assert.deepEqual((await enter(app, room, as(alice))).devices, {
    camera: false,
    microphone: true,
    hardMuted: false,
    allowed: allRights,
  })
  const { devices, admissionId } = await enter(app, room, as(bob))
  const allowed = { ...allRights, microphone: false }
  assert.deepEqual(devices, { camera: true, microphone: false, hardMuted: true, allowed })
  assert.deepEqual(
    media.granted.splice(0).map(({ role, allowed }) => [role, allowed.microphone]),
    [
      ['host', true],
      ['participant', false],
    ],
  )
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.equal((await page.next()).hardMuted, true)
  const lifted = { rights: JSON.stringify({ microphone: true }), unmuteAskedAt: clock.now() }
  await app.database.updateTable('admission').set(lifted).where('id', '=', String(admissionId)).execute()
  const { hardMuted, unmuteAskedOn } = await page.next()
  assert.deepEqual([hardMuted, unmuteAskedOn], [false, '2030-01-07T09:00:00.000Z'])
  assert.equal((await enter(app, room, as(bob))).devices?.hardMuted, false, 'also when he comes back')
  page.close()
})
