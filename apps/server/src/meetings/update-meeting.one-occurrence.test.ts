import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, meetUsers, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const start = '2030-01-01T00:00:00Z'
const { app, clock, olga } = await useApp({ start, emails: 'dropped', environment: { RATE_LIMITS: 'off' } })
const { alice, bob, carol, mallory } = await meetUsers(app)

/** Mondays at 09:00 in London, for half an hour, from 7 January 2030, three times. */
const mondays = (changes: object = {}) =>
  standUp({
    repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], count: 3, timeZone: 'BST' },
    advancedOptions: { waitingRoom: true },
    participants: [bob.email, 'dave@example.org'],
    cohosts: [carol.email],
    reminderMinutes: 15,
    ...changes,
  })
const second = '2030-01-14T09:00:00Z'
const noon = { startTime: '2030-01-14T12:00:00Z', endTime: '2030-01-14T13:00:00Z' }
const singleEvent = { editOptions: { singleEvent: true } }

type Meeting = { _id: string }
const occurrencePath = (meeting: Meeting) => `${detailsPath(meeting)}/occurrences/${encodeURIComponent(second)}`
const updatePath = (meeting: Meeting, occurrence?: string) =>
  detailsPath(meeting) + (occurrence === undefined ? '' : `?occurrence=${encodeURIComponent(occurrence)}`)
const readOf = async (meeting: Meeting) => (await alice.send('GET', detailsPath(meeting))).body[0]
type Sending = { occurrence?: string; person?: Person; headers?: Record<string, string> }

/** Send back the meeting as it was read, with changes, for one occurrence. */
async function update(meeting: Meeting, changes: object, sending: Sending = {}) {
  const { occurrence, person = alice, headers = {} } = sending
  const sent = { ...(await readOf(meeting)), ...singleEvent, ...changes }
  return person.send('PUT', updatePath(meeting, occurrence), sent, headers)
}

const occurrencesOf = async (meeting: Meeting) =>
  (await alice.send('GET', `${detailsPath(meeting)}/occurrences?limit=3`)).body.occurrences.map(
    ({ startTime, endTime, status, topic }: Record<string, string>) =>
      `${startTime?.slice(5, 16)}–${endTime?.slice(11, 16)} ${status}${topic === undefined ? '' : ` ${topic}`}`,
  )

test('changes the named occurrence, as the occurrence’s own endpoint does, and answers the meeting', async () => {
  const [meeting, other] = [await schedule(alice, mondays()), await schedule(alice, mondays())]
  const before = await readOf(meeting)
  const answer = await update(meeting, { ...noon, topic: 'Review' }, { occurrence: second })
  await expectOk(answer)
  const { modifiedOn: _, ...series } = before
  for (const [field, value] of Object.entries(answer.body)) {
    if (field in series && field !== '__v') assert.deepEqual(value, series[field], field)
  }
  assert.deepEqual([answer.body.__v, answer.headers.get('etag')], [1, '"v1"'])
  assert.deepEqual([answer.body.restoredOccurrences, answer.body.removedOccurrences], [[], []])
  assert.deepEqual(answer.body.editOptions, { singleEvent: false })

  await alice.send('PUT', occurrencePath(other), { ...noon, topic: 'Review' })
  const expected = ['01-07T09:00–09:30 active', '01-14T12:00–13:00 changed Review', '01-21T09:00–09:30 active']
  assert.deepEqual(await occurrencesOf(meeting), expected)
  assert.deepEqual(await occurrencesOf(other), expected)
})

test('without a name it is the next occurrence that has not ended', async () => {
  const meeting = await schedule(alice, mondays())
  clock.set('2030-01-07T09:30:00Z')
  await expectOk(update(meeting, noon))
  clock.set(start)
  assert.deepEqual(await occurrencesOf(meeting), [
    '01-07T09:00–09:30 active',
    '01-14T12:00–13:00 changed',
    '01-21T09:00–09:30 active',
  ])
  clock.set('2030-01-22T00:00:00Z')
  await expectProblem(update(meeting, noon), 'meeting_over')
})

