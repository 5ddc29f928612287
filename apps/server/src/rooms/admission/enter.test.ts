import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { allRights } from '@parley/contract'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { permit } from '../../../test/oauth/apps.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import {
  cancelPath,
  meetPeople,
  type Person,
  schedule,
  sendRequest,
  signUp,
  standUp,
  weekdays,
} from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { createClock, startApp, type TestApp } from '../../../test/start-app.ts'
import { deleteOldAdmissions } from './admission-store.ts'

const dayMs = 24 * 60 * 60 * 1000
const nine = '2030-01-07T09:00:00Z'
const clock = createClock(nine)
const app = await startApp({
  clock,
  emails: 'dropped',
  environment: { TRUST_PROXY: '127.0.0.1', TENANTS: 'acme.example=Acme' },
})
const { olga, alice, bob, carol } = await meetPeople(app)
beforeEach(() => clock.set(nine))

let networks = 0
/** A guest has their own network unless the headers name another. */
const enter = (code: string, body: object = {}, headers: Record<string, string> = {}, on: TestApp = app) =>
  sendRequest(on, 'POST', `/api/rooms/${code}/enter`, body, {
    'x-forwarded-for': `198.51.${Math.trunc(++networks / 250)}.${networks % 250}`,
    ...headers,
  })
const as = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
const options = (advancedOptions: object, more: object = {}) => standUp({ advancedOptions, ...more })
const stateOf = async (answer: ReturnType<typeof enter>) => (await answer).body.state

test('shows a guest with the PIN, in upper or lower case, the meeting, and recognises the guest by a cookie', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  const answer = await enter(svcMeetId, { pin: ` ${pin.toUpperCase()} `, name: 'Gwen' })
  const body = await expectOk(answer)
  const { admissionId, ...reply } = body
  // Replies to guests omit the PIN; this guest has it already.
  assert.deepEqual(reply, {
    state: 'admitted',
    name: 'Gwen',
    role: 'participant',
    devices: { camera: true, microphone: true, hardMuted: false, allowed: allRights },
    inside: { count: 0, people: [] },
    endsAt: '2030-01-07T09:30:00.000Z',
    organisation: null,
    meeting: {
      kind: 'meeting',
      topic: 'Stand-up',
      hostName: 'Alice Test',
      startTime: '2030-01-07T09:00:00.000Z',
      endTime: '2030-01-07T09:30:00.000Z',
      recur: false,
      nextOccurrence: {
        startTime: '2030-01-07T09:00:00.000Z',
        endTime: '2030-01-07T09:30:00.000Z',
        originalStartTime: '2030-01-07T09:00:00.000Z',
        status: 'active',
      },
      timeZone: 'GMT',
      timeZoneIana: 'Etc/UTC',
    },
  })
  const setCookie = answer.headers.get('set-cookie') ?? ''
  assert.match(setCookie, /^parley_guest=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  const [cookie = ''] = setCookie.split(';')
  const again = await enter(svcMeetId, { pin }, { cookie, origin: app.config.baseUrl })
  assert.deepEqual([again.body.admissionId, again.headers.get('set-cookie')], [admissionId, null])
  const other = await enter(svcMeetId, { pin })
  assert.notEqual(other.body.admissionId, admissionId)
  const kept = await app.database.selectFrom('admission').select('guestHash').where('id', '=', admissionId).execute()
  assert.equal(kept[0]?.guestHash?.length, 32)
  assert.ok(!cookie.includes(kept[0]?.guestHash?.toString('base64url') ?? ''), 'only a hash of the cookie is kept')
})

test('reveals only that a meeting exists before the PIN is given', async () => {
  const { svcMeetId } = await schedule(alice)
  for (const [body, state] of [
    [{}, 'pin_required'],
    [{ pin: '  ' }, 'pin_required'],
    [{ pin: 'wrong2' }, 'pin_wrong'],
    [{ hostKey: 'wrong' }, 'pin_wrong'],
  ] as const) {
    const answer = await enter(svcMeetId, body)
    const reply = await expectOk(answer)
    assert.deepEqual([reply, answer.headers.get('set-cookie')], [{ state }, null])
  }
  for (const code of ['8999999999', '12345', '0123456789', 'x'.repeat(10), '9651912175']) {
    assert.deepEqual((await enter(code, { pin: 'wrong2' })).body, { state: 'not_found' })
  }
})

