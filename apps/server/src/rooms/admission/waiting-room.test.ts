import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendRequest } from '../../../test/people.ts'
import { nine, setUpEntry } from '../../../test/rooms/entry-fixture.ts'
import {
  admissionPath,
  as,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  verdictOf,
  watchAdmission,
  watchRoom,
} from '../../../test/rooms/rooms.ts'
import { startApp } from '../../../test/start-app.ts'

const { alice, app, bob, carol, clock, mallory, media, meet, other, waitingRoom, watchOnce } = await setUpEntry()

test('Bob waits on one instance, Alice lets him in on the other, and he is told at once', async () => {
  const room = await waitingRoom()
  const asked = await enter(app, room, as(bob))
  assert.deepEqual([asked.state, asked.media, asked.devices], ['waiting', undefined, undefined])
  const { admissionId } = asked
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.deepEqual(await page.next(), {
    state: 'waiting',
    role: 'participant',
    hardMuted: false,
    unmuteAskedOn: null,
    hostInside: false,
  })
  const list = await watchRoom(other, room, as(alice))
  assert.deepEqual(await list.next(), {
    locked: false,
    waitingRoom: true,
    asksNewGuests: false,
    waiting: [{ admissionId, name: 'Bob Test', email: bob.email, askedOn: '2030-01-07T09:00:00.000Z' }],
    turnedAway: [],
    participants: [],
  })
  assert.deepEqual(media.granted, [])
  assert.equal((await decide(other, room, admissionId, 'admit', as(alice))).status, 200)
  assert.equal((await page.next()).state, 'admitted')
  assert.deepEqual((await list.next()).waiting, [])
  const inside = await enter(app, room, as(bob))
  assert.deepEqual(inside.devices, { camera: true, microphone: true, hardMuted: false })
  assert.deepEqual(inside.media, { url: 'ws://media.test', token: `for ${admissionId}`, iceServers: [] })
  assert.deepEqual(media.granted.splice(0), [
    { meetingId: room._id, admissionId, name: 'Bob Test', role: 'participant', hardMuted: false },
  ])
  page.close()
  list.close()
})

const remove = async (room: Room, admissionId: string) => {
  const answer = await sendRequest(
    app,
    'POST',
    roomPath(room, `participants/${admissionId}`),
    { action: 'remove' },
    as(alice),
  )
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

test('a guest who was removed asks again after a minute, and waits although others need not', async () => {
  const room = await meet({})
  const { admissionId, headers } = await enterAsGuest(app, room, 'Mia')
  const again = (body: object = { askAgain: true }) => enter(app, room, headers, body)
  assert.equal((await again()).state, 'admitted', 'nobody has turned her away')
  await remove(room, admissionId)
  const list = await watchRoom(other, room, as(alice))
  await list.until(({ turnedAway }) => turnedAway.length === 1)
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

  assert.equal((await decide(other, room, admissionId, 'deny', as(alice))).status, 200)
  await page.until(({ state }) => state === 'denied')
  assert.deepEqual(await again().then(({ state, retryAfter }) => [state, retryAfter]), ['denied', 60])
  clock.advance(60_000)
  assert.equal((await again()).state, 'waiting')
  assert.equal((await decide(app, room, admissionId, 'admit', as(alice))).status, 200)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await again({})).state, 'admitted')
  page.close()
  list.close()
  media.granted.length = 0
  clock.set(nine)
})

test('a person who asks again and leaves stays denied', async () => {
  const room = await meet({})
  const { admissionId, headers } = await enterAsGuest(app, room, 'Mia')
  await remove(room, admissionId)
  clock.advance(60_000)
  assert.equal((await enter(app, room, headers, { askAgain: true })).state, 'waiting')
  clock.advance(20_000)
  assert.equal((await enter(app, room, headers)).state, 'denied')
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [])
  assert.equal((await enter(app, room, headers, { askAgain: true })).state, 'waiting')
  media.granted.length = 0
  clock.set(nine)
})

