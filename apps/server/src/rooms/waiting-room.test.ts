import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { approvedApp } from '../../test/approved-app.ts'
import { permit } from '../../test/apps.ts'
import { ask, cancelPath, detailsPath, meetPeople, schedule, standUp, weekdays } from '../../test/people.ts'
import {
  admissionPath,
  as,
  createNotedMedia,
  decide,
  enter,
  enterAsGuest,
  type Headers,
  type Room,
  roomPath,
  verdictOf,
  watchAdmission,
  watchRoom,
} from '../../test/rooms.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { tokensFor } from '../../test/token-client.ts'

const nine = '2030-01-07T09:00:00Z'
const clock = createClock(nine)
const media = createNotedMedia()
const app = await startApp({ clock, media, letters: 'dropped' })
const other = await startApp({ clock, media, beside: app })
const { olga, alice, bob, carol, mallory } = await meetPeople(app)

const meet = (advancedOptions: object, changes: object = {}): Promise<Room> =>
  schedule(alice, standUp({ advancedOptions, ...changes }))
const waitingRoom = (changes: object = {}) => meet({ waitingRoom: true }, changes)
const hostKeyOf = async (room: Room) => (await alice.ask('GET', detailsPath(room))).body[0].roomKey

/** What only the media report: somebody is inside, or has left. */
const move = (admissionId: string | undefined, enteredAt: Date, leftAt: Date | null = null) =>
  app.database.updateTable('admission').set({ enteredAt, leftAt }).where('id', '=', String(admissionId)).execute()
/** What a host has done to somebody inside, without an announcement. */
const remove = (admissionId: string | undefined) =>
  app.database
    .updateTable('admission')
    .set({ state: 'denied', decidedAt: clock.now() })
    .where('id', '=', String(admissionId))
    .execute()
const setRoom = (room: Room, values: { lockedAt?: Date | null; endedAt?: Date | null }) =>
  app.database
    .insertInto('room')
    .values({ meetingId: room._id, ...values })
    .onConflict((conflict) => conflict.column('meetingId').doUpdateSet(values))
    .execute()