test('asks for the requirements of a meeting in order, and reveals its details with the PIN', async () => {
  const states: [object, Record<string, string>, string][] = [
    [{ loggedInOnly: true }, {}, 'sign_in_required'],
    [{ loggedInOnly: true }, as(carol), 'admitted'],
    [{ isRestrictedMeeting: true }, {}, 'not_invited'],
    [{ isRestrictedMeeting: true }, as(carol), 'not_invited'],
    [{ isRestrictedMeeting: true }, as(olga), 'not_invited'],
    [{ isRestrictedMeeting: true }, as(bob), 'admitted'],
    [{ isRestrictedMeeting: true }, as(alice), 'admitted'],
    [{ colleagueOnly: true }, as(carol), 'admitted'],
    [{ colleagueOnly: true }, {}, 'not_invited'],
    [{ joinBeforeHost: false }, as(bob), 'waiting_for_host'],
    [{ joinBeforeHost: false }, as(alice), 'admitted'],
    [{ waitingRoom: true }, as(bob), 'waiting'],
    [{ waitingRoom: true }, as(alice), 'admitted'],
  ]
  for (const [asked, headers, state] of states) {
    const { svcMeetId, pin } = await schedule(alice, options(asked))
    const { body } = await enter(svcMeetId, { pin }, headers)
    assert.equal(body.state, state, `${JSON.stringify(asked)} ${state}`)
    assert.equal(body.meeting.topic, 'Stand-up')
    assert.equal(body.admissionId !== undefined, ['admitted', 'waiting', 'waiting_for_host'].includes(state))
    const without = (await enter(svcMeetId, {}, headers)).body
    const early = state === 'sign_in_required' || state === 'not_invited'
    const needsPin =
      headers.authorization !== as(alice).authorization && headers.authorization !== as(bob).authorization
    if (needsPin) assert.deepEqual(without, { state: early ? state : 'pin_required' })
    else
      assert.deepEqual(
        [without.state, without.meeting.topic],
        [state, 'Stand-up'],
        'the host and the invited need none',
      )
  }
})

test('shows the PIN to people who need none, so that they can invite others, and to apps with meeting:read only', async () => {
  await permit(olga, carol, { oauthEnabled: true })
  const planner = await approvedApp(app, carol, { name: 'Reader', scopes: ['meeting:join', 'meeting:read'] })
  const made = await schedule(alice, standUp({ participants: [bob.email] }))
  const pinSent = async (headers: Record<string, string>, body: object = {}) =>
    (await enter(made.svcMeetId, body, headers)).body.pin
  const through = async (scopes: ('meeting:join' | 'meeting:read')[]) => {
    const { access_token } = await tokensFor(app, planner, bob, { scopes, clock })
    return { authorization: `Bearer ${access_token}` }
  }
  assert.equal(await pinSent(as(alice)), made.pin)
  assert.equal(await pinSent(as(bob)), made.pin)
  assert.equal(await pinSent(as(carol)), undefined)
  assert.equal(await pinSent(as(carol), { pin: made.pin }), undefined)
  assert.equal(await pinSent({}), undefined)
  assert.equal(await pinSent(await through(['meeting:join'])), undefined)
  assert.equal(await pinSent(await through(['meeting:join', 'meeting:read'])), made.pin)
  const [{ roomKey }] = (await alice.send('GET', `/api/meeting/meetingDetails/${made._id}`)).body
  assert.equal(await pinSent({}, { hostKey: roomKey }), made.pin, 'the key makes the host')
})

test('treats members of the host’s organisation as colleagues', async () => {
  const stranger = await signUp(app, 'Stranger', 'stranger@acme.example')
  const invited = options({ colleagueOnly: true }, { participants: [stranger.email] })
  const { svcMeetId, pin } = await schedule(alice, invited)
  assert.equal(await stateOf(enter(svcMeetId, { pin }, as(stranger))), 'not_invited')
})

test('reports the role of each person, and makes a holder of host key and PIN a host', async () => {
  const made = await schedule(alice, standUp({ cohosts: [carol.email], advancedOptions: { joinBeforeHost: false } }))
  const [{ roomKey, vpin }] = (await alice.send('GET', `/api/meeting/meetingDetails/${made._id}`)).body
  const { svcMeetId, pin } = made
  const cases: [object, Record<string, string>, string | undefined][] = [
    [{ pin }, as(alice), 'host'],
    [{ pin }, as(carol), 'cohost'],
    [{ pin }, as(bob), 'participant'],
    [{ pin }, as(olga), 'participant'],
    [{ hostKey: roomKey }, {}, 'host'],
    [{ hostKey: vpin }, {}, 'host'],
    [{ pin: vpin }, {}, 'host'],
    [{ pin, hostKey: 'wrong' }, {}, undefined],
    [{ pin: vpin, hostKey: 'wrong' }, {}, undefined],
  ]
  for (const [body, headers, role] of cases) {
    const reply = (await enter(svcMeetId, body, headers)).body
    assert.equal(reply.role, role, JSON.stringify(body))
    const hosts = role === 'host' || role === 'cohost'
    assert.equal(reply.state, role === undefined ? 'pin_wrong' : hosts ? 'admitted' : 'waiting_for_host')
  }
})