test('Bob is turned away, stays so whatever he tries, until Alice lets him in after all', async () => {
  const room = await waitingRoom()
  const { admissionId } = await enter(app, room, as(bob))
  const page = await watchAdmission(other, room, admissionId, as(bob))
  const list = await watchRoom(app, room, as(alice))
  await list.until(({ waiting }) => waiting.length === 1)
  clock.advance(1_000)
  assert.equal((await decide(app, room, admissionId, 'deny', as(alice))).status, 200)
  await page.until(({ state }) => state === 'denied')
  const { turnedAway } = await list.next()
  assert.deepEqual(turnedAway, [
    { admissionId, name: 'Bob Test', email: bob.email, decidedOn: '2030-01-07T09:00:01.000Z' },
  ])
  for (let tries = 0; tries < 3; tries++) {
    const again = await enter(app, room, as(bob))
    assert.deepEqual([again.state, again.admissionId, again.media], ['denied', admissionId, undefined])
  }
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [], 'who was turned away does not ring again')
  clock.advance(24 * 60 * 60 * 1000)
  assert.equal((await enter(app, room, as(bob))).state, 'denied', 'also the next day')
  assert.equal((await decide(app, room, admissionId, 'admit', as(alice))).status, 200)
  await page.until(({ state }) => state === 'admitted')
  assert.equal((await enter(app, room, as(bob))).state, 'admitted')
  page.close()
  list.close()
  media.granted.length = 0
  clock.set(nine)
})

test('a waiting entry ends 20 seconds after it was last seen, and can no longer be admitted', async () => {
  const room = await waitingRoom()
  const admit = (admissionId: string | undefined) => decide(app, room, admissionId, 'admit', as(alice))
  const { admissionId } = await enter(app, room, as(bob))
  clock.advance(19_999)
  assert.equal((await watchOnce(room, as(alice))).waiting.length, 1)
  clock.advance(1)
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [])
  assert.equal(verdictOf(await admit(admissionId)), '404 admission_not_found')
  assert.equal(verdictOf(await decide(app, room, admissionId, 'deny', as(alice))), '404 admission_not_found')
  const late = await sendRequest(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, as(bob))
  assert.equal(verdictOf(late), '404 admission_not_found')
  assert.equal(verdictOf(await sendRequest(app, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))), '200')
  assert.equal((await enter(app, room, as(bob))).state, 'waiting', 'nobody has let him in')

  clock.advance(19_999)
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.next()
  page.close()
  clock.advance(19_999)
  assert.equal(verdictOf(await admit(admissionId)), '200', 'his page was there again in time')
  clock.set(nine)
})

test('an open page keeps one waiting for as long as it is there', async () => {
  const room = await waitingRoom()
  const { admissionId } = await enter(app, room, as(bob))
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.next()
  // A database that was away, or a machine that slept: the page has not gone.
  clock.advance(60_000)
  const seenAt = async () =>
    (await app.database.selectFrom('admission').select('seenAt').where('id', '=', String(admissionId)).execute())[0]
      ?.seenAt
  while ((await seenAt())?.getTime() !== clock.now().getTime()) await sleep(100)
  const { waiting } = await watchOnce(room, as(alice))
  assert.deepEqual(
    waiting.map((person) => person.askedOn),
    ['2030-01-07T09:00:00.000Z'],
    'and is where it was in the line',
  )
  page.close()
  // The service learns of it a moment later.
  do {
    await sleep(100)
    clock.advance(10_000)
  } while ((await watchOnce(room, as(alice))).waiting.length > 0)
  clock.set(nine)
})

test('all who wait are admitted at once, and no others', async () => {
  const room = await waitingRoom()
  const gone = await enterAsGuest(app, room, 'Gone')
  clock.advance(20_000)
  const denied = await enterAsGuest(app, room, 'Denied')
  await decide(app, room, denied.admissionId, 'deny', as(alice))
  const guests = await Promise.all(['Greta', 'Hugo', ''].map((name) => enterAsGuest(app, room, name)))
  const pages = await Promise.all(
    guests.map(({ admissionId, headers }, at) => watchAdmission(at === 0 ? app : other, room, admissionId, headers)),
  )
  const names = (await watchOnce(room, as(alice))).waiting.map(({ name, email }) => [name, email])
  assert.deepEqual(names.toSorted(), [
    ['', null],
    ['Greta', null],
    ['Hugo', null],
  ])
  assert.equal(verdictOf(await sendRequest(other, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))), '200')
  for (const page of pages) {
    await page.until(({ state }) => state === 'admitted')
    page.close()
  }
  const states = await Promise.all([gone, denied, ...guests].map(({ headers }) => enter(app, room, headers)))
  assert.deepEqual(
    states.map(({ state }) => state),
    ['waiting', 'denied', 'admitted', 'admitted', 'admitted'],
  )
  media.granted.length = 0
  clock.set(nine)
})

