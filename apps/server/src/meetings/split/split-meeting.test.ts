import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../../test/oauth/approved-app.ts'
import { tokensFor } from '../../../test/oauth/token-client.ts'
import {
  cancelPath,
  detailsPath,
  meetPeople,
  type Person,
  schedule,
  sendRequest,
  violationsOf,
  weekdays,
} from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T00:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, carol, mallory } = await meetPeople(app)

/** Mondays at 09:00 in London, for half an hour, from 7 January 2030. */
const mondays = (changes: object = {}) =>
  weekdays({
    startTime: '2030-01-07T09:00:00Z',
    endTime: '2030-01-07T09:30:00Z',
    repeatOptions: weekly({}),
    participants: [bob.email, 'dan@elsewhere.example'],
    ...changes,
  })
const weekly = (changes: object) => ({
  repeat: 'weekly',
  daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
  timeZone: 'Europe/London',
  ...changes,
})
const third = '2030-01-21T09:00:00Z'

type Meeting = { _id: string }
const split = (
  meeting: Meeting,
  body: object = {},
  {
    person = alice,
    query = '',
    headers = {},
  }: { person?: Person; query?: string; headers?: Record<string, string> } = {},
) => person.send('POST', `${detailsPath(meeting)}/split${query}`, { occurrence: third, ...body }, headers)
const quietly = { query: '?sendUpdates=none' }

async function splitUp(meeting: Meeting, body: object = {}, options: Parameters<typeof split>[2] = quietly) {
  const answer = await split(meeting, body, options)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}
const read = async (meeting: Meeting, person: Person = alice) => {
  const { status, body } = await person.send('GET', detailsPath(meeting))
  assert.equal(status, 200, JSON.stringify(body))
  return body[0]
}
const occurrencesOf = async (meeting: Meeting, query = 'limit=4&status=all') =>
  (await alice.send('GET', `${detailsPath(meeting)}/occurrences?${query}`)).body.occurrences.map(
    ({ startTime, endTime, status, topic }: Record<string, string>) =>
      `${startTime?.slice(5, 16)}–${endTime?.slice(11, 16)} ${status}${topic === undefined ? '' : ` ${topic}`}`,
  )
async function quiet(body: object = {}) {
  const { status, body: made } = await alice.send(
    'POST',
    '/api/meeting?sendUpdates=none',
    mondays({ participants: [bob.email], ...body }),
  )
  assert.equal(status, 200, JSON.stringify(made))
  return made.meetingDetails
}

test('the series ends before the occurrence, and a meeting with a link of its own continues it', async () => {
  const meeting = await schedule(alice, mondays({ reminderMinutes: 30, advancedOptions: { waitingRoom: true } }))
  await app.mails()
  clock.advance(3 * 60_000)
  const answer = await split(meeting, {
    topic: 'Review',
    startTime: '2030-01-21T10:00:00Z',
    advancedOptions: { hostAudio: false },
  })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  const next = answer.body
  assert.equal(answer.headers.get('etag'), '"v0"')
  assert.deepEqual(
    [next.continues, next.continuedBy, next.topic, next.startTime, next.endTime, next.reminderMinutes],
    [meeting._id, null, 'Review', '2030-01-21T10:00:00.000Z', '2030-01-21T10:30:00.000Z', 30],
  )
  assert.deepEqual([next.advancedOptions.waitingRoom, next.advancedOptions.hostAudio], [true, false])
  assert.deepEqual(
    next.participants.map(({ email }: Person) => email),
    [bob.email, 'dan@elsewhere.example'],
  )
  for (const field of ['_id', 'svcMeetId', 'pin', 'meetingUrl', 'addToSvcUrl']) {
    assert.notEqual(next[field], meeting[field], field)
  }
  assert.equal(next.userId, meeting.userId)

  const [former, continued] = [await read(meeting), await read(next)]
  assert.deepEqual([former.continues, former.continuedBy, former.__v], [null, next._id, 1])
  assert.deepEqual([continued.continues, continued.continuedBy], [meeting._id, null])
  assert.notEqual(continued.roomKey, former.roomKey)
  assert.deepEqual(
    [former.topic, former.pin, former.repeatOptions.endDate],
    ['Stand-up', meeting.pin, '2030-01-14T23:59:59.000Z'],
  )
  assert.deepEqual(await occurrencesOf(meeting), ['01-07T09:00–09:30 active', '01-14T09:00–09:30 active'])
  assert.deepEqual(await occurrencesOf(next, 'limit=2'), ['01-21T10:00–10:30 active', '01-28T10:00–10:30 active'])

  const mails = await app.mails()
  const received = mails.map(({ to, subject, calendar }) => [
    to,
    subject,
    /METHOD:(\w+)/.exec(calendar?.text ?? '')?.[1],
    /UNTIL=(\w+)/.exec(calendar?.text ?? '')?.[1],
    /UID:([\w-]+)/.exec(calendar?.text ?? '')?.[1],
  ])
  for (const guest of [bob.email, 'dan@elsewhere.example']) {
    const [changed] = received.filter(
      ([to, subject]) => to === guest && subject === 'Changed from 21 January 2030: Stand-up',
    )
    assert.deepEqual(changed?.slice(2), ['REQUEST', '20300114T090000Z', meeting._id])
    const [invited] = received.filter(([to, subject]) => to === guest && subject === 'Invitation: Review')
    assert.deepEqual(invited?.slice(2), ['REQUEST', undefined, next._id])
  }
})