test('opens the room a quarter of an hour before the start, and closes it a day after the last end', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  const at = async (time: string, body: object = { pin }) => {
    clock.set(time)
    return (await enter(svcMeetId, body)).body
  }
  const early = await at('2030-01-07T08:44:59Z')
  assert.deepEqual([early.state, early.opensAt], ['too_early', '2030-01-07T08:45:00.000Z'])
  assert.deepEqual(await at('2030-01-07T08:44:59Z', {}), { state: 'pin_required' }, 'the time is told with the PIN')
  assert.equal((await at('2030-01-07T08:45:00Z')).state, 'admitted')
  assert.equal((await at('2030-01-08T09:29:59Z')).state, 'admitted')
  const over = await at('2030-01-08T09:30:00Z')
  assert.deepEqual([over.state, over.meeting.nextOccurrence], ['ended', null])
})

test('shows the next date of a series, skipped dates cancelled', async () => {
  const series = await schedule(alice, weekdays())
  await alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' })
  await alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' })
  clock.set('2030-01-08T12:00:00Z')
  const { body } = await enter(series.svcMeetId, { pin: series.pin })
  assert.deepEqual([body.state, body.opensAt], ['too_early', '2030-01-10T08:45:00.000Z'])
  assert.equal(body.meeting.nextOccurrence.startTime, '2030-01-10T09:00:00.000Z')
  await alice.send('POST', cancelPath(series), { cancel: 'all' })
  const cancelled = (await enter(series.svcMeetId, { pin: series.pin })).body
  assert.deepEqual([cancelled.state, cancelled.meeting.nextOccurrence], ['cancelled', null])
  assert.deepEqual((await enter(series.svcMeetId)).body, { state: 'cancelled' })
})

test('reflects host actions on entry: locked, ended until the next date, admitted, denied, full', async () => {
  const { _id, svcMeetId, pin } = await schedule(alice, weekdays({ advancedOptions: { waitingRoom: true } }))
  const asBob = () => stateOf(enter(svcMeetId, { pin }, as(bob)))
  const room = (lockedAt: Date | null, endedAt: Date | null) =>
    app.database
      .insertInto('room')
      .values({ meetingId: _id, lockedAt, endedAt })
      .onConflict((conflict) => conflict.column('meetingId').doUpdateSet({ lockedAt, endedAt }))
      .execute()
  await room(clock.now(), null)
  assert.equal(await asBob(), 'locked')
  await room(null, clock.now())
  assert.equal(await asBob(), 'ended')
  clock.set('2030-01-08T09:30:00Z')
  assert.equal(await asBob(), 'waiting', 'Tuesday is another day')

  const decide = (state: 'admitted' | 'denied') =>
    app.database
      .updateTable('admission')
      .set({ state, decidedAt: clock.now() })
      .where('meetingId', '=', _id)
      .where('accountId', '=', bob.profile._id)
      .execute()
  await decide('denied')
  assert.equal(await asBob(), 'denied')
  await decide('admitted')
  assert.equal(await asBob(), 'admitted')
  clock.set(new Date(clock.now().getTime() + dayMs))
  assert.equal(await asBob(), 'waiting', 'the next day is asked again')
})

test('admits a person who waits for the host once the host is inside', async () => {
  const { _id, svcMeetId, pin } = await schedule(alice, options({ joinBeforeHost: false }))
  assert.equal(await stateOf(enter(svcMeetId, { pin }, as(bob))), 'waiting_for_host')
  assert.equal(await stateOf(enter(svcMeetId, { pin }, as(alice))), 'admitted')
  assert.equal(await stateOf(enter(svcMeetId, { pin }, as(bob))), 'waiting_for_host', 'being let in is not being in')
  const inside = (leftAt: Date | null) =>
    app.database.updateTable('admission').set({ enteredAt: clock.now(), leftAt }).where('meetingId', '=', _id).execute()
  await inside(null)
  assert.equal(await stateOf(enter(svcMeetId, { pin }, as(bob))), 'admitted')
  await inside(clock.now())
  assert.equal(await stateOf(enter(svcMeetId, { pin }, as(carol))), 'waiting_for_host')
})

test('refuses even the right PIN after five wrong ones from one network, and accepts it from another network', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  const from = (address: string, body: object) => enter(svcMeetId, body, { 'x-forwarded-for': address })
  for (let failures = 0; failures < 5; failures++) {
    assert.deepEqual((await from('203.0.113.1', { pin: 'wrong2' })).body, { state: 'pin_wrong' })
  }
  const { body } = await from('203.0.113.1', { pin })
  assert.deepEqual(Object.keys(body), ['state', 'retryAfter'])
  assert.equal(body.state, 'slow_down')
  assert.ok(body.retryAfter > 590 && body.retryAfter <= 600, String(body.retryAfter))
  assert.equal((await from('203.0.113.2', { pin })).body.state, 'admitted')
  const other = await schedule(alice)
  assert.equal(
    await stateOf(enter(other.svcMeetId, { pin: other.pin }, { 'x-forwarded-for': '203.0.113.1' })),
    'admitted',
  )
  assert.deepEqual((await from('203.0.113.1', {})).body, { state: 'pin_required' }, 'asking for it is no try')
})

