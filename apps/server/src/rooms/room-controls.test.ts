import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights } from '@parley/contract'
import { detailsPath, schedule, weekdays } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { as, decide, enter, enterAsGuest, type Room, watchAdmission, watchRoom } from '../../test/rooms/rooms.ts'
import { nine, useRooms } from '../../test/rooms/use-rooms.ts'

const {
  act,
  alice,
  app,
  auditedOf,
  bob,
  carol,
  clock,
  control,
  enterRoom,
  expectHostsOnly,
  hostKeyOf,
  mallory,
  meet,
  move,
  olga,
  other,
  update,
  waitingRoom,
  watchOnce,
} = await useRooms()

test('Alice locks the room: people inside stay and may return, and no other person enters, host and cohosts included', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const { admissionId } = await enterRoom(room, as(bob))
  const early = await enterAsGuest(app, room, 'Early')
  const answer = await update(room, { locked: true })
  assert.deepEqual(await expectOk(answer), { locked: true, approvalRequired: false, allowed: allRights, spotlight: [] })
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

test('Carol, a cohost, unlocks the room that Alice has locked, and Bob enters', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  await update(room, { locked: true })
  assert.equal((await enter(app, room, as(bob))).state, 'locked')
  const answer = await update(room, { locked: false }, as(carol))
  assert.deepEqual(await expectOk(answer), {
    locked: false,
    approvalRequired: false,
    allowed: allRights,
    spotlight: [],
  })
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

/** A guest who was admitted and has entered. */
async function insideAsGuest(room: Room, name: string) {
  const guest = await enterAsGuest(app, room, name)
  assert.equal(guest.reply.state, 'admitted')
  await move(guest.admissionId, clock.now())
  return guest
}

test('a removed guest who drops the cookie waits, once the host requires approval of new guests', async () => {
  const room = await meet({})
  const mia = await insideAsGuest(room, 'Mia')
  await expectOk(control(room, mia.admissionId, 'remove'), 204)
  assert.equal((await enter(app, room, mia.headers)).state, 'denied')
  assert.equal((await enterAsGuest(app, room, 'Not Mia')).reply.state, 'admitted', 'what the host can stop now')

  await expectOk(update(room, { approvalRequired: true }))
  const back = await enterAsGuest(app, room, 'Mia again')
  assert.deepEqual([back.reply.state, back.reply.media, back.reply.devices], ['waiting', undefined, undefined])
  assert.equal((await enter(app, room, as(mallory))).state, 'waiting', 'an account that is not invited is no better')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'who is invited comes in')
  assert.equal((await enter(app, room, as(alice))).state, 'admitted')
  const byKey = await enterAsGuest(app, room, 'Gwen', { hostKey: await hostKeyOf(room) })
  assert.deepEqual([byKey.reply.state, byKey.reply.role], ['admitted', 'host'])
  assert.equal((await enter(app, room, mia.headers)).state, 'denied', 'removed is removed')

  const { waiting, approvalRequired, waitingRoom: byOption } = await watchOnce(room)
  assert.deepEqual([approvalRequired, byOption], [true, false])
  assert.deepEqual(waiting.map(({ name }) => name).toSorted(), ['Mallory Test', 'Mia again'])
  await decide(app, room, back.admissionId, 'admit', as(alice))
  assert.equal((await enter(app, room, back.headers)).state, 'admitted')
})

test('people inside stay, may return, and need no approval', async () => {
  const room = await meet({})
  const [inside, left] = [await insideAsGuest(room, 'Ina'), await insideAsGuest(room, 'Lars')]
  clock.advance(1_000)
  await move(left.admissionId, new Date(nine), clock.now())
  await update(room, { approvalRequired: true })
  const page = await watchAdmission(app, room, inside.admissionId, inside.headers)
  assert.equal((await page.next()).state, 'admitted')
  page.close()
  for (const { headers } of [inside, left]) assert.equal((await enter(app, room, headers)).state, 'admitted')
})

test('a second browser that was admitted before but has not entered waits as well', async () => {
  const room = await meet({})
  const spare = await enterAsGuest(app, room, 'Spare')
  assert.equal(spare.reply.state, 'admitted')
  clock.advance(1)
  const page = await watchAdmission(other, room, spare.admissionId, spare.headers)
  assert.equal((await page.next()).state, 'admitted')
  await update(room, { approvalRequired: true })
  await page.until(({ state }) => state === 'waiting')
  page.close()
  const again = await enter(app, room, spare.headers)
  assert.deepEqual([again.state, again.media], ['waiting', undefined])
  assert.deepEqual(
    (await watchOnce(room)).waiting.map(({ name }) => name),
    ['Spare'],
  )
  clock.advance(1)
  await decide(app, room, spare.admissionId, 'admit', as(alice))
  assert.equal((await enter(app, room, spare.headers)).state, 'admitted')
})

test('lasts for one date, and ends when the meeting is ended', async () => {
  const room: Room = await schedule(alice, weekdays())
  await update(room, { approvalRequired: true })
  assert.equal((await enterAsGuest(app, room, 'Monday')).reply.state, 'waiting')
  clock.set('2030-01-08T08:50:00Z')
  assert.equal((await watchOnce(room)).approvalRequired, false)
  assert.equal((await enterAsGuest(app, room, 'Tuesday')).reply.state, 'admitted')
  await update(room, { approvalRequired: true })
  clock.advance(1)
  await act(room, 'end')
  assert.equal((await watchOnce(room)).approvalRequired, false)
  clock.set('2030-01-09T08:50:00Z')
  assert.equal((await enterAsGuest(app, room, 'Wednesday')).reply.state, 'admitted')
})

test('changes nothing in a meeting with a waiting room, nor in an own room', async () => {
  const room = await waitingRoom()
  await update(room, { approvalRequired: true })
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
  await update(room, { approvalRequired: false })
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
  assert.equal((await watchOnce(room)).waitingRoom, true)
  const { svcMeetId, roomPIN } = (await alice.send('GET', '/api/my_profile')).body
  const own = { _id: '', svcMeetId, pin: roomPIN }
  await expectOk(update(own, { approvalRequired: true }))
  assert.equal((await enterAsGuest(app, own, 'Otto')).reply.state, 'waiting_for_host')
})

test('a meeting that is moved while it runs keeps its guests, and still requires approval of new ones', async () => {
  const room = await meet({})
  const ina = await insideAsGuest(room, 'Ina')
  await update(room, { approvalRequired: true })
  const [details] = (await alice.send('GET', detailsPath(room))).body
  const moved = { ...details, startTime: '2030-01-07T09:10:00Z', endTime: '2030-01-07T09:40:00Z' }
  await expectOk(alice.send('PUT', detailsPath(room), moved))
  assert.equal((await enter(app, room, ina.headers)).state, 'admitted')
  assert.equal((await watchOnce(room)).approvalRequired, true)
  assert.equal((await enterAsGuest(app, room, 'Mia again')).reply.state, 'waiting')
})

test('publishes the requirement of approval at once on another instance; ending it admits people who wait only for that', async () => {
  const room = await meet({})
  const list = await watchRoom(other, room, as(alice))
  assert.equal((await list.next()).approvalRequired, false)
  await update(room, { approvalRequired: true })
  await list.until(({ approvalRequired }) => approvalRequired)
  const gus = await enterAsGuest(app, room, 'Gus')
  const page = await watchAdmission(other, room, gus.admissionId, gus.headers)
  assert.equal((await page.next()).state, 'waiting')
  const answer = await update(room, { approvalRequired: false })
  assert.deepEqual(await expectOk(answer), {
    locked: false,
    approvalRequired: false,
    allowed: allRights,
    spotlight: [],
  })
  await list.until(({ approvalRequired }) => !approvalRequired)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await enter(app, room, gus.headers)).state, 'admitted')
  for (const stream of [list, page]) stream.close()
})