test('cancelled and changed occurrences stay with the part that has them', async () => {
  const meeting = await quiet()
  const change = (start: string, body: object) =>
    alice.send('PUT', `${detailsPath(meeting)}/occurrences/${encodeURIComponent(start)}${quietly.query}`, body)
  await change('2030-01-14T09:00:00Z', { topic: 'Early' })
  await change('2030-01-28T09:00:00Z', { startTime: '2030-01-29T11:00:00Z', topic: 'Late' })
  await alice.send('POST', `${cancelPath(meeting)}${quietly.query}`, {
    cancel: 'current',
    occurrence: '2030-01-07T09:00:00Z',
  })
  await alice.send('POST', `${cancelPath(meeting)}${quietly.query}`, {
    cancel: 'current',
    occurrence: '2030-02-04T09:00:00Z',
  })
  const next = await splitUp(meeting)
  assert.deepEqual(await occurrencesOf(meeting), ['01-07T09:00–09:30 cancelled', '01-14T09:00–09:30 changed Early'])
  assert.deepEqual(await occurrencesOf(next), [
    '01-21T09:00–09:30 active',
    '01-29T11:00–11:30 changed Late',
    '02-04T09:00–09:30 cancelled',
    '02-11T09:00–09:30 active',
  ])
  assert.deepEqual([next.restoredOccurrences, next.removedOccurrences], [[], []])
})

test('a change of the rule treats them as an update does, and says what it restores and removes', async () => {
  const meeting = await quiet({ repeatOptions: weekly({ endDate: '2030-02-04T09:00:00Z' }) })
  await alice.send('POST', `${cancelPath(meeting)}${quietly.query}`, {
    cancel: 'current',
    occurrence: '2030-01-28T09:00:00Z',
  })
  const tuesdays = weekly({ daysOfWeek: [0, 0, 1, 0, 0, 0, 0], endDate: '2030-02-05T12:00:00Z' })
  const next = await splitUp(meeting, { repeatOptions: tuesdays })
  assert.deepEqual(
    next.removedOccurrences.map(({ startTime }: { startTime: string }) => startTime.slice(5, 10)),
    ['01-21', '02-04'],
  )
  assert.deepEqual(await occurrencesOf(next), [
    '01-22T09:00–09:30 active',
    '01-29T09:00–09:30 active',
    '02-05T09:00–09:30 active',
  ])
  const back = await alice.send('PUT', `${detailsPath(next)}${quietly.query}`, {
    ...mondays({
      startTime: third,
      endTime: '2030-01-21T09:30:00Z',
      repeatOptions: weekly({ endDate: '2030-02-04T09:00:00Z' }),
    }),
  })
  assert.deepEqual(
    back.body.restoredOccurrences.map(({ startTime }: { startTime: string }) => startTime.slice(5, 10)),
    ['01-28'],
    'the cancellation that was dropped is remembered',
  )
})

test('a count is divided', async () => {
  const meeting = await quiet({ repeatOptions: weekly({ count: 5 }) })
  const next = await splitUp(meeting)
  const counts = async (one: Meeting) => {
    const { count, endDate } = (await read(one)).repeatOptions
    return [count, endDate]
  }
  assert.deepEqual(await counts(meeting), [2, '2030-01-14T23:59:59.000Z'])
  assert.deepEqual(await counts(next), [3, '2030-02-04T23:59:59.000Z'])
})