test('accepts what equals the series, in whatever form', async () => {
  const meeting = await schedule(alice, mondays())
  const { repeatOptions } = await readOf(meeting)
  const { count: _, ...withoutCount } = repeatOptions
  const equal = [
    {},
    { repeatOptions: { ...repeatOptions, endDate: null, timeZone: 'Europe/London', interval: 1 } },
    { repeatOptions: { ...withoutCount, timeZone: null } },
    { participants: ['DAVE@example.org', { email: bob.email }, alice.email], cohosts: undefined },
    { advancedOptions: {}, reminderMinutes: undefined },
    { advancedOptions: { waitingRoom: true, hostVideo: true } },
  ]
  for (const [index, changes] of equal.entries()) {
    const sent = { ...noon, topic: `Review ${index}`, ...changes }
    await expectOk(update(meeting, sent, { occurrence: second }))
    assert.equal((await occurrencesOf(meeting))[1], `01-14T12:00–13:00 changed Review ${index}`)
  }
  const unending = await schedule(
    alice,
    mondays({ repeatOptions: { repeat: 'daily', interval: 7, timeZone: 'Asia/Calcutta' } }),
  )
  const renamed = { repeat: 'daily', interval: 7, timeZone: 'Asia/Kolkata' }
  await expectOk(update(unending, { ...noon, repeatOptions: renamed }, { occurrence: second }))
})

test('the last occurrence may end after the series', async () => {
  const endDate = '2030-01-14T09:00:00Z'
  const meeting = await schedule(
    alice,
    mondays({ repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], endDate, timeZone: 'GMT' } }),
  )
  const later = { startTime: '2030-01-16T09:00:00Z', endTime: '2030-01-16T09:30:00Z' }
  await expectOk(update(meeting, later, { occurrence: second }))
  assert.equal((await occurrencesOf(meeting))[1], '01-16T09:00–09:30 changed')
})

test('refuses all that differs from the series at once, and changes nothing', async () => {
  const meeting = await schedule(alice, mondays())
  const { repeatOptions } = await readOf(meeting)
  const answer = await update(
    meeting,
    {
      startTime: '2030-01-21T09:00:00Z',
      endTime: '2030-01-21T09:30:00Z',
      participants: [bob.email],
      cohosts: [],
      advancedOptions: { waitingRoom: false },
      repeatOptions: { ...repeatOptions, daysOfWeek: [0, 1, 1, 0, 0, 0, 0], timeZone: 'Europe/Paris' },
      reminderMinutes: null,
    },
    { occurrence: second },
  )
  const ofSeries = [
    '/advancedOptions not_for_one_occurrence',
    '/cohosts not_for_one_occurrence',
    '/participants not_for_one_occurrence',
    '/reminderMinutes not_for_one_occurrence',
    '/repeatOptions not_for_one_occurrence',
    '/repeatOptions/timeZone not_for_one_occurrence',
  ]
  await expectProblem(answer, 'invalid_request', [...ofSeries, '/startTime not_between_neighbours'])
  const rules = [
    { ...repeatOptions, count: 2, endDate: null },
    { ...repeatOptions, endDate: '2030-02-05T00:00:00Z' },
    { ...repeatOptions, count: null, endDate: null },
    { ...repeatOptions, interval: 2 },
    { ...repeatOptions, repeat: 'none' },
  ]
  for (const rule of rules) {
    await expectProblem(update(meeting, { ...noon, repeatOptions: rule }, { occurrence: second }), 'invalid_request', [
      '/repeatOptions not_for_one_occurrence',
    ])
  }
  const participants = [bob.email, 'dave@example.org', 'eve@example.org']
  await expectProblem(
    update(meeting, { ...noon, participants, reminderMinutes: 0 }, { occurrence: second }),
    'invalid_request',
    ['/participants not_for_one_occurrence', '/reminderMinutes not_for_one_occurrence'],
  )
  assert.equal((await readOf(meeting)).__v, 0)
})

test('refuses malformed fields, and an occurrence that is not there or cannot be changed', async () => {
  const meeting = await schedule(alice, mondays())
  const malformed = { topic: ' ', endTime: '2030-01-14T11:00:00Z', participants: ['bob'], reminderMinutes: -1 }
  await expectProblem(update(meeting, { ...noon, ...malformed }, { occurrence: 'soon' }), 'invalid_request', [
    '/endTime not_after_start',
    '/occurrence bad_format',
    '/participants/0 bad_format',
    '/reminderMinutes out_of_range',
    '/topic too_short',
  ])
  await expectProblem(update(meeting, noon, { occurrence: '2030-01-15T09:00:00Z' }), 'occurrence_not_found')
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: second })
  await expectProblem(update(meeting, noon, { occurrence: second }), 'occurrence_cancelled')
  clock.set('2030-01-07T09:30:00Z')
  await expectProblem(update(meeting, noon, { occurrence: '2030-01-07T09:00:00Z' }), 'occurrence_over')
})

test('names no occurrence without singleEvent', async () => {
  const meeting = await schedule(alice, mondays())
  for (const changes of [{}, { editOptions: { singleEvent: false } }, { editOptions: {} }]) {
    await expectProblem(
      alice.send('PUT', updatePath(meeting, second), { ...mondays(), ...changes }),
      'invalid_request',
      ['/occurrence not_together'],
    )
  }
  assert.equal((await readOf(meeting)).__v, 0)
})

