import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourOf } from '@parley/rules/meetings/meeting-colour'
import { cancelPath, detailsPath, type Person, schedule, standUp, weekdays } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { clock, olga, meet } = await useApp({ emails: 'dropped', start: '2030-01-01T00:00:00Z' })

const january = 'fromDate=2030-01-01T00:00:00Z&toDate=2030-02-01T00:00:00Z'
const calendar = (person: Person, query = january, userId = 'me') =>
  person.send('GET', `/api/meeting/calendar/${userId}?${query}`)

type Shown = { topic: string; startTime: string; status: string; role: string; recur: boolean }
const linesOf = async (person: Person, query?: string) =>
  (await calendar(person, query)).body.occurrences.map(
    ({ topic, startTime, status, role }: Shown) =>
      `${startTime.slice(5, 16)} ${topic} ${role}${status === 'active' ? '' : ` ${status}`}`,
  )

const at = (day: string, hour = '09') => ({ startTime: `${day}T${hour}:00:00Z`, endTime: `${day}T${hour}:30:00Z` })
const weekly = (changes: object = {}) =>
  weekdays({
    repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
    ...changes,
  })

test('lists Alice’s month: single meetings and every date of her series, in order, with her role in them', async () => {
  const [alice, bob, carol, mallory] = await meet('Alice', 'Bob', 'Carol', 'Mallory')
  const review = await schedule(alice, weekly({ topic: 'Review', cohosts: [carol.email] }))
  await schedule(alice, standUp({ topic: 'Kick-off', ...at('2030-01-14', '08'), participants: [] }))
  await schedule(bob, standUp({ topic: 'One to one', ...at('2030-01-21'), participants: [alice.email] }))
  await schedule(bob, standUp({ topic: 'Not hers', ...at('2030-01-22'), participants: [] }))
  const expected = [
    '01-07T09:00 Review host',
    '01-14T08:00 Kick-off host',
    '01-14T09:00 Review host',
    '01-21T09:00 One to one participant',
    '01-21T09:00 Review host',
    '01-28T09:00 Review host',
  ]
  assert.deepEqual((await linesOf(alice)).toSorted(), expected)
  const { occurrences, moreAvailable } = (await calendar(alice)).body
  assert.deepEqual(occurrences[0], {
    meetingId: review._id,
    svcMeetId: review.svcMeetId,
    topic: 'Review',
    status: 'active',
    recur: true,
    role: 'host',
    colour: colourOf({ id: review._id, colourSeed: null, ownColour: null }),
    startTime: '2030-01-07T09:00:00.000Z',
    endTime: '2030-01-07T09:30:00.000Z',
    originalStartTime: '2030-01-07T09:00:00.000Z',
  })
  assert.equal(moreAvailable, false)
  assert.deepEqual((await linesOf(carol)).slice(0, 1), ['01-07T09:00 Review cohost'])
  assert.deepEqual((await linesOf(alice, `${january}&role=participant`)).length, 1)
  assert.equal((await linesOf(alice, `${january}&role=host`)).length, 5)
  assert.deepEqual(await linesOf(mallory), [])

  const limited = (await calendar(alice, `${january}&limit=2`)).body
  assert.deepEqual([limited.occurrences.length, limited.moreAvailable], [2, true])
  assert.deepEqual(limited.occurrences, occurrences.slice(0, 2))
  const all = (await calendar(alice, `${january}&limit=6`)).body
  assert.deepEqual([all.occurrences.length, all.moreAvailable], [6, false])
})

test('shows skipped dates and dates of a cancelled series when cancelled ones are requested', async () => {
  const [mallory] = await meet('Mallory')
  const series = await schedule(mallory, weekly({ topic: 'Course', participants: [] }))
  await mallory.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-14T09:00:00Z' })
  clock.set('2030-01-21T10:00:00Z')
  await mallory.send('POST', cancelPath(series), { cancel: 'all' })
  const gone = await schedule(mallory, standUp({ topic: 'Party', ...at('2030-01-30'), participants: [] }))
  await mallory.send('POST', cancelPath(gone), { cancel: 'all' })
  assert.deepEqual(await linesOf(mallory), ['01-07T09:00 Course host', '01-21T09:00 Course host'])
  assert.deepEqual(await linesOf(mallory, `${january}&status=all`), [
    '01-07T09:00 Course host',
    '01-14T09:00 Course host cancelled',
    '01-21T09:00 Course host',
    '01-28T09:00 Course host cancelled',
    '01-30T09:00 Party host cancelled',
  ])
})