test('an occurrence in the hour that a clock change skips: the others keep their time of day', async () => {
  const nightly = { startTime: '2030-03-29T01:30:00Z', endTime: '2030-03-29T02:00:00Z' }
  const repeatOptions = { repeat: 'daily', timeZone: 'Europe/London', endDate: '2030-04-02T00:00:00Z' }
  const meeting = await quiet({ ...nightly, repeatOptions })
  const next = await splitUp(meeting, { occurrence: '2030-03-31T01:30:00Z' })
  assert.deepEqual(await occurrencesOf(next, 'limit=9&status=all&from=2030-03-01T00:00:00Z'), [
    '03-30T01:30–02:00 cancelled',
    '03-31T01:30–02:00 active',
    '04-01T00:30–01:00 active',
  ])
})

test('a split of a part keeps the chain, and other parts stay linked', async () => {
  const meeting = await quiet()
  const last = await splitUp(meeting, { occurrence: '2030-02-04T09:00:00Z' })
  const middle = await splitUp(meeting)
  assert.deepEqual([middle.continues, middle.continuedBy], [meeting._id, last._id])
  assert.equal((await read(last)).continues, middle._id)
  const newest = await splitUp(last, { occurrence: '2030-02-18T09:00:00Z' })
  assert.deepEqual(
    [
      (await read(meeting)).continuedBy,
      (await read(middle)).continuedBy,
      (await read(last)).continuedBy,
      newest.continuedBy,
    ],
    [middle._id, last._id, newest._id, null],
  )
  await alice.send('POST', `${cancelPath(middle)}${quietly.query}`, { cancel: 'all' })
  assert.equal((await read(meeting)).continuedBy, middle._id, 'a cancelled part keeps its links')
})

test('only those who may read the other part are told of it', async () => {
  const meeting = await quiet()
  const next = await splitUp(meeting, { participants: [carol.email] })
  assert.equal((await read(meeting, bob)).continuedBy, null)
  assert.equal((await bob.send('GET', detailsPath(next))).status, 404)
  assert.equal((await read(next, carol)).continues, null)
  assert.equal((await read(meeting, olga)).continuedBy, next._id, 'an administrator may read both')
})

test('answers stay where no date is moved, and guests are asked again where one is', async () => {
  const [meeting, moved] = [await quiet(), await quiet()]
  for (const one of [meeting, moved]) {
    await bob.send('POST', `${detailsPath(one)}/response`, { response: 'accepted' })
  }
  const answerIn = async (one: Meeting) => (await read(one)).participants[0].response
  const same = await splitUp(meeting, { topic: 'Review' })
  assert.deepEqual([await answerIn(meeting), await answerIn(same)], ['accepted', 'accepted'])
  const later = await splitUp(moved, { startTime: '2030-01-21T15:00:00Z' })
  assert.deepEqual([await answerIn(moved), await answerIn(later)], ['accepted', undefined])
})

test('answers to single dates stay with the part that has the date, unless it is moved', async () => {
  const [meeting, moved] = [await quiet(), await quiet()]
  for (const one of [meeting, moved]) {
    const respond = (response: string, occurrence: string) =>
      bob.send('POST', `${detailsPath(one)}/response`, { response, occurrence })
    assert.equal((await respond('declined', '2030-01-14T09:00:00Z')).status, 200)
    assert.equal((await respond('tentative', '2030-01-28T09:00:00Z')).status, 200)
  }
  const answersIn = async (one: Meeting) => {
    const { body } = await bob.send('GET', `${detailsPath(one)}/occurrences?limit=3`)
    return body.occurrences.map(({ response = '' }: { response?: string }) => response)
  }
  const same = await splitUp(meeting, { topic: 'Review' })
  assert.deepEqual(
    [await answersIn(meeting), await answersIn(same)],
    [
      ['', 'declined'],
      ['', 'tentative', ''],
    ],
  )
  const later = await splitUp(moved, { startTime: '2030-01-21T15:00:00Z' })
  assert.deepEqual(
    [await answersIn(moved), await answersIn(later)],
    [
      ['', 'declined'],
      ['', '', ''],
    ],
  )
  const without = await splitUp(same, { occurrence: '2030-01-28T09:00:00Z', participants: [carol.email] })
  assert.equal((await read(without)).participants[0].response, undefined)
})

