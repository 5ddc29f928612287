import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectOf } from '../../test/mailbox.ts'
import { cancelPath, detailsPath, meetUsers, type Person, schedule, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { useApp } from '../../test/use-app.ts'

const start = '2030-01-01T00:00:00Z'
const { app, clock } = await useApp({ start, environment: { RATE_LIMITS: 'off' } })
const { alice, bob } = await meetUsers(app)

type Meeting = { _id: string }

/** Mondays at 09:00 in London, for half an hour, from 7 January 2030. */
const rule = (changes: object = {}) => ({
  repeat: 'weekly',
  daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
  timeZone: 'Europe/London',
  ...changes,
})
const mondays = (changes: object = {}) => weekdays({ repeatOptions: rule(), participants: [bob.email], ...changes })
const [first, second, third, fourth] = ['07', '14', '21', '28'].map((day) => `2030-01-${day}T09:00:00Z`)

const cancelFollowing = (meeting: Meeting, occurrence: string | undefined, query = '', person: Person = alice) =>
  person.send('POST', `${cancelPath(meeting)}${query}`, { cancel: 'following', occurrence })
async function cancelled(meeting: Meeting, occurrence: string | undefined, query = '') {
  const body = await expectOk(cancelFollowing(meeting, occurrence, query))
  assert.deepEqual(body, { status: 'Your meetings have been cancelled successfully.' })
}
const read = async (meeting: Meeting, person: Person = alice) =>
  (await person.send('GET', detailsPath(meeting))).body[0]
const datesOf = async (meeting: Meeting) =>
  (
    await alice.send('GET', `${detailsPath(meeting)}/occurrences?from=${start}&limit=5&status=all`)
  ).body.occurrences.map(({ startTime, status }: Record<string, string>) => `${startTime?.slice(5, 10)} ${status}`)
/** The mails since the last look: subject, method and UNTIL. */
async function mailsOf(person: Person) {
  const mails = (await app.mails()).filter(({ to }) => to === person.email)
  return mails.map((mail) => [
    subjectOf(mail),
    /METHOD:(\w+)/.exec(mail.calendar?.text ?? '')?.[1],
    /UNTIL=(\w+)/.exec(mail.calendar?.text ?? '')?.[1],
  ])
}
const occurrencePath = (meeting: Meeting, occurrence: string | undefined) =>
  `${detailsPath(meeting)}/occurrences/${encodeURIComponent(occurrence ?? '')}`

test('this and all following dates are cancelled; earlier ones, and what was answered to them, stay', async () => {
  const meeting = await schedule(alice, mondays())
  await app.mails()
  for (const occurrence of [undefined, second, fourth]) {
    const answer = { response: 'accepted', occurrence }
    await expectOk(bob.send('POST', `${detailsPath(meeting)}/response`, answer))
  }
  clock.advance(3 * 60_000)
  await cancelled(meeting, third)
  const { status, __v, repeatOptions, participants } = await read(meeting)
  assert.deepEqual([status, __v, repeatOptions.endDate], ['active', 1, '2030-01-14T23:59:59.000Z'])
  assert.equal(participants[0].response, 'accepted')
  assert.deepEqual(await datesOf(meeting), ['01-07 active', '01-14 active'])
  assert.deepEqual(await mailsOf(bob), [['Changed: Stand-up', 'REQUEST', '20300114T090000Z']])
  await expectProblem(cancelFollowing(meeting, third), 'invalid_request', ['/occurrence no_such_occurrence'])

  const responses = 'select original_start from occurrence_response where meeting_id = $1'
  const { rows } = await app.pool.query(responses, [meeting._id])
  const answered = rows.map((row: { original_start: Date }) => row.original_start.toISOString().slice(5, 10))
  assert.deepEqual(answered, ['01-14'])
})

test('a later end of the series brings no cancelled or changed date back unseen', async () => {
  const meeting = await schedule(alice, mondays({ participants: [] }))
  await expectOk(alice.send('PUT', occurrencePath(meeting, fourth), { topic: 'Review' }))
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: third })
  await cancelled(meeting, third)
  assert.deepEqual(await datesOf(meeting), ['01-07 active', '01-14 active'])
  const stored = await app.pool.query(
    `select (select count(*)::integer from skipped_occurrence where meeting_id = $1) as skipped,
       (select count(*)::integer from changed_occurrence where meeting_id = $1) as changed,
       (select array_agg(local_date::text) from dropped_cancellation where meeting_id = $1) as dropped`,
    [meeting._id],
  )
  assert.deepEqual(stored.rows, [{ skipped: 0, changed: 0, dropped: ['2030-01-21'] }])
  const longer = await alice.send('PUT', detailsPath(meeting), mondays({ participants: [] }))
  assert.deepEqual(
    longer.body.restoredOccurrences.map(({ startTime }: { startTime: string }) => startTime.slice(5, 10)),
    ['01-21'],
    'the cancellation of that date is remembered',
  )
  assert.deepEqual((await datesOf(meeting)).slice(0, 4), [
    '01-07 active',
    '01-14 active',
    '01-21 active',
    '01-28 active',
  ])
})

