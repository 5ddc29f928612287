import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights } from '@parley/contract'
import { countEarlierAttempts, countsInRows } from '../../../test/earlier-attempts.ts'
import { sendRequest } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import {
  admissionPath,
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  roomPath,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { useRooms } from '../../../test/rooms/use-rooms.ts'
import { startApp } from '../../../test/start-app.ts'

const { alice, app, bob, carol, clock, media, meet, other, control, waitingRoom, watchOnce } = await useRooms()

test('a removed guest may ask again after a minute, and waits even where others need not', async () => {
  const room = await meet({})
  const { admissionId, headers } = await enterAsGuest(app, room, 'Mia')
  const again = (body: object = { askAgain: true }) => enter(app, room, headers, body)
  assert.equal((await again()).state, 'admitted', 'nobody has turned her away')
  await expectOk(control(room, admissionId, 'remove'), 204)
  const list = await watchRoom(other, room, as(alice))
  await list.until(({ denied }) => denied.length === 1)
  clock.advance(1_000)
  assert.deepEqual(await again().then(({ state, retryAfter }) => [state, retryAfter]), ['denied', 59])
  clock.advance(59_000)
  assert.deepEqual(await again({}).then(({ state, retryAfter }) => [state, retryAfter]), ['denied', undefined])
  assert.equal((await again()).state, 'waiting')
  assert.equal((await again({})).state, 'waiting', 'also after a reload')
  const page = await watchAdmission(app, room, admissionId, headers)
  assert.equal((await page.next()).state, 'waiting')
  const { waiting } = await list.until(({ waiting }) => waiting.length === 1)
  assert.deepEqual([waiting[0]?.admissionId, waiting[0]?.name], [admissionId, 'Mia'])

  await expectOk(decide(other, room, admissionId, 'deny', as(alice)), 204)
  await page.until(({ state }) => state === 'denied')
  assert.deepEqual(await again().then(({ state, retryAfter }) => [state, retryAfter]), ['denied', 60])
  clock.advance(60_000)
  assert.equal((await again()).state, 'waiting')
  await expectOk(decide(app, room, admissionId, 'admit', as(alice)), 204)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await again({})).state, 'admitted')
  page.close()
  list.close()
})

test('a denied person stays denied after asking again and leaving', async () => {
  const room = await meet({})
  const { admissionId, headers } = await enterAsGuest(app, room, 'Mia')
  await expectOk(control(room, admissionId, 'remove'), 204)
  clock.advance(60_000)
  assert.equal((await enter(app, room, headers, { askAgain: true })).state, 'waiting')
  clock.advance(20_000)
  assert.equal((await enter(app, room, headers)).state, 'denied')
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [])
  assert.equal((await enter(app, room, headers, { askAgain: true })).state, 'waiting')
})

test('gives a waiting person neither media nor a token, whatever they send', async () => {
  const room = await waitingRoom({ participants: [] })
  const guest = await enterAsGuest(app, room, 'Gerd')
  const { admissionId, headers } = guest
  const lies = [
    { state: 'admitted', role: 'host', decision: 'admit', admissionId },
    { hostKey: 'wrong', pin: room.pin },
    { hostKey: '', pin: ` ${room.pin} `, media: {} },
    { name: 'Alice Test' },
  ]
  for (const lie of lies) {
    const reply = await enter(app, room, headers, lie)
    assert.ok(reply.state === 'waiting' || reply.state === 'pin_wrong', reply.state)
    assert.deepEqual([reply.media, reply.devices], [undefined, undefined])
  }
  const foreign = await waitingRoom()
  const mine = await enter(app, foreign, as(alice))
  assert.equal(mine.state, 'admitted')
  await expectProblem(decide(app, room, admissionId, 'admit', headers), 'host_required')
  await expectProblem(sendRequest(app, 'POST', roomPath(room, 'admit-all'), {}, headers), 'host_required')
  await expectProblem(sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, headers), 'host_required')
  for (const place of [foreign, room]) {
    const path = `${admissionPath(place, mine.admissionId)}/events`
    await expectProblem(sendRequest(app, 'GET', path, undefined, headers), 'admission_not_found')
  }
  const row = await app.database.selectFrom('admission').selectAll().where('id', '=', admissionId).executeTakeFirst()
  assert.deepEqual([row?.state, row?.role, row?.grantedRole], ['waiting', 'participant', null])
  assert.deepEqual(media.granted.splice(0), [
    {
      meetingId: foreign._id,
      admissionId: mine.admissionId,
      name: 'Alice Test',
      role: 'host',
      guest: false,
      allowed: allRights,
      breakoutRoom: null,
    },
  ])
})

test('limits a waiting list to 1,000 people, and a room to as many', async () => {
  const room = await waitingRoom()
  const row = { meetingId: room._id, accountId: null, name: '', role: 'participant', askedAt: clock.now() } as const
  const guests = Array.from({ length: 1000 }, (_, at) => ({
    ...row,
    id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    guestHash: Buffer.alloc(32, `${at} `),
    ...({ state: 'waiting', decidedAt: null, occurrenceAt: clock.now(), seenAt: clock.now() } as const),
  }))
  await app.database.insertInto('admission').values(guests).execute()
  const [first] = guests
  assert.equal((await enter(app, room, as(bob))).state, 'full')
  await app.database.deleteFrom('admission').where('id', '=', String(first?.id)).execute()
  assert.equal((await enter(app, room, as(bob))).state, 'waiting')
  assert.equal((await enter(app, room, as(bob))).state, 'waiting', 'who waits already is not counted twice')
  assert.equal((await enter(app, room, as(carol))).state, 'full')
  assert.equal((await watchOnce(room, as(alice))).waiting.length, 1000)

  await sendRequest(app, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))
  const inside = app.database.updateTable('admission').set({ enteredAt: clock.now() })
  await inside.where('meetingId', '=', room._id).where('accountId', 'is', null).execute()
  assert.equal((await enter(app, room, as(bob))).state, 'admitted', 'the last place')
  await app.database
    .insertInto('admission')
    .values({ ...row, ...guests[0], enteredAt: clock.now() } as never)
    .execute()
  assert.equal((await enter(app, room, as(bob))).state, 'full')
  assert.equal((await enter(app, room, as(alice))).state, 'admitted', 'for the host there is a place')
})

test('counts a person who asks many times at once as one waiting person', async () => {
  const room = await waitingRoom()
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, at) => enter(at % 2 === 0 ? app : other, room, as(bob))),
  )
  assert.equal(new Set(asked.map(({ admissionId }) => admissionId)).size, 1)
  assert.deepEqual([...new Set(asked.map(({ state }) => state))], ['waiting'])
})

test('admits 1,200 guests from one network, and asks the next one to retry later', async () => {
  const shared = await startApp({ clock, beside: app, environment: { ...countsInRows, TRUST_PROXY: '127.0.0.1' } })
  const room = await meet({})
  await countEarlierAttempts(app, 'guestsOfNetwork', '198.51.100.7', 1_199)
  const from = (address: string, headers: Headers = {}) =>
    enter(shared, room, { 'x-forwarded-for': address, ...headers })
  assert.equal((await from('198.51.100.7')).state, 'admitted')
  const next = await from('198.51.100.7')
  assert.deepEqual([next.state, Object.keys(next)], ['slow_down', ['state', 'retryAfter']])
  assert.equal((await from('198.51.100.7', as(bob))).state, 'admitted', 'whoever has an account is known')
  assert.equal((await from('198.51.100.8')).state, 'admitted')
})