test('who has stopped the reminders of the series gets none of its continuation', async () => {
  const meeting = await quiet()
  await app.database
    .insertInto('stoppedReminder')
    .values({ meetingId: meeting._id, emailKey: bob.email, stoppedAt: clock.now() })
    .execute()
  const next = await splitUp(meeting)
  const rows = await app.database
    .selectFrom('stoppedReminder')
    .select('emailKey')
    .where('meetingId', '=', next._id)
    .execute()
  assert.deepEqual(rows, [{ emailKey: bob.email }])
  const reminders = await app.database
    .selectFrom('meetingReminder')
    .select(['meetingId', 'occurrence'])
    .where('meetingId', 'in', [meeting._id, next._id])
    .orderBy('occurrence')
    .execute()
  assert.deepEqual(
    reminders.map(({ meetingId, occurrence }) => [meetingId, occurrence.toISOString().slice(5, 10)]),
    [
      [meeting._id, '01-07'],
      [next._id, '01-21'],
    ],
  )
})

test('sendUpdates=none mails no one, and people who are no longer invited are not asked', async () => {
  const [meeting, other] = [
    await schedule(alice, mondays()),
    await schedule(alice, mondays({ participants: [bob.email] })),
  ]
  await app.mails()
  clock.advance(3 * 60_000)
  await splitUp(meeting)
  assert.deepEqual(await app.mails(), [])
  const answer = await split(other, { participants: [carol.email] })
  assert.equal(answer.status, 200)
  const mails = await app.mails()
  assert.deepEqual(mails.map(({ to, subject }) => `${to} ${subject}`).toSorted(), [
    `${bob.email} Changed: Stand-up`,
    `${carol.email} Invitation: Stand-up`,
  ])
})

const refused: [string, object, object, string[]][] = [
  ['the first occurrence', {}, { occurrence: '2030-01-07T09:00:00Z' }, ['/occurrence nothing_before']],
  [
    'a time at which nothing takes place',
    {},
    { occurrence: '2030-01-21T09:30:00Z' },
    ['/occurrence no_such_occurrence'],
  ],
  ['a single meeting', { repeatOptions: { repeat: 'none', timeZone: 'UTC' } }, {}, ['/occurrence not_recurring']],
  ['the start of the series', {}, { startTime: '2030-01-07T09:00:00Z' }, ['/startTime before_split']],
  ['no occurrence', {}, { occurrence: undefined }, ['/occurrence required']],
  [
    'several wrong fields',
    {},
    { occurrence: 'soon', topic: '', participants: ['bob'], repeatOptions: { repeat: 'weekly' }, isPinEnabled: false },
    [
      '/isPinEnabled must_be_true',
      '/occurrence bad_format',
      '/participants/0 bad_format',
      '/repeatOptions/daysOfWeek required',
      '/topic too_short',
    ],
  ],
]
for (const [name, made, body, expected] of refused) {
  test(`refuses ${name}, and changes nothing`, async () => {
    const meeting = await quiet(made)
    const answer = await split(meeting, body, quietly)
    assert.equal(answer.status, 400, JSON.stringify(answer.body))
    assert.deepEqual(violationsOf(answer), expected)
    const { __v, continuedBy } = await read(meeting)
    assert.deepEqual([__v, continuedBy], [0, null])
  })
}

test('what has begun stays with the series', async () => {
  const meeting = await quiet()
  clock.set('2030-01-21T09:00:00Z')
  assert.deepEqual(violationsOf(await split(meeting, {}, quietly)), ['/occurrence occurrence_begun'])
  clock.set('2030-01-21T09:30:00Z')
  assert.deepEqual(violationsOf(await split(meeting, {}, quietly)), ['/occurrence occurrence_over'])
  clock.set('2030-01-21T08:59:59Z')
  assert.equal((await split(meeting, {}, quietly)).status, 200)
  clock.set('2030-01-01T00:00:00Z')
})