test('a waiting person gets no media and no token, whatever they send', async () => {
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
    const told = await enter(app, room, headers, lie)
    assert.ok(told.state === 'waiting' || told.state === 'pin_wrong', told.state)
    assert.deepEqual([told.media, told.devices], [undefined, undefined])
  }
  const foreign = await waitingRoom()
  const mine = await enter(app, foreign, as(alice))
  assert.equal(mine.state, 'admitted')
  const tries = [
    decide(app, room, admissionId, 'admit', headers),
    sendRequest(app, 'POST', roomPath(room, 'admit-all'), {}, headers),
    sendRequest(app, 'GET', roomPath(room, 'waiting'), undefined, headers),
    sendRequest(app, 'GET', `${admissionPath(foreign, mine.admissionId)}/events`, undefined, headers),
    sendRequest(app, 'GET', `${admissionPath(room, mine.admissionId)}/events`, undefined, headers),
  ]
  assert.deepEqual((await Promise.all(tries)).map(verdictOf), [
    '403 host_required',
    '403 host_required',
    '403 host_required',
    '404 admission_not_found',
    '404 admission_not_found',
  ])
  const row = await app.database.selectFrom('admission').selectAll().where('id', '=', admissionId).executeTakeFirst()
  assert.deepEqual([row?.state, row?.role, row?.grantedRole], ['waiting', 'participant', null])
  assert.deepEqual(media.granted.splice(0), [
    { meetingId: foreign._id, admissionId: mine.admissionId, name: 'Alice Test', role: 'host', hardMuted: false },
  ])
})

test('an admission is visible to its own person, and not to others who send its id', async () => {
  const room = await waitingRoom()
  const gwen = await enterAsGuest(app, room, 'Gwen')
  const mia = await enterAsGuest(app, room, 'Mia')
  const askAs = (headers: Headers, admissionId = gwen.admissionId) =>
    sendRequest(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, headers)
  for (const headers of [mia.headers, as(mallory), as(alice), {}]) {
    assert.equal(verdictOf(await askAs(headers)), '404 admission_not_found')
  }
  for (const id of ['nonsense', '00000000-0000-7000-8000-000000000000']) {
    assert.equal(verdictOf(await askAs(gwen.headers, id)), '404 admission_not_found')
  }
  const elsewhere = await waitingRoom()
  const wrongRoom = await sendRequest(
    app,
    'GET',
    `${admissionPath(elsewhere, gwen.admissionId)}/events`,
    undefined,
    gwen.headers,
  )
  assert.equal(verdictOf(wrongRoom), '404 admission_not_found')
  // Whoever has an account comes as themselves, also with a guest's cookie.
  assert.equal(verdictOf(await askAs({ ...gwen.headers, ...as(mallory) })), '404 admission_not_found')
})

test('a waiting list holds 1,000 people, and a room as many', async () => {
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
  media.granted.length = 0
})

test('the same person who asks many times at once is one who waits', async () => {
  const room = await waitingRoom()
  const asked = await Promise.all(
    Array.from({ length: 8 }, (_, at) => enter(at % 2 === 0 ? app : other, room, as(bob))),
  )
  assert.equal(new Set(asked.map(({ admissionId }) => admissionId)).size, 1)
  assert.deepEqual([...new Set(asked.map(({ state }) => state))], ['waiting'])
})

test('1,200 guests come from one network, and the next one has to wait a little', async () => {
  // Where several instances count together, the counters are rows.
  const database = { DATABASE_URL: 'postgres://shared.test/parley', SECRET_KEY: '07'.repeat(32) }
  const shared = await startApp({ clock, beside: app, environment: { ...database, TRUST_PROXY: '127.0.0.1' } })
  const room = await meet({})
  const counter = app.encryption.mac('attempt limits', '198.51.100.7').toString('base64url')
  await app.pool.query('insert into attempt_count (key, points, expire) values ($1, 1199, $2)', [
    `guestsOfNetwork:${counter}`,
    Date.now() + 60_000,
  ])
  const from = (address: string, headers: Headers = {}) =>
    enter(shared, room, { 'x-forwarded-for': address, ...headers })
  assert.equal((await from('198.51.100.7')).state, 'admitted')
  const next = await from('198.51.100.7')
  assert.deepEqual([next.state, Object.keys(next)], ['slow_down', ['state', 'retryAfter']])
  assert.equal((await from('198.51.100.7', as(bob))).state, 'admitted', 'whoever has an account is known')
  assert.equal((await from('198.51.100.8')).state, 'admitted')
})