for (const [name, occurrence] of [
  ['from the first date on', first],
  ['without a date, from the next one on', undefined],
] as const) {
  test(`${name}, the meeting is cancelled, and nothing of it stays in calendars`, async () => {
    const meeting = await schedule(alice, mondays())
    await app.mails()
    clock.advance(3 * 60_000)
    await cancelled(meeting, occurrence)
    assert.equal((await read(meeting)).status, 'cancelled')
    assert.deepEqual(await mailsOf(bob), [['Cancelled: Stand-up', 'CANCEL', undefined]])
    await cancelled(meeting, occurrence)
    assert.deepEqual(await app.mails(), [])
  })
}

test('where earlier dates were held and none of them is left, they stay in calendars', async () => {
  const meeting = await schedule(alice, mondays())
  await app.mails()
  clock.set('2030-01-14T09:30:00Z')
  await cancelled(meeting, third)
  assert.equal((await read(meeting)).status, 'cancelled')
  const [[, ...calendar] = []] = await mailsOf(bob)
  assert.equal(calendar[0], 'REQUEST')
  assert.match(calendar[1] ?? '', /^20300114T/)
})

test('while an earlier date is running, the series goes on with it alone', async () => {
  const meeting = await schedule(alice, mondays())
  clock.set('2030-01-14T09:29:59Z')
  await cancelled(meeting, third, '?sendUpdates=none')
  const { status, repeatOptions } = await read(meeting)
  assert.deepEqual([status, repeatOptions.endDate], ['active', '2030-01-14T23:59:59.000Z'])
  await app.mails()
})

test('refuses a date that the series has not, that is over, and that a later one has overtaken', async () => {
  const meeting = await schedule(alice, mondays({ participants: [] }))
  const expectRefusal = (occurrence: string | undefined, violation: string) =>
    expectProblem(cancelFollowing(meeting, occurrence), 'invalid_request', [`/occurrence ${violation}`])
  await expectRefusal('2030-01-15T09:00:00Z', 'no_such_occurrence')
  for (const [occurrence, startTime, endTime] of [
    [second, '2030-01-14T09:00:00Z', '2030-01-14T12:00:00Z'],
    [third, '2030-01-14T10:00:00Z', '2030-01-14T10:30:00Z'],
  ]) {
    await expectOk(alice.send('PUT', occurrencePath(meeting, occurrence), { startTime, endTime }))
  }
  clock.set('2030-01-14T10:00:00Z')
  await expectRefusal(third, 'occurrence_begun')
  await expectRefusal(first, 'occurrence_over')
  assert.equal((await read(meeting)).__v, 2)
})

test('a guest cannot; a stale version is refused; a retry with the same key cancels once', async () => {
  const meeting = await schedule(alice, mondays())
  await app.mails()
  await expectProblem(cancelFollowing(meeting, third, '', bob), 'forbidden')
  const body = { cancel: 'following', occurrence: third }
  const send = (headers: Record<string, string>) => alice.send('POST', cancelPath(meeting), body, headers)
  await expectProblem(send({ 'if-match': '"v1"' }), 'stale_version')
  for (const _ of [1, 2]) {
    const reply = await send({ 'if-match': '"v0"', 'idempotency-key': 'from the third on' })
    await expectOk(reply)
    assert.equal(reply.headers.get('etag'), '"v1"')
  }
  assert.equal((await read(meeting)).__v, 1)
  await app.mails()
})

test('a series with a count keeps the number of its earlier dates, and the next reminder is one of them', async () => {
  const meeting = await schedule(
    alice,
    mondays({ repeatOptions: rule({ count: 5 }), participants: [], reminderMinutes: 30 }),
  )
  await cancelled(meeting, second)
  const { repeatOptions } = await read(meeting)
  assert.deepEqual([repeatOptions.count, repeatOptions.endDate], [1, '2030-01-07T23:59:59.000Z'])
  const reminders = 'select occurrence from meeting_reminder where meeting_id = $1'
  const { rows } = await app.pool.query(reminders, [meeting._id])
  assert.deepEqual(
    rows.map(({ occurrence }: { occurrence: Date }) => occurrence.toISOString()),
    ['2030-01-07T09:00:00.000Z'],
  )
})