test('needs a host of the meeting, which is not cancelled, and its present version', async () => {
  const meeting = await quiet({ cohosts: [carol.email] })
  const code = async (...sent: Parameters<typeof split>) => {
    const { status, body } = await split(...sent)
    return `${status} ${body.code}`
  }
  assert.equal(await code(meeting, {}, { person: mallory }), '404 meeting_not_found')
  assert.equal(await code(meeting, {}, { person: bob }), '403 forbidden')
  assert.equal(await code({ _id: 'no-id' }), '404 meeting_not_found')
  assert.equal((await sendRequest(app, 'POST', `${detailsPath(meeting)}/split`, { occurrence: third })).status, 401)
  assert.equal(await code(meeting, {}, { headers: { 'if-match': '"v1"' } }), '412 stale_version')
  assert.equal(
    await code(meeting, { cohosts: [] }, { person: carol }),
    '403 forbidden',
    'only the host removes a cohost',
  )
  const next = await splitUp(meeting, {}, { ...quietly, person: carol, headers: { 'if-match': '"v0"' } })
  assert.deepEqual(
    [next.userId, next.createdBy, next.modifiedBy, next.cohosts],
    [alice.profile._id, alice.profile._id, carol.profile._id, [carol.email]],
  )
  const byAdministrator = await splitUp(next, { occurrence: '2030-02-04T09:00:00Z' }, { ...quietly, person: olga })
  assert.equal(byAdministrator.userId, alice.profile._id)
  await alice.send('POST', `${cancelPath(next)}${quietly.query}`, { cancel: 'all' })
  assert.equal(await code(next, { occurrence: '2030-01-28T09:00:00Z' }), '409 meeting_cancelled')
})

test('a retry with the same key splits once', async () => {
  const meeting = await quiet()
  const options = { ...quietly, headers: { 'idempotency-key': 'split-1' } }
  const [one, again] = [await splitUp(meeting, {}, options), await splitUp(meeting, {}, options)]
  assert.equal(again._id, one._id)
  const other = await split(meeting, { topic: 'Review' }, options)
  assert.equal(other.status, 422)
})

test('two splits at once give one continuation', async () => {
  const meeting = await quiet()
  const answers = await Promise.all([split(meeting, {}, quietly), split(meeting, {}, quietly)])
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
})

test('an app needs both scopes, and what continues its meeting is its meeting', async () => {
  const planner = await approvedApp(app, olga, { scopes: ['meeting:create', 'meeting:update', 'meeting:read'] })
  const tokens = await tokensFor(app, planner, alice, {
    scopes: ['meeting:create', 'meeting:update', 'meeting:read'],
    clock,
  })
  const byApp = { ...alice, send: appSender(tokens.access_token) }
  const meeting = await schedule(byApp, mondays({ participants: [] }))
  const next = await splitUp(meeting)
  const { body } = await byApp.send('GET', '/api/meeting/me?tpClientOnly=true')
  assert.deepEqual(
    body.meetingDetails.map(({ _id }: Meeting) => _id).toSorted(),
    [meeting._id, next._id].toSorted(),
    'although the host split it in person',
  )
  const changing = await tokensFor(app, planner, alice, { scopes: ['meeting:update'], clock })
  const answer = await split(
    next,
    { occurrence: '2030-02-04T09:00:00Z' },
    { person: { ...alice, send: appSender(changing.access_token) } },
  )
  assert.deepEqual([answer.status, answer.body.code], [403, 'insufficient_scope'])
})

const appSender =
  (token: string): Person['send'] =>
  (method, path, body, headers) =>
    sendRequest(app, method, path, body, { authorization: `Bearer ${token}`, ...headers })

test('both mails count as invitations of the day', async () => {
  const limited = await startApp({ clock, emails: 'dropped' })
  const people = await meetPeople(limited)
  const guests = ['one', 'two', 'three', 'four'].map((name) => `${name}@elsewhere.example`)
  const meeting = await schedule(people.alice, mondays({ participants: guests }))
  // Of 200 on the first day; a split mails each of four guests twice.
  const spend = (mails: number) =>
    limited.pool.query(
      `insert into guest_mail (id, email_key, meeting_id, kind, sequence, state_sequence, sender_id, started_at, outcome)
      select gen_random_uuid(), 'guest' || n, $1, 'invitation', 0, 0, $2, $3, 'sent' from generate_series(1, $4::integer) as n`,
      [meeting._id, people.alice.profile._id, clock.now(), mails],
    )
  await limited.pool.query('update guest_delivery set pending = false, held_sequence = 0')
  await spend(193)
  const answer = await split(meeting, {}, { person: people.alice })
  assert.deepEqual([answer.status, answer.body.code], [429, 'too_many_invitations'])
  const { body } = await people.alice.send('GET', detailsPath(meeting))
  assert.deepEqual([body[0].__v, body[0].continuedBy], [0, null])
  assert.equal((await split(meeting, { participants: guests.slice(0, 3) }, { person: people.alice })).status, 200)
})
