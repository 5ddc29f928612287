import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { permit } from '../../../test/oauth/apps.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import { detailsPath, meetPeople, schedule, sendRequest, standUp } from '../../../test/people.ts'
import { expectProblem } from '../../../test/replies.ts'
import { as, type Headers, type Room } from '../../../test/rooms/rooms.ts'
import { createClock, publicAddress, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-07T09:00:00Z')
const app = await startApp({ clock, emails: 'dropped', environment: { TRUST_PROXY: '127.0.0.1' } })
const { olga, alice, bob, carol, mallory } = await meetPeople(app)
beforeEach(() => clock.set('2030-01-07T09:00:00Z'))

/** The teacher, her pupils and her guests share one address. Strangers come from eleven other networks. */
const school = '203.0.113.7'
const home = '198.51.100.99'
const networks = Array.from({ length: 11 }, (_, at) => `2001:db8:0:${at + 1}::1`)

const enter = async (code: string, body: object, address: string, headers: Headers = {}) =>
  (await sendRequest(app, 'POST', `/api/rooms/${code}/enter`, body, { 'x-forwarded-for': address, ...headers })).body
const stateOf = async (...sent: Parameters<typeof enter>): Promise<string> => (await enter(...sent)).state

type Secrets = { roomKey: string; vpin: string }
/** Bob is invited, Carol is a cohost, Mallory is neither. */
async function meet(): Promise<Room & Secrets> {
  const made: Room = await schedule(alice, standUp({ cohosts: [carol.email] }))
  const [{ roomKey, vpin }] = (await alice.send('GET', detailsPath(made))).body
  return { ...made, roomKey, vpin }
}

/** A guest who was admitted before; `headers` is what their browser sends from then on. */
async function admitGuest({ svcMeetId, pin }: Room, address: string): Promise<Headers> {
  const sent = { 'x-forwarded-for': address }
  const { headers, body } = await sendRequest(app, 'POST', `/api/rooms/${svcMeetId}/enter`, { pin, name: 'Gwen' }, sent)
  assert.equal(body.state, 'admitted')
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
  return { cookie, origin: publicAddress }
}

/** The reply that each person receives; `gwen` was admitted before the attack. */
async function answersFrom(address: string, { svcMeetId, pin, roomKey, vpin }: Room & Secrets, gwen: Headers) {
  const at = (body: object, headers: Headers = {}) => stateOf(svcMeetId, body, address, headers)
  return {
    'host, nothing': await at({}, as(alice)),
    'host, PIN': await at({ pin }, as(alice)),
    'host, wrong PIN': await at({ pin: 'wrong2' }, as(alice)),
    'cohost, nothing': await at({}, as(carol)),
    'invited, nothing': await at({}, as(bob)),
    'invited, PIN': await at({ pin }, as(bob)),
    'room key': await at({ hostKey: roomKey }),
    'host PIN': await at({ hostKey: vpin }),
    'host PIN in place of the PIN': await at({ pin: vpin }),
    'host PIN and PIN': await at({ hostKey: vpin, pin }),
    'admitted guest, reload': await at({ pin }, gwen),
    'new guest, PIN': await at({ pin }),
    'account that is not invited, PIN': await at({ pin }, as(mallory)),
    'new guest, nothing': await at({}),
  }
}

const allIn = {
  'host, nothing': 'admitted',
  'host, PIN': 'admitted',
  'host, wrong PIN': 'admitted',
  'cohost, nothing': 'admitted',
  'invited, nothing': 'admitted',
  'invited, PIN': 'admitted',
  'room key': 'admitted',
  'host PIN': 'admitted',
  'host PIN in place of the PIN': 'admitted',
  'host PIN and PIN': 'admitted',
  'admitted guest, reload': 'admitted',
  'new guest, PIN': 'admitted',
  'account that is not invited, PIN': 'admitted',
  'new guest, nothing': 'pin_required',
}
const guestsPaused = {
  ...allIn,
  'new guest, PIN': 'slow_down',
  'account that is not invited, PIN': 'slow_down',
}

test('55 wrong PINs from eleven networks pause new guests, and not guests who were known before', async () => {
  const meeting = await meet()
  const gwen = await admitGuest(meeting, home)
  for (const network of networks) {
    for (let tries = 0; tries < 5; tries++) await enter(meeting.svcMeetId, { pin: 'wrong2' }, network)
  }
  assert.deepEqual(await answersFrom(home, meeting, gwen), guestsPaused)
  const { retryAfter } = await enter(meeting.svcMeetId, { pin: meeting.pin }, home)
  assert.ok(retryAfter > 3500 && retryAfter <= 3600, String(retryAfter))
})

test('5 wrong PINs from a shared address pause the new guests behind it, of this meeting alone', async () => {
  const meeting = await meet()
  const gwen = await admitGuest(meeting, school)
  for (let tries = 0; tries < 5; tries++) await enter(meeting.svcMeetId, { pin: 'wrong2' }, school)
  assert.deepEqual(await answersFrom(school, meeting, gwen), guestsPaused)
  assert.deepEqual(await answersFrom(home, meeting, gwen), allIn)
  const other = await meet()
  assert.deepEqual(await answersFrom(school, other, await admitGuest(other, school)), allIn)
})

test('61 unknown codes from a shared address pause the new guests behind it, and no account', async () => {
  const meeting = await meet()
  const place = '203.0.113.8'
  const gwen = await admitGuest(meeting, place)
  for (let tries = 0; tries < 61; tries++) await enter(`80000000${String(tries).padStart(2, '0')}`, {}, place)
  assert.deepEqual(await answersFrom(place, meeting, gwen), {
    ...allIn,
    'new guest, PIN': 'slow_down',
    'new guest, nothing': 'slow_down',
  })
  assert.deepEqual(await answersFrom(home, meeting, gwen), allIn)
})

test('while unknown codes are paused, a code that exists is answered like one that does not', async () => {
  const { svcMeetId, pin, vpin } = await meet()
  const place = '203.0.113.9'
  for (let tries = 0; tries < 61; tries++) await enter(`80000001${String(tries).padStart(2, '0')}`, {}, place)
  const wrongVpin = vpin === '00000000' ? '00000001' : '00000000'
  for (const body of [{}, { pin }, { pin: 'wrong2' }, { hostKey: 'wrong' }, { hostKey: wrongVpin, pin }]) {
    const [exists, none] = [await enter(svcMeetId, body, place), await enter('8000000199', body, place)]
    assert.deepEqual([Object.keys(exists), exists.state], [['state', 'retryAfter'], 'slow_down'])
    assert.deepEqual([Object.keys(none), none.state], [['state', 'retryAfter'], 'slow_down'])
  }
})

test('an account that tries codes pauses itself alone, and still enters where it is known', async () => {
  const meeting = await meet()
  const other = await schedule(bob, standUp({ participants: [olga.email] }))
  for (let tries = 0; tries < 60; tries++) {
    const code = `80000002${String(tries).padStart(2, '0')}`
    assert.equal(await stateOf(code, {}, networks[tries % 11] ?? '', as(olga)), 'not_found')
  }
  assert.equal(await stateOf('8000000299', {}, school, as(olga)), 'slow_down')
  assert.equal(await stateOf(meeting.svcMeetId, { pin: meeting.pin }, school, as(olga)), 'slow_down')
  assert.equal(await stateOf(other.svcMeetId, {}, school, as(olga)), 'admitted')
  assert.equal(await stateOf('8000000299', {}, school, as(bob)), 'not_found')
})

test('strangers who guess the host PIN pause it for strangers; with the meeting’s PIN it is accepted', async () => {
  const meeting = await meet()
  const { svcMeetId, pin, vpin } = meeting
  const gwen = await admitGuest(meeting, home)
  for (const [at, network] of networks.entries()) {
    for (let tries = 0; tries < 5; tries++) {
      const guess = String(Number(vpin) + 1 + at * 5 + tries)
        .padStart(8, '0')
        .slice(-8)
      const sent = tries % 2 === 0 ? { hostKey: guess } : { pin: guess }
      const state = await stateOf(svcMeetId, sent, network)
      assert.equal(state, at * 5 + tries < 50 ? 'pin_wrong' : 'slow_down')
    }
  }
  assert.deepEqual(await answersFrom(home, meeting, gwen), {
    ...allIn,
    'host PIN': 'slow_down',
    'host PIN in place of the PIN': 'slow_down',
  })
  const beside = await enter(svcMeetId, { hostKey: vpin, pin }, home)
  assert.deepEqual([beside.state, beside.role], ['admitted', 'host'])
  const wrong = vpin === '00000000' ? '00000001' : '00000000'
  const answers = await Promise.all([
    enter(svcMeetId, { hostKey: wrong, pin }, school),
    enter(svcMeetId, { hostKey: wrong, pin: 'wrong2' }, school),
    enter(svcMeetId, { hostKey: wrong }, school),
  ])
  assert.deepEqual(
    answers.map((answer) => [answer.state, Object.keys(answer)]),
    Array(3).fill(['slow_down', ['state', 'retryAfter']]),
    'which PIN was beside it makes no difference',
  )
})

test('a guest with the PIN may guess the host PIN no more often than a stranger may guess the PIN', async () => {
  const meeting = await meet()
  const { svcMeetId, pin, vpin, roomKey } = meeting
  const wrong = vpin === '00000000' ? '00000001' : '00000000'
  for (const [at, network] of networks.entries()) {
    for (let tries = 0; tries < 5; tries++) {
      const state = await stateOf(svcMeetId, { hostKey: wrong, pin }, network)
      assert.equal(state, at < 10 ? 'pin_wrong' : 'slow_down')
    }
  }
  assert.equal(await stateOf(svcMeetId, { hostKey: vpin, pin }, home), 'slow_down')
  assert.equal(await stateOf(svcMeetId, { hostKey: roomKey }, home), 'admitted', 'the room key is never paused')
  assert.equal(await stateOf(svcMeetId, {}, home, as(alice)), 'admitted')
  assert.equal(await stateOf(svcMeetId, { pin }, home), 'admitted', 'the PIN is counted apart')
})

test('a new cookie for each guess gains a guest no further guesses of the host PIN', async () => {
  const meeting = await meet()
  const { svcMeetId, vpin } = meeting
  const wrong = vpin === '00000000' ? '00000001' : '00000000'
  const states: string[] = []
  for (let guests = 0; guests < 8; guests++) {
    const cookie = await admitGuest(meeting, school)
    states.push(await stateOf(svcMeetId, { pin: wrong }, school, cookie))
  }
  assert.deepEqual(states, [...Array(5).fill('pin_wrong'), ...Array(3).fill('slow_down')])
})

test('an invited account has its own five guesses of the host PIN; they do not affect its entry', async () => {
  const { svcMeetId, vpin } = await meet()
  const wrong = vpin === '00000000' ? '00000001' : '00000000'
  const asBob = async (hostKey: string) => {
    const { state, role } = await enter(svcMeetId, { hostKey }, school, as(bob))
    return [state, role]
  }
  for (let tries = 0; tries < 5; tries++) assert.deepEqual(await asBob(wrong), ['admitted', 'participant'])
  assert.deepEqual(await asBob(vpin), ['admitted', 'participant'], 'the sixth is not heard')
  const guest = await enter(svcMeetId, { hostKey: vpin }, school)
  assert.deepEqual([guest.state, guest.role], ['admitted', 'host'], 'he has paused nobody else')
})

test('an admitted guest has their own five wrong PINs, after which the right one is refused to that guest only', async () => {
  const meeting = await meet()
  const { svcMeetId, pin } = meeting
  const gwen = await admitGuest(meeting, school)
  for (let tries = 0; tries < 5; tries++) {
    assert.equal(await stateOf(svcMeetId, { pin: 'wrong2' }, school, gwen), 'pin_wrong')
  }
  assert.equal(await stateOf(svcMeetId, { pin }, school, gwen), 'slow_down')
  assert.equal(await stateOf(svcMeetId, { pin }, school), 'admitted')
})

test('at most fifty simultaneous guesses of the host PIN are counted', async () => {
  const { svcMeetId, vpin } = await meet()
  const states = await Promise.all(
    Array.from({ length: 100 }, (_, at) => {
      const guess = at < 99 ? String(at).padStart(8, vpin.startsWith('0') ? '9' : '0') : vpin
      return stateOf(svcMeetId, { hostKey: guess }, `198.51.100.${at + 1}`)
    }),
  )
  assert.ok(states.filter((state) => state === 'pin_wrong').length <= 50)
  assert.ok(!states.includes('admitted'))
})

test('own room: its owner and a guest she has admitted enter while strangers are paused', async () => {
  const { svcMeetId, roomPIN } = (await alice.send('GET', '/api/my_profile')).body
  const place = '203.0.113.10'
  const reply = await sendRequest(
    app,
    'POST',
    `/api/rooms/${svcMeetId}/enter`,
    { pin: roomPIN },
    { 'x-forwarded-for': place },
  )
  assert.equal(reply.body.state, 'waiting_for_host')
  const [cookie = ''] = (reply.headers.get('set-cookie') ?? '').split(';')
  for (const network of networks) {
    for (let tries = 0; tries < 5; tries++) await enter(svcMeetId, { pin: '12345678' }, network)
  }
  assert.equal(await stateOf(svcMeetId, {}, home, as(alice)), 'admitted')
  assert.equal(await stateOf(svcMeetId, { pin: roomPIN }, place, { cookie, origin: publicAddress }), 'waiting_for_host')
  assert.equal(await stateOf(svcMeetId, { pin: roomPIN }, place), 'slow_down')
  assert.equal(await stateOf(svcMeetId, { hostKey: roomPIN }, home), 'pin_wrong', 'there is no host key')
})

test('an app that joins as an invited account needs no PIN; an app of a stranger does', async () => {
  await permit(olga, carol, { oauthEnabled: true })
  const planner = await approvedApp(app, carol, { scopes: ['meeting:join'] })
  const { svcMeetId } = await meet()
  const through = async (person: typeof bob) => {
    const { access_token } = await tokensFor(app, planner, person, { scopes: ['meeting:join'], clock })
    return stateOf(svcMeetId, {}, school, { authorization: `Bearer ${access_token}` })
  }
  assert.deepEqual(
    [await through(alice), await through(bob), await through(mallory)],
    ['admitted', 'admitted', 'pin_required'],
  )
})

test('an unconfirmed address does not count as invited: it needs the PIN, and learns nothing of the list', async () => {
  const { svcMeetId, pin } = await meet()
  const confirmed = (emailVerifiedAt: Date | null) =>
    app.database.updateTable('account').set({ emailVerifiedAt }).where('id', '=', bob.profile._id).execute()
  const strict = await startApp({
    clock,
    beside: app,
    emails: 'dropped',
    environment: {
      EMAIL_VERIFICATION: 'required',
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'parley@example.org',
      TRUST_PROXY: '127.0.0.1',
    },
  })
  const asBob = async (body: object) =>
    (await sendRequest(strict, 'POST', `/api/rooms/${svcMeetId}/enter`, body, as(bob))).body
  await confirmed(null)
  assert.deepEqual(await asBob({}), { state: 'pin_required' })
  assert.equal((await asBob({ pin })).state, 'admitted')
  await confirmed(clock.now())
  assert.equal((await asBob({})).state, 'admitted')
})

test('an invited account adds the meeting to its list while strangers are paused', async () => {
  const { svcMeetId, pin, _id } = await meet()
  for (let tries = 0; tries < 5; tries++) await enter(svcMeetId, { pin: 'wrong2' }, school)
  const add = (person: typeof bob) =>
    sendRequest(app, 'POST', `/api/meeting/add/${svcMeetId}`, { pin }, { 'x-forwarded-for': school, ...as(person) })
  assert.deepEqual((await add(bob)).body.meetingId, _id)
  await expectProblem(add(mallory), 'too_many_requests')
})