test('a cohost ends what the host began, audited once; a guest whom a host has denied stays outside', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  await expectOk(update(room, { approvalRequired: false }))
  await update(room, { approvalRequired: true })
  const mia = await enterAsGuest(app, room, 'Mia')
  await expectOk(decide(app, room, mia.admissionId, 'deny', as(alice)), 204)
  for (const by of [carol, alice]) await expectOk(update(room, { approvalRequired: false }, as(by)))
  assert.equal((await enter(app, room, mia.headers)).state, 'denied')
  assert.deepEqual(await auditedOf(room), [
    ['room.new-guests-asked', alice.profile._id, null],
    ['room.new-guests-not-asked', carol.profile._id, null],
  ])
})

test('a host and a cohost mute all, also without any microphone on; it is no lasting action', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const answer = await act(room, 'mute-all')
  await expectOk(answer, 204)
  await enterRoom(room, as(bob))
  await expectOk(act(room, 'mute-all', as(carol)), 204)
  assert.deepEqual(await auditedOf(room), [])
})

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
})

test('each lasting action is audited once, with its actor and subject', async () => {
  const room = await meet({ participantHardAudioMute: true })
  const { admissionId } = await enterRoom(room, as(bob))
  const guest = await enterAsGuest(app, room, 'Guest')
  for (const locked of [true, true, false, false]) await expectOk(update(room, { locked }))
  for (const action of [
    'lift_hard_mute',
    'lift_hard_mute',
    'make_cohost',
    'make_cohost',
    'remove_cohost',
    'remove_cohost',
    'remove',
  ]) {
    await expectOk(control(room, admissionId, action), 204)
  }
  await expectOk(control(room, guest.admissionId, 'remove'), 204)
  await expectOk(act(room, 'end'), 204)
  const [byAlice, toBob] = [alice.profile._id, bob.profile._id]
  assert.deepEqual(await auditedOf(room), [
    ['room.locked', byAlice, null],
    ['room.unlocked', byAlice, null],
    ['participant.hard-mute-lifted', byAlice, toBob],
    ['participant.made-cohost', byAlice, toBob],
    ['participant.removed-as-cohost', byAlice, toBob],
    ['participant.removed', byAlice, toBob],
    ['participant.removed', byAlice, null],
    ['room.ended', byAlice, null],
  ])
  const log = await olga.send('GET', '/api/admin/audit-log?limit=50')
  assert.ok(log.body.entries.some(({ action }: { action: string }) => action === 'participant.removed'))
})