test('Bob waits on one instance, Alice lets him in on the other, and he is told at once', async () => {
  const room = await waitingRoom()
  const asked = await enter(app, room, as(bob))
  assert.deepEqual([asked.state, asked.media, asked.devices], ['waiting', undefined, undefined])
  const { admissionId } = asked
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.deepEqual(await page.next(), { state: 'waiting', role: 'participant', hardMuted: false, unmuteAskedOn: null })
  const list = await watchRoom(other, room, as(alice))
  assert.deepEqual(await list.next(), {
    locked: false,
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

async function watchOnce(room: Room, headers: Headers) {
  const list = await watchRoom(app, room, headers)
  const seen = await list.next()
  list.close()
  return seen
}

test('a waiting entry ends ten seconds after its page is gone: then nobody can let them in', async () => {
  const room = await waitingRoom()
  const admit = (admissionId: string | undefined) => decide(app, room, admissionId, 'admit', as(alice))
  const { admissionId } = await enter(app, room, as(bob))
  clock.advance(9_999)
  assert.equal((await watchOnce(room, as(alice))).waiting.length, 1)
  clock.advance(1)
  assert.deepEqual((await watchOnce(room, as(alice))).waiting, [])
  assert.equal(verdictOf(await admit(admissionId)), '404 admission_not_found')
  assert.equal(verdictOf(await decide(app, room, admissionId, 'deny', as(alice))), '404 admission_not_found')
  const late = await ask(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, as(bob))
  assert.equal(verdictOf(late), '404 admission_not_found')
  assert.equal(verdictOf(await ask(app, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))), '200')
  assert.equal((await enter(app, room, as(bob))).state, 'waiting', 'nobody has let him in')

  clock.advance(9_999)
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.next()
  page.close()
  clock.advance(9_999)
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

test('everybody who waits is let in at once, and nobody who does not', async () => {
  const room = await waitingRoom()
  const gone = await enterAsGuest(app, room, 'Gone')
  clock.advance(10_000)
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
  assert.equal(verdictOf(await ask(other, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))), '200')
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
    ask(app, 'POST', roomPath(room, 'admit-all'), {}, headers),
    ask(app, 'GET', roomPath(room, 'waiting'), undefined, headers),
    ask(app, 'GET', `${admissionPath(foreign, mine.admissionId)}/events`, undefined, headers),
    ask(app, 'GET', `${admissionPath(room, mine.admissionId)}/events`, undefined, headers),
  ]
  assert.deepEqual((await Promise.all(tries)).map(verdictOf), [
    ...['403 host_required', '403 host_required', '403 host_required'],
    ...['404 admission_not_found', '404 admission_not_found'],
  ])
  const row = await app.database.selectFrom('admission').selectAll().where('id', '=', admissionId).executeTakeFirst()
  assert.deepEqual([row?.state, row?.role, row?.grantedRole], ['waiting', 'participant', null])
  assert.deepEqual(media.granted.splice(0), [
    { meetingId: foreign._id, admissionId: mine.admissionId, name: 'Alice Test', role: 'host', hardMuted: false },
  ])
})

test('an admission is told to whoever asked, and to nobody who brings its id', async () => {
  const room = await waitingRoom()
  const gwen = await enterAsGuest(app, room, 'Gwen')
  const mia = await enterAsGuest(app, room, 'Mia')
  const askAs = (headers: Headers, admissionId = gwen.admissionId) =>
    ask(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, headers)
  for (const headers of [mia.headers, as(mallory), as(alice), {}]) {
    assert.equal(verdictOf(await askAs(headers)), '404 admission_not_found')
  }
  for (const id of ['nonsense', '00000000-0000-7000-8000-000000000000']) {
    assert.equal(verdictOf(await askAs(gwen.headers, id)), '404 admission_not_found')
  }
  const elsewhere = await waitingRoom()
  const wrongRoom = await ask(
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

test('who decides: host, cohost, and whoever brings the host’s key; each only at their own door', async () => {
  const room = await waitingRoom({ cohosts: [carol.email] })
  const hostKey = await hostKeyOf(room)
  const hugo = await enterAsGuest(app, room, 'Hugo')
  const gwen = await enterAsGuest(app, room, 'Gwen', { pin: undefined, hostKey })
  assert.deepEqual([gwen.told.state, gwen.told.role], ['admitted', 'host'])
  const elsewhere = await waitingRoom({ participants: [] })
  const theirs = await enterAsGuest(app, elsewhere, 'Theo')
  const verdicts = async (headers: Headers) =>
    Promise.all(
      [
        ask(app, 'GET', roomPath(elsewhere, 'waiting'), undefined, headers),
        ask(app, 'POST', roomPath(elsewhere, 'admit-all'), undefined, headers),
        decide(app, elsewhere, theirs.admissionId, 'admit', headers),
        decide(app, room, theirs.admissionId, 'admit', headers),
        decide(app, room, hugo.admissionId, 'admit', headers),
      ].map(async (answer) => verdictOf(await answer)),
    )
  const nothing = Array(3).fill('404 meeting_not_found')
  const refused = Array(2).fill('403 host_required')
  const deciding = ['404 admission_not_found', '200']
  assert.deepEqual(await verdicts(as(mallory)), [...nothing, ...Array(2).fill('404 meeting_not_found')])
  assert.deepEqual(await verdicts({}), [...nothing, ...Array(2).fill('404 meeting_not_found')])
  assert.deepEqual(await verdicts(as(olga)), [...nothing, ...Array(2).fill('404 meeting_not_found')])
  assert.deepEqual(await verdicts(as(bob)), [...nothing, ...refused])
  assert.deepEqual(await verdicts(hugo.headers), [...nothing, ...refused])
  assert.deepEqual(await verdicts(gwen.headers), [...nothing, ...deciding])
  assert.deepEqual(await verdicts(as(carol)), [...nothing, ...deciding])
  assert.equal(verdictOf(await decide(app, room, hugo.admissionId, 'admit', as(alice))), '200')
  const crossing = { ...gwen.headers, origin: 'https://evil.example' }
  assert.equal(verdictOf(await decide(app, room, hugo.admissionId, 'deny', crossing)), '403 cross_origin')
  const { origin, ...withoutOrigin } = gwen.headers
  assert.equal(verdictOf(await decide(app, room, hugo.admissionId, 'deny', withoutOrigin)), '403 cross_origin')
  const entering = await ask(app, 'POST', roomPath(room, 'enter'), { pin: room.pin }, crossing)
  assert.equal(verdictOf(entering), '403 cross_origin')
  media.granted.length = 0
})

test('who came by the host’s key is host for as long as that admission holds', async () => {
  const room = await waitingRoom()
  const gwen = await enterAsGuest(app, room, 'Gwen', { hostKey: await hostKeyOf(room) })
  const again = await enter(app, room, gwen.headers)
  assert.deepEqual([again.state, again.role], ['admitted', 'host'], 'without the key, on the same day')
  const list = await watchRoom(app, room, gwen.headers)
  await list.next()
  await remove(gwen.admissionId)
  await list.ended
  assert.equal(
    verdictOf(await ask(app, 'GET', roomPath(room, 'waiting'), undefined, gwen.headers)),
    '403 host_required',
  )
  const removed = await enter(app, room, gwen.headers, { hostKey: await hostKeyOf(room) })
  assert.deepEqual([removed.state, removed.media], ['denied', undefined])

  const greg = await enterAsGuest(app, room, 'Greg', { hostKey: await hostKeyOf(room) })
  clock.advance(24 * 60 * 60 * 1000)
  const nextDay = await enter(app, room, greg.headers)
  assert.deepEqual([nextDay.state, nextDay.role], ['waiting', 'participant'])
  media.granted.length = 0
  clock.set(nine)
})

test('the host who arrives lets in whoever waits for the host, and leaves the waiting room as it is', async () => {
  const [open, closed] = [
    await meet({ joinBeforeHost: false }),
    await meet({ joinBeforeHost: false, waitingRoom: true }),
  ]
  const pages = await Promise.all(
    [open, closed].map(async (room) => {
      const { state, admissionId } = await enter(app, room, as(bob))
      assert.equal(state, 'waiting_for_host')
      return watchAdmission(app, room, admissionId, as(bob))
    }),
  )
  const list = await watchRoom(other, closed, as(alice))
  assert.deepEqual((await list.next()).waiting, [], 'nobody waits for anybody’s decision yet')
  for (const room of [open, closed]) {
    const { admissionId } = await enter(app, room, as(alice))
    await move(admissionId, clock.now())
  }
  const [openPage, closedPage] = pages
  await openPage?.until(({ state }) => state === 'admitted')
  await closedPage?.until(({ state }) => state === 'waiting')
  const { waiting, participants } = await list.until((seen) => seen.waiting.length === 1)
  assert.deepEqual([waiting[0]?.name, participants[0]?.name, participants[0]?.role], ['Bob Test', 'Alice Test', 'host'])

  // She leaves again: whoever has not come in by now waits for her, as before.
  const host = await enter(app, closed, as(alice))
  await move(host.admissionId, clock.now(), clock.now())
  await closedPage?.until(({ state }) => state === 'waiting_for_host')
  await list.until((seen) => seen.waiting.length === 0)
  for (const stream of [...pages, list]) stream.close()
  media.granted.length = 0
})

test('whoever is inside stays in when the host leaves and the door is locked, and may come back through it', async () => {
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
  media.granted.length = 0
})

test('who is inside is told when the meeting is restricted, they are removed, it is ended or cancelled', async () => {
  const cases: [string, (room: Room, admissionId: string) => Promise<unknown>][] = [
    [
      'not_invited',
      (room) => alice.ask('PUT', detailsPath(room), standUp({ advancedOptions: { isRestrictedMeeting: true } })),
    ],
    ['denied', (_room, admissionId) => remove(admissionId)],
    ['ended', (room) => setRoom(room, { endedAt: clock.now() })],
    ['cancelled', (room) => alice.ask('POST', cancelPath(room), { cancel: 'all' })],
  ]
  await Promise.all(
    cases.map(async ([state, happens]) => {
      const room = await meet({})
      const { admissionId = '' } = await enter(app, room, as(carol))
      await move(admissionId, clock.now())
      const page = await watchAdmission(app, room, admissionId, as(carol))
      await page.until((standing) => standing.state === 'admitted')
      await happens(room, admissionId)
      await page.until((standing) => standing.state === state)
      page.close()
      const again = await enter(app, room, as(carol))
      assert.deepEqual([again.state, again.media], [state, undefined])
    }),
  )
  media.granted.length = 0
})

test('removed is final, without a waiting room and for a cohost too, but not for the one whose meeting it is', async () => {
  const room = await meet({}, { cohosts: [carol.email] })
  for (const person of [bob, carol]) {
    const { admissionId } = await enter(app, room, as(person))
    await remove(admissionId)
    assert.equal((await enter(app, room, as(person))).state, 'denied')
    const watching = await ask(app, 'GET', roomPath(room, 'waiting'), undefined, as(person))
    assert.equal(verdictOf(watching), '403 host_required')
    assert.equal(verdictOf(await decide(app, room, admissionId, 'admit', as(alice))), '200')
    assert.equal((await enter(app, room, as(person))).state, 'admitted')
  }
  const { admissionId } = await enter(app, room, as(alice))
  await remove(admissionId)
  assert.equal((await enter(app, room, as(alice))).state, 'admitted')
  media.granted.length = 0
})

test('ended long before its time, a meeting is over for those who were there, and opens when it is time', async () => {
  clock.set('2030-01-06T12:00:00Z')
  const room = await meet({ joinBeforeHost: false })
  const host = await enter(app, room, as(alice))
  await move(host.admissionId, clock.now())
  const { state, admissionId } = await enter(app, room, as(bob))
  assert.equal(state, 'admitted')
  await move(admissionId, clock.now())
  const page = await watchAdmission(app, room, admissionId, as(bob))
  await page.until((standing) => standing.state === 'admitted')
  clock.advance(1_000)
  await setRoom(room, { endedAt: clock.now() })
  await page.until((standing) => standing.state === 'ended')
  page.close()
  for (const id of [host.admissionId, admissionId]) await move(id, clock.now(), clock.now())
  clock.set(nine)
  assert.equal((await enter(app, room, as(alice))).state, 'admitted')
  assert.equal((await enter(app, room, as(bob))).state, 'waiting_for_host')
  media.granted.length = 0
})

test('who was let in is not asked again on the same date, and is on the next one', async () => {
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
  media.granted.length = 0
  clock.set(nine)
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

  await ask(app, 'POST', roomPath(room, 'admit-all'), undefined, as(alice))
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

test('the devices begin as the meeting says, and who is hard muted is so until a host lifts it', async () => {
  const options = { hostVideo: false, participantAudio: false, participantHardAudioMute: true }
  const room = await meet(options)
  assert.deepEqual((await enter(app, room, as(alice))).devices, { camera: false, microphone: true, hardMuted: false })
  const { devices, admissionId } = await enter(app, room, as(bob))
  assert.deepEqual(devices, { camera: true, microphone: false, hardMuted: true })
  assert.deepEqual(
    media.granted.splice(0).map(({ role, hardMuted }) => [role, hardMuted]),
    [
      ['host', false],
      ['participant', true],
    ],
  )
  const page = await watchAdmission(app, room, admissionId, as(bob))
  assert.equal((await page.next()).hardMuted, true)
  const lifted = { hardMuted: false, unmuteAskedAt: clock.now() }
  await app.database.updateTable('admission').set(lifted).where('id', '=', String(admissionId)).execute()
  const { hardMuted, unmuteAskedOn } = await page.next()
  assert.deepEqual([hardMuted, unmuteAskedOn], [false, '2030-01-07T09:00:00.000Z'])
  assert.equal((await enter(app, room, as(bob))).devices?.hardMuted, false, 'also when he comes back')
  page.close()
  media.granted.length = 0
})

test('an app comes with meeting:join as its user, waits like them, and is let in; other tokens hear nothing', async () => {
  await permit(olga, carol, { oauthEnabled: true })
  const planner = await approvedApp(app, carol, { scopes: ['meeting:join', 'meeting:read'] })
  const room = await waitingRoom()
  const tokenWith = async (scope: 'meeting:join' | 'meeting:read') => {
    const { access_token } = await tokensFor(app, planner, bob, { scopes: [scope], clock })
    return { authorization: `Bearer ${access_token}` }
  }
  const [joining, reading] = [await tokenWith('meeting:join'), await tokenWith('meeting:read')]
  const { state, admissionId } = await enter(app, room, joining)
  assert.equal(state, 'waiting')
  const refused = await ask(app, 'GET', `${admissionPath(room, admissionId)}/events`, undefined, reading)
  assert.equal(verdictOf(refused), '403 insufficient_scope')
  const page = await watchAdmission(app, room, admissionId, joining)
  await page.next()
  await decide(app, room, admissionId, 'admit', as(alice))
  await page.until((standing) => standing.state === 'admitted')
  page.close()
  assert.equal((await enter(app, room, joining)).media?.token, `for ${admissionId}`)
  media.granted.length = 0
})

test('neither PIN nor key nor cookie nor the media’s token is ever logged', async () => {
  const room = await waitingRoom()
  const hostKey = await hostKeyOf(room)
  const gwen = await enterAsGuest(app, room, 'Gwen', { hostKey })
  const secrets = [room.pin, hostKey, gwen.headers.cookie.split('=')[1] ?? '', String(gwen.told.media?.token)]
  const all = [...app.logged, ...other.logged].join('')
  assert.match(all, /\/api\/rooms\/:svcMeetId\/enter/)
  for (const secret of secrets) assert.ok(secret.length > 5 && !all.includes(secret), 'a secret was logged')
  assert.equal(media.granted.length, 1)
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
  const counter = app.sealedBox.mac('attempt limits', '198.51.100.7').toString('base64url')
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
