import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detailsPath, schedule, sendRequest, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { as, enter, enterAsGuest, type Headers, type Room, roomPath, watchAdmission } from '../../test/rooms/rooms.ts'
import { useRooms } from '../../test/rooms/use-rooms.ts'

// What hosts set for one call: when it ends, whom everyone sees large, and who else is a host.
const rooms = await useRooms()
const { act, alice, app, auditedOf, bob, carol, clock, control, enterRoom } = rooms
const { expectHostsOnly, hostKeyOf, meet, move, update, watchOnce } = rooms

const minutes = (count: number) => count * 60_000
const extend = (room: Room, by: number, headers: Headers = as(alice)) =>
  sendRequest(app, 'POST', roomPath(room, 'extend'), { minutes: by }, headers)

test('everyone learns when the call ends; a host moves the end for the people inside and those who come later', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const entered = await enterRoom(room, as(bob))
  assert.equal(entered.endsAt, '2030-01-07T09:30:00.000Z')
  const page = await watchAdmission(app, room, entered.admissionId, as(bob))
  assert.equal((await page.next()).endsAt, '2030-01-07T09:30:00.000Z')
  assert.deepEqual(await expectOk(extend(room, 15)), { endsAt: '2030-01-07T09:45:00.000Z', shortened: false })
  await page.until(({ endsAt }) => endsAt === '2030-01-07T09:45:00.000Z')
  clock.advance(minutes(50))
  await expectOk(extend(room, 30, as(carol)))
  await page.until(({ endsAt }) => endsAt === '2030-01-07T10:20:00.000Z')
  page.close()
  assert.equal((await enterAsGuest(app, room, 'Late')).reply.endsAt, '2030-01-07T10:20:00.000Z')
  const [meeting] = await expectOk(alice.send('GET', detailsPath(room)))
  assert.equal(meeting.endTime, '2030-01-07T09:30:00.000Z', 'the meeting keeps its times')
})

test('an extension ends with the call', async () => {
  const room = await meet()
  await enterRoom(room, as(alice))
  await expectOk(extend(room, 30))
  await expectOk(act(room, 'end'), 204)
  const series: Room = await schedule(alice, weekdays())
  const { admissionId } = await enterRoom(series, as(alice))
  await expectOk(extend(series, 30))
  await move(admissionId, clock.now(), clock.now())
  clock.advance(minutes(24 * 60))
  const next = await enterRoom(series, as(alice))
  assert.equal(next.endsAt, new Date(clock.now().getTime() + minutes(30)).toISOString())
})

test('a call is extended until the next date of its series opens, and no further', async () => {
  const repeatOptions = { repeat: 'daily', interval: 1, endDate: '2030-01-20T23:59:59Z', timeZone: 'GMT' }
  const room = await meet({}, { repeatOptions })
  await enterRoom(room, as(alice))
  clock.advance(minutes(23 * 60 + 20))
  assert.deepEqual(await expectOk(extend(room, 30)), { endsAt: '2030-01-08T08:45:00.000Z', shortened: true })
  await expectProblem(extend(room, 15), 'call_end_final')
})

test('only hosts extend, only a call that takes place, and only by the steps that are offered', async () => {
  await expectHostsOnly(await meet(), (room, by) => extend(room, 15, by))
  const room = await meet()
  await expectProblem(extend(room, 15), 'call_without_end')
  await enterRoom(room, as(alice))
  for (const by of [0, -15, 60, 1.5]) await expectProblem(extend(room, by), 'invalid_request')
  const ownRoom = { ...room, svcMeetId: (await alice.send('GET', '/api/my_profile')).body.svcMeetId }
  const entered = await enterRoom(ownRoom, as(alice))
  assert.deepEqual([entered.state, entered.endsAt], ['admitted', null])
  await expectProblem(extend(ownRoom, 15), 'call_without_end')
})

test('everyone sees large whom a host chooses, in that order, until the call ends', async () => {
  const room = await meet()
  const ofAlice = await enterRoom(room, as(alice))
  const ofBob = await enterRoom(room, as(bob))
  const page = await watchAdmission(app, room, ofBob.admissionId, as(bob))
  assert.deepEqual((await page.next()).spotlight, [])
  const two = [
    { admissionId: String(ofBob.admissionId), source: 'camera' as const },
    { admissionId: String(ofAlice.admissionId), source: 'screen' as const },
  ]
  assert.deepEqual((await expectOk(update(room, { spotlight: two }))).spotlight, two)
  assert.deepEqual((await page.until(({ spotlight }) => spotlight.length > 0)).spotlight, two)
  await expectOk(update(room, { locked: true }))
  await expectOk(update(room, { spotlight: [] }))
  await page.until(({ spotlight }) => spotlight.length === 0)
  page.close()
  await expectOk(update(room, { spotlight: two }))
  await expectOk(act(room, 'end'), 204)
  assert.deepEqual((await expectOk(update(room, {}))).spotlight, [])
})