test('includes meetings that overlap the range by a second on either side', async () => {
  const [host] = await meet('Alice')
  await schedule(host, standUp({ topic: 'Late', ...at('2030-01-09'), participants: [] }))
  const between = (from: string, to: string) => linesOf(host, `fromDate=${from}&toDate=${to}`)
  assert.equal((await between('2030-01-09T09:29:59Z', '2030-01-09T09:30:00Z')).length, 1)
  assert.equal((await between('2030-01-09T09:30:00Z', '2030-01-09T09:31:00Z')).length, 0)
  assert.equal((await between('2030-01-09T08:59:00Z', '2030-01-09T09:00:00Z')).length, 0)
  assert.equal((await between('2030-01-09T08:59:00Z', '2030-01-09T09:00:01Z')).length, 1)
})

test('lists a meeting that was added by its link, once', async () => {
  const [bob, carol] = await meet('Bob', 'Carol')
  const made = await schedule(bob, standUp({ topic: 'Open house', ...at('2030-01-25'), participants: [] }))
  await carol.send('POST', `/api/meeting/add/${made.svcMeetId}`, { pin: made.pin })
  assert.deepEqual(await linesOf(carol), ['01-25T09:00 Open house participant'])
  await bob.send(
    'PUT',
    detailsPath(made),
    standUp({ topic: 'Open house', ...at('2030-01-25'), participants: [carol.email] }),
  )
  assert.equal((await linesOf(carol)).length, 1)
})

test('says how the caller has answered each date, and nothing of it to the host or an administrator', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const review = await schedule(alice, weekly({ topic: 'Review', participants: [bob.email], cohosts: [carol.email] }))
  const answer = (person: Person, body: object) => person.send('POST', `${detailsPath(review)}/response`, body)
  const answersOf = async (person: Person, userId = 'me') =>
    (await calendar(person, january, userId)).body.occurrences.map(({ response }: { response?: string }) => response)
  assert.deepEqual(await answersOf(bob), ['none', 'none', 'none', 'none'])
  expectOk(await answer(bob, { response: 'accepted' }))
  expectOk(await answer(bob, { response: 'declined', occurrence: '2030-01-14T09:00:00Z' }))
  expectOk(await answer(carol, { response: 'tentative' }))
  assert.deepEqual(await answersOf(bob), ['accepted', 'declined', 'accepted', 'accepted'])
  assert.deepEqual((await answersOf(carol)).slice(0, 2), ['tentative', 'tentative'])
  assert.deepEqual((await answersOf(alice)).slice(0, 2), [undefined, undefined])
  assert.deepEqual(await answersOf(olga, bob.profile._id), [undefined, undefined, undefined, undefined])
})

test('returns five hundred events of a busy month in one reply', async () => {
  const [busy] = await meet('Mallory')
  const february = 'fromDate=2030-02-01T00:00:00Z&toDate=2030-03-01T00:00:00Z'
  for (let hour = 0; hour < 18; hour++) {
    const [start, end] = [
      `2030-02-01T${String(hour).padStart(2, '0')}:00:00Z`,
      `2030-02-01T${String(hour).padStart(2, '0')}:30:00Z`,
    ]
    const repeatOptions = { repeat: 'daily', timeZone: 'UTC' }
    await schedule(
      busy,
      standUp({ topic: `Daily ${hour}`, startTime: start, endTime: end, participants: [], repeatOptions }),
    )
  }
  const { occurrences, moreAvailable } = (await calendar(busy, february)).body
  assert.deepEqual([occurrences.length, moreAvailable], [500, true])
  const starts = occurrences.map(({ startTime }: Shown) => startTime)
  assert.deepEqual(starts, starts.toSorted())
  const whole = (await calendar(busy, `${february}&limit=1000`)).body
  assert.deepEqual([whole.occurrences.length, whole.moreAvailable], [504, false])
})

test('requires both ends, at most 100 days apart, and serves the caller’s calendar, or a colleague’s to an administrator', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  await expectProblem(calendar(alice, ''), 'invalid_request', ['/fromDate required', '/toDate required'])
  const expectViolations = (query: string, violations: readonly string[]) =>
    expectProblem(calendar(alice, query), 'invalid_request', violations)
  await expectOk(calendar(alice, 'fromDate=2030-01-01T00:00:00Z&toDate=2030-04-11T00:00:00Z'))
  await expectViolations('fromDate=2030-01-01T00:00:00Z&toDate=2030-04-11T00:00:01Z', ['/toDate too_long'])
  await expectViolations('fromDate=2030-01-02T00:00:00Z&toDate=2030-01-02T00:00:00Z&limit=1001', [
    '/limit too_large',
    '/toDate not_after_start',
  ])
  await expectViolations('fromDate=soon&toDate=later', ['/fromDate bad_format', '/toDate bad_format'])
  await expectProblem(calendar(bob, january, alice.profile._id), 'account_not_found')
  await schedule(alice, standUp({ topic: 'Review' }))
  const looked = (await calendar(olga, january, alice.profile._id)).body.occurrences
  assert.ok(looked.some(({ topic, role }: Shown) => topic === 'Review' && role === 'host'))
})