test('only hosts control the room, and only hosts decide who enters', async () => {
  const room = await meet()
  await expectHostsOnly(room, (of, by) => update(of, { locked: true }, by))
  await expectHostsOnly(room, (of, by) => update(of, { approvalRequired: true }, by))
  for (const action of ['mute-all', 'end', 'admit-all']) await expectHostsOnly(room, (of, by) => act(of, action, by))
})

test('two hosts who set one each at the same time: the later reply has both', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const replies = await Promise.all([
    expectOk(update(room, { locked: true })),
    expectOk(update(room, { approvalRequired: true }, as(carol))),
  ])
  assert.ok(
    replies.some(({ locked, approvalRequired }) => locked && approvalRequired),
    JSON.stringify(replies),
  )
})

test('sets both at once, and changes nothing that is absent', async () => {
  const room = await meet()
  const both = { locked: true, approvalRequired: true, allowed: allRights, spotlight: [] }
  assert.deepEqual(await expectOk(update(room, { locked: true, approvalRequired: true })), both)
  assert.deepEqual(await expectOk(update(room, {})), both)
  assert.deepEqual(await expectOk(update(room, { approvalRequired: false })), {
    locked: true,
    approvalRequired: false,
    allowed: allRights,
    spotlight: [],
  })
  const { locked, approvalRequired } = await watchOnce(room)
  assert.deepEqual([locked, approvalRequired], [true, false])
  const audited = (await auditedOf(room)).map(([action]) => action)
  assert.deepEqual(audited, ['room.locked', 'room.new-guests-asked', 'room.new-guests-not-asked'])
})