test('only hosts choose, and only people who are inside', async () => {
  const room = await meet()
  const { admissionId = '' } = await enterRoom(room, as(bob))
  const ofBob = { admissionId, source: 'camera' as const }
  await expectHostsOnly(await meet(), (other, by) => update(other, { spotlight: [] }, by))
  await expectProblem(update(room, { spotlight: [ofBob] }, as(bob)), 'host_required')
  const elsewhere = await enterRoom(await meet(), as(carol))
  for (const other of ['nonsense', '00000000-0000-4000-8000-000000000000', String(elsewhere.admissionId)]) {
    const spotlight = [ofBob, { ...ofBob, admissionId: other }]
    await expectProblem(update(room, { spotlight }), 'participant_not_found')
  }
  await expectProblem(update(room, { spotlight: Array(10).fill(ofBob) }), 'invalid_request')
  await expectOk(update(room, { spotlight: Array(9).fill(ofBob) }))
  await move(admissionId, clock.now(), clock.now())
  await expectProblem(update(room, { spotlight: [ofBob] }), 'participant_not_found')
})

test('Alice makes Bob a host and leaves: he admits, extends and ends; she takes it back later', async () => {
  const room = await meet()
  const ofAlice = await enterRoom(room, as(alice))
  const { admissionId } = await enterRoom(room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await expectOk(control(room, admissionId, 'make_host'), 204)
  await page.until(({ role }) => role === 'host')
  const hosts = ({ participants }: Awaited<ReturnType<typeof watchOnce>>) =>
    participants.map((person) => [person.name, person.role, person.madeHost])
  assert.deepEqual(hosts(await watchOnce(room)), [
    ['Alice Test', 'host', false],
    ['Bob Test', 'host', true],
  ])
  assert.deepEqual([(await watchOnce(room)).owns, (await watchOnce(room, as(bob))).owns], [true, false])
  await move(ofAlice.admissionId, clock.now(), clock.now())
  assert.equal((await enter(app, room, as(bob))).role, 'host', 'after a reload')
  await expectOk(update(room, { locked: true }, as(bob)))
  await expectOk(extend(room, 15, as(bob)))
  await expectOk(control(room, admissionId, 'remove_host'), 204)
  await page.until(({ role }) => role === 'participant')
  page.close()
  await expectProblem(update(room, { locked: false }, as(bob)), 'host_required')
  await expectOk(control(room, admissionId, 'remove_host'), 204)
  assert.deepEqual(await auditedOf(room), [
    ['participant.made-host', alice.profile._id, bob.profile._id],
    ['room.locked', bob.profile._id, null],
    ['participant.removed-as-host', alice.profile._id, bob.profile._id],
  ])
})

test('a cohost of the meeting who was made a host is a cohost again afterwards', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const { admissionId } = await enterRoom(room, as(carol))
  await expectOk(control(room, admissionId, 'make_host'), 204)
  await expectOk(control(room, admissionId, 'remove_host'), 204)
  const seen = await watchOnce(room)
  assert.deepEqual(
    seen.participants.map(({ role, madeCohost, madeHost }) => [role, madeCohost, madeHost]),
    [['cohost', false, false]],
  )
  await expectOk(update(room, { locked: true }, as(carol)))
})

test('only a host makes hosts; only the account that hosts the meeting removes them, and never itself', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  const ofAlice = await enterRoom(room, as(alice))
  const ofBob = await enterRoom(room, as(bob))
  const guest = await enterAsGuest(app, room, 'Gwen', { hostKey: await hostKeyOf(room) })
  await move(guest.admissionId, clock.now())
  for (const by of [as(bob), as(carol)]) {
    for (const action of ['make_host', 'remove_host']) {
      const problem = by.authorization === as(bob).authorization ? 'host_required' : 'forbidden'
      await expectProblem(control(room, ofBob.admissionId, action, by), problem)
    }
  }
  await expectOk(control(room, ofBob.admissionId, 'make_host', guest.headers), 204)
  await expectProblem(control(room, ofBob.admissionId, 'remove_host', guest.headers), 'forbidden')
  await expectProblem(control(room, guest.admissionId, 'remove_host', as(bob)), 'forbidden')
  for (const by of [as(alice), as(bob), guest.headers])
    await expectProblem(control(room, ofAlice.admissionId, 'remove_host', by), 'forbidden')
  await expectOk(control(room, guest.admissionId, 'remove_host'), 204)
  assert.equal((await enter(app, room, guest.headers)).role, 'participant')
})

test('a guest becomes a host only where guests may come', async () => {
  const open = await meet()
  const guest = await enterAsGuest(app, open, 'Gus')
  await move(guest.admissionId, clock.now())
  await expectOk(control(open, guest.admissionId, 'make_host'), 204)
  assert.equal((await enter(app, open, guest.headers)).role, 'host')
  const other = await enterAsGuest(app, open, 'Gina')
  await move(other.admissionId, clock.now())
  const options = { advancedOptions: { loggedInOnly: true } }
  await expectOk(alice.send('PUT', detailsPath(open), standUp(options)))
  await expectProblem(control(open, other.admissionId, 'make_host'), 'forbidden')
})