test('replaces a single meeting as a whole', async () => {
  const meeting = await schedule(alice, standUp())
  const daily = { repeat: 'daily', endDate: '2030-01-09T23:00:00Z', timeZone: 'GMT' }
  const sent = (changes: object) => standUp({ topic: 'Retro', participants: [carol.email], ...singleEvent, ...changes })
  const single = await expectOk(alice.send('PUT', updatePath(meeting, '2030-01-07T09:00:00Z'), sent({})))
  assert.deepEqual([single.topic, single.participants[0].email], ['Retro', carol.email])
  await expectProblem(alice.send('PUT', updatePath(meeting, second), sent({})), 'occurrence_not_found')
  const never = { repeatOptions: { ...daily, endDate: '2030-01-06T00:00:00Z' } }
  await expectProblem(alice.send('PUT', updatePath(meeting), sent(never)), 'invalid_request', [
    '/repeatOptions/endDate no_occurrence',
  ])
  assert.equal((await alice.send('PUT', updatePath(meeting), sent({ repeatOptions: daily }))).body.recur, true)
})

test('two updates of the same version: one is taken; a repeated key changes once', async () => {
  const meeting = await schedule(alice, mondays())
  const headers = { 'if-match': '"v0"' }
  const both = await Promise.all([
    update(meeting, { ...noon, topic: 'One' }, { occurrence: second, headers }),
    update(meeting, { ...noon, topic: 'Two' }, { occurrence: second, headers }),
  ])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412])
  await expectProblem(
    both.find(({ status }) => status === 412),
    'stale_version',
  )

  // Without a name, a retry must not change the occurrence after the one that has ended meanwhile.
  const retried = { ...mondays(), ...singleEvent, startTime: '2030-01-07T09:10:00Z', endTime: '2030-01-07T09:20:00Z' }
  const key = { 'idempotency-key': 'once' }
  clock.set('2030-01-07T08:00:00Z')
  const first = await expectOk(alice.send('PUT', updatePath(meeting), retried, key))
  clock.set('2030-01-07T09:21:00Z')
  const again = await alice.send('PUT', updatePath(meeting), retried, key)
  await expectProblem(alice.send('PUT', updatePath(meeting), { ...retried, topic: 'Other' }, key), 'key_reused')
  clock.set(start)
  await expectOk(again)
  assert.deepEqual(again.body, first)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal((await readOf(meeting)).__v, 2)
})

test('who may update the series may update its occurrence', async () => {
  const meeting = await schedule(alice, mondays())
  const statusAs = async (person: Person) =>
    (await update(meeting, { ...noon, topic: `By ${person.email}` }, { occurrence: second, person })).status
  assert.deepEqual(
    [await statusAs(mallory), await statusAs(bob), await statusAs(carol), await statusAs(olga)],
    [404, 403, 200, 403],
  )
  const [read] = (await olga.send('GET', detailsPath(meeting))).body
  const { topic, description, participants } = read
  const sent = { ...noon, topic, description, participants, cohosts: undefined }
  await expectOk(update(meeting, sent, { occurrence: second, person: olga }))
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.equal(await statusAs(alice), 409)
})

test('guests get the mail that the occurrence’s own endpoint sends; quietly nothing', async () => {
  const meetings = [
    await schedule(alice, mondays({ cohosts: [], participants: [bob.email] })),
    await schedule(alice, mondays({ cohosts: [], participants: [bob.email] })),
  ] as const
  await app.mails()
  clock.advance(3 * 60_000)
  await alice.send('PUT', occurrencePath(meetings[0]), { ...noon, topic: 'Review' })
  const [expected, ...others] = await app.mails()
  assert.ok(expected)
  assert.deepEqual(others, [])
  const body = { ...(await readOf(meetings[1])), ...singleEvent, ...noon, topic: 'Review' }
  await expectOk(
    alice.send('PUT', `${updatePath(meetings[1], second)}&sendUpdates=none`, {
      ...body,
      topic: 'Quiet',
    }),
  )
  assert.deepEqual(await app.mails(), [])
  await expectOk(alice.send('PUT', updatePath(meetings[1], second), body))
  const [mail, ...more] = await app.mails()
  assert.deepEqual(more, [])
  assert.deepEqual([mail?.to, mail?.subject], [bob.email, expected.subject])
  const eventLines = (text = '') => text.match(/^(RECURRENCE-ID|DTSTART|DTEND|SUMMARY).*$/gm)?.toSorted()
  assert.deepEqual(eventLines(mail?.calendar?.text), eventLines(expected.calendar?.text))
  assert.ok(mail?.calendar?.text.includes('RECURRENCE-ID;TZID=Europe/London:20300114T090000'))
  assert.equal(mail?.calendar?.method, 'REQUEST')
})