test('refuses every PIN of a meeting after fifty wrong ones, from any network', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  for (let failures = 0; failures < 50; failures++) {
    assert.equal(await stateOf(enter(svcMeetId, { pin: 'wrong2' })), 'pin_wrong')
  }
  const { body } = await enter(svcMeetId, { pin })
  assert.equal(body.state, 'slow_down')
  assert.ok(body.retryAfter > 3500 && body.retryAfter <= 3600)
})

test('counts at most fifty simultaneous guesses', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  const states = await Promise.all(
    Array.from({ length: 100 }, (_, at) => stateOf(enter(svcMeetId, { pin: at < 99 ? 'wrong2' : pin }))),
  )
  assert.ok(states.filter((state) => state === 'pin_wrong').length <= 50)
  assert.ok(!states.includes('admitted'))
})

test('answers slow_down to a guest for every code after sixty unknown codes', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  const scanner = { 'x-forwarded-for': '203.0.113.77' }
  for (let tries = 0; tries < 60; tries++) {
    assert.equal(await stateOf(enter(`80000000${String(tries).padStart(2, '0')}`, {}, scanner)), 'not_found')
  }
  assert.equal(await stateOf(enter('8000000099', {}, scanner)), 'slow_down')
  assert.equal(await stateOf(enter(svcMeetId, { pin }, scanner)), 'slow_down')
  assert.equal(await stateOf(enter(svcMeetId, { pin })), 'admitted')
})

test('admits an app with meeting:join as its user without host rights, and refuses other tokens', async () => {
  await permit(olga, carol, { oauthEnabled: true })
  const planner = await approvedApp(app, carol, { scopes: ['meeting:join', 'meeting:read'] })
  const asked = { loggedInOnly: true, joinBeforeHost: false }
  const made = await schedule(alice, options(asked, { cohosts: [bob.email] }))
  const through = async (person: Person, scopes: ('meeting:join' | 'meeting:read')[]) => {
    const { access_token } = await tokensFor(app, planner, person, { scopes, clock })
    return enter(made.svcMeetId, { pin: made.pin }, { authorization: `Bearer ${access_token}` })
  }
  assert.deepEqual((await through(alice, ['meeting:join'])).body.role, 'host')
  const asBob = (await through(bob, ['meeting:join'])).body
  assert.deepEqual([asBob.role, asBob.state], ['participant', 'waiting_for_host'])
  const refused = await through(bob, ['meeting:read'])
  await expectProblem(refused, 'insufficient_scope')
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="meeting:join"/)
  await expectProblem(enter(made.svcMeetId, { pin: made.pin }, { authorization: 'Bearer nonsense' }), 'unauthorized')
})

test('recognises a session cookie from our own pages only, and treats an ended session as a guest', async () => {
  const { svcMeetId, pin } = await schedule(alice)
  const cookie = `parley_session=${alice.token}`
  const here = await enter(svcMeetId, { pin }, { cookie, origin: app.config.baseUrl })
  assert.equal(here.body.role, 'host')
  await expectProblem(enter(svcMeetId, { pin }, { cookie, origin: 'https://evil.example' }), 'cross_origin')
  const gone = `parley_session=${alice.token.slice(0, -1)}${alice.token.endsWith('x') ? 'y' : 'x'}`
  const guest = await expectOk(enter(svcMeetId, { pin }, { cookie: gone, origin: app.config.baseUrl }))
  assert.equal(guest.role, 'participant')
})

test('deletes unused entry requests after a day, keeps those of attendees, and limits names to 100 characters', async () => {
  const { _id, svcMeetId, pin } = await schedule(alice, options({ waitingRoom: true }))
  await enter(svcMeetId, { pin }, as(bob))
  await enter(svcMeetId, { pin }, as(alice))
  const rows = () => app.database.selectFrom('admission').select('role').where('meetingId', '=', _id).execute()
  await app.database.updateTable('admission').set({ enteredAt: clock.now() }).where('role', '=', 'host').execute()
  await deleteOldAdmissions(app.database, new Date(clock.now().getTime() + dayMs - 1))
  assert.equal((await rows()).length, 2)
  await deleteOldAdmissions(app.database, new Date(clock.now().getTime() + dayMs))
  assert.deepEqual(await rows(), [{ role: 'host' }])
  await expectProblem(enter(svcMeetId, { pin, name: 'x'.repeat(101) }), 'invalid_request', ['/name too_long'])
})
