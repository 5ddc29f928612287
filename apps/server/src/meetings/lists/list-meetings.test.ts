import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import {
  cancelPath,
  detailsPath,
  meetUsers,
  type Person,
  schedule,
  signUp,
  standUp,
  weekdays,
} from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, clock, olga } = await useApp({
  start: '2030-01-01T00:00:00Z',
  emails: 'dropped',
  environment: { TENANTS: 'elsewhere.example=Elsewhere' },
})
const { alice, bob } = await meetUsers(app)

/** A person whose list only this test writes to. */
let newcomers = 0
const newcomer = () => signUp(app, `Host${++newcomers}`)

async function list(person: Person, query = '', userId = 'me') {
  const body = await expectOk(person.send('GET', `/api/meeting/${userId}${query}`))
  return {
    topics: body.meetingDetails.map(({ topic }: { topic: string }) => topic),
    totalCount: body.totalCount,
    moreAvailable: body.moreAvailable,
    nextCursor: body.nextCursor,
  }
}

/** On the given day of January 2030, from 09:00 to 09:30. */
const onDay = (day: number, changes: object = {}) => {
  const date = `2030-01-${String(day).padStart(2, '0')}`
  return standUp({ topic: `Day ${day}`, startTime: `${date}T09:00:00Z`, endTime: `${date}T09:30:00Z`, ...changes })
}

test('returns meetings with the additional fields of lists', async () => {
  const host = await newcomer()
  const meeting = await schedule(host)
  const { body } = await host.send('GET', `/api/meeting/${host.profile._id}?tpClientOnly=true`)
  const { hostInfo, imageMeta, participants, nextOccurrence, ...rest } = body.meetingDetails[0]
  assert.equal(nextOccurrence.startTime, meeting.startTime)
  const picture = { baseurl: '', filePath: '', mOn: '2030-01-01T00:00:00.000Z', path: '' }
  assert.deepEqual({ ...rest, participants: meeting.participants }, meeting)
  assert.deepEqual(imageMeta, picture)
  assert.deepEqual(hostInfo, {
    _id: host.profile._id,
    name: host.profile.name,
    lname: 'Test',
    email: host.email,
    phoneNo: '',
    imageMeta: picture,
  })
  assert.deepEqual(participants, [{ ...meeting.participants[0], imageMeta: picture }])
  assert.deepEqual([body.totalCount, body.moreAvailable, body.nextCursor], [1, false, null])
})

test('pages by offset and by cursor, in both orders, without a gap or a repeat', async () => {
  const host = await newcomer()
  const days = [5, 3, 1, 4, 2, 3, 3]
  for (const day of days) await schedule(host, onDay(day))
  const sorted = days.toSorted().map((day) => `Day ${day}`)
  for (const [order, expected] of [
    ['asc', sorted],
    ['desc', sorted.toReversed()],
  ] as const) {
    const byOffset = []
    for (let offset = 0; offset < 8; offset += 2) {
      byOffset.push(...(await list(host, `?limit=2&order=${order}&offset=${offset}`)).topics)
    }
    assert.deepEqual(byOffset, expected)
    const byCursor = []
    for (let after = ''; ; ) {
      const page = await list(host, `?limit=2&order=${order}${after}`)
      byCursor.push(...page.topics)
      assert.equal(page.totalCount, 7)
      if (page.nextCursor === null) break
      after = `&after=${page.nextCursor}`
    }
    assert.deepEqual(byCursor, expected)
  }
})

test('a client that knows neither paging nor filters reads tomorrow, whatever it had before', async () => {
  const host = await newcomer()
  const past = Array.from({ length: 51 }, (_, index) => new Date(Date.UTC(2029, 9, 1 + index, 9)).toISOString())
  for (const startTime of past) {
    await schedule(host, standUp({ startTime, endTime: startTime.replace('T09:00', 'T09:30'), topic: startTime }))
  }
  await schedule(host, onDay(2))
  const page = await list(host, '?tpClientOnly=true')
  assert.deepEqual(page.topics, ['Day 2', ...past.toReversed().slice(0, 49)])
  assert.deepEqual([page.totalCount, page.moreAvailable], [52, true])
})

test('no meeting is left out or repeated while time passes between two pages', async () => {
  const host = await newcomer()
  for (const day of [2, 3, 4, 5]) await schedule(host, onDay(day, { topic: `Day ${day}` }))
  const seen: string[] = []
  let after = ''
  for (const at of ['2030-01-02T09:29:00Z', '2030-01-02T20:00:00Z', '2030-01-03T09:00:00Z', '2030-01-03T09:28:59Z']) {
    clock.set(at)
    const page = await list(host, `?limit=1${after}`)
    seen.push(...page.topics)
    after = `&after=${page.nextCursor}`
  }
  assert.deepEqual(seen, ['Day 2', 'Day 3', 'Day 4', 'Day 5'])
})

test('takes the cursor by the name of the reply’s field too, and refuses other names of paging', async () => {
  const host = await newcomer()
  for (const day of [1, 2, 3]) await schedule(host, onDay(day))
  const { nextCursor } = await list(host, '?limit=2')
  for (const name of ['after', 'cursor', 'nextCursor']) {
    assert.deepEqual((await list(host, `?limit=2&${name}=${nextCursor}`)).topics, ['Day 3'], name)
  }
  const expectRefusal = (query: string, violation: string) =>
    expectProblem(host.send('GET', `/api/meeting/me?${query}`), 'invalid_request', [violation])
  await expectRefusal('cursor=abc', '/after bad_format')
  for (const name of ['page', 'skip', 'start', 'per_page', 'page_token']) {
    await expectRefusal(`${name}=2`, `/${name} unknown_field`)
  }
  await expectRefusal(`after=${nextCursor}&offset=1`, '/offset not_together')
  await expectOk(host.send('GET', '/api/meeting/me?foo=1'))
})

test('says whether a page is followed by another, on both sides of the limit', async () => {
  const host = await newcomer()
  for (const day of [1, 2, 3]) await schedule(host, onDay(day))
  assert.equal((await list(host, '?limit=2')).moreAvailable, true)
  assert.equal((await list(host, '?limit=3')).moreAvailable, false)
  assert.deepEqual((await list(host, '?limit=3&offset=3')).topics, [])
})

test('refuses limits out of bounds instead of clamping them', async () => {
  const expectViolations = (query: string, violations: readonly string[]) =>
    expectProblem(alice.send('GET', `/api/meeting/me${query}`), 'invalid_request', violations)
  await expectViolations('?limit=0', ['/limit too_small'])
  await expectViolations('?limit=201&offset=-1', ['/limit too_large', '/offset too_small'])
  await expectViolations('?limit=2&limit=3', ['/limit wrong_type'])
  await expectViolations('?past=maybe&role=guest&order=up', [
    '/order not_allowed',
    '/past wrong_type',
    '/role not_allowed',
  ])
  await expectViolations('?fromDate=2030-01-01', ['/fromDate bad_format'])
  const forged = (text: string) => `?after=${Buffer.from(text).toString('base64url')}`
  for (const after of [
    '?after=abc',
    '?after=',
    forged('0.'.padEnd(38, '-')),
    forged(`-999999999999999.${alice.profile._id}`),
  ]) {
    await expectViolations(after, ['/after bad_format'])
  }
  await expectViolations('?limit=0&after=abc&fromDate=x&toDate=y', [
    '/after bad_format',
    '/fromDate bad_format',
    '/limit too_small',
    '/toDate bad_format',
  ])
  await expectViolations(`?q=${'x'.repeat(251)}`, ['/q too_long'])
  await expectOk(alice.send('GET', `/api/meeting/me?limit=200&q=${'x'.repeat(250)}`))
})

test('lists a meeting for host and participant under their roles', async () => {
  const host = await newcomer()
  const guest = await newcomer()
  await schedule(host, onDay(1, { participants: [guest.email.toUpperCase()] }))
  await schedule(guest, onDay(2, { participants: [] }))
  const topics = async (role: string) => (await list(guest, `?role=${role}`)).topics
  assert.deepEqual(await topics('all'), ['Day 1', 'Day 2'])
  assert.deepEqual(await topics('host'), ['Day 2'])
  assert.deepEqual(await topics('participant'), ['Day 1'])
  for (const role of ['all', 'host', 'participant']) {
    const { totalCount, topics: shown } = await list(guest, `?role=${role}`)
    assert.equal(totalCount, shown.length)
  }
})

test('omits cancelled meetings unless they are requested', async () => {
  const host = await newcomer()
  const guest = await newcomer()
  const meetings = []
  for (const day of [1, 2, 3]) meetings.push(await schedule(host, onDay(day, { participants: [guest.email] })))
  await host.send('POST', cancelPath(meetings[1]), { cancel: 'all' })
  for (const person of [host, guest]) {
    assert.deepEqual(await list(person), {
      topics: ['Day 1', 'Day 3'],
      totalCount: 2,
      moreAvailable: false,
      nextCursor: null,
    })
    const cancelled = await list(person, '?status=cancelled')
    assert.deepEqual([cancelled.topics, cancelled.totalCount], [['Day 2'], 1])
    const all = await list(person, '?status=all')
    assert.deepEqual([all.topics.length, all.totalCount], [3, 3])
  }
})

test('lists meetings that are wholly over as past, and not a series with a future date', async () => {
  const host = await newcomer()
  await schedule(host, onDay(1))
  await schedule(
    host,
    onDay(2, { repeatOptions: { repeat: 'daily', endDate: '2030-01-09T00:00:00Z', timeZone: 'GMT' } }),
  )
  await schedule(host, onDay(20))
  await schedule(host, onDay(3, { topic: 'Open', repeatOptions: { repeat: 'daily', timeZone: 'GMT' } }))
  const topics = async (past: string) => (await list(host, `?past=${past}`)).topics
  clock.set('2030-01-08T09:29:59Z')
  assert.deepEqual(await topics('true'), ['Day 1'])
  assert.deepEqual(await topics('false'), ['Day 2', 'Open', 'Day 20'])
  clock.set('2030-01-08T09:30:00Z')
  assert.deepEqual(await topics('TRUE'), ['Day 1', 'Day 2'])
  assert.deepEqual(await topics('0'), ['Open', 'Day 20'])
  assert.deepEqual((await list(host, '?past')).topics, ['Day 1', 'Day 2'])
})

test('lists a series as past earlier when its last date is skipped', async () => {
  const host = await newcomer()
  const meeting = await schedule(host, weekdays())
  await host.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-25T09:00:00Z' })
  clock.set('2030-01-24T09:30:00Z')
  assert.equal((await list(host, '?past=true')).totalCount, 1)
})

test('a range includes meetings that overlap it, and a series when one of its dates does', async () => {
  const host = await newcomer()
  await schedule(host, onDay(9))
  await schedule(host, weekdays({ topic: 'Weekdays' }))
  const skipped = await schedule(host, weekdays({ topic: 'But Wednesdays' }))
  await host.send('POST', cancelPath(skipped), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' })
  const topics = async (from: string, to: string) => {
    const found = await list(host, `?fromDate=${from}&toDate=${to}`)
    assert.equal(found.totalCount, found.topics.length)
    return found.topics.toSorted()
  }
  assert.deepEqual(await topics('2030-01-09T00:00:00Z', '2030-01-10T00:00:00Z'), ['Day 9', 'Weekdays'])
  assert.deepEqual(await topics('2030-01-09T09:29:58Z', '2030-01-09T09:29:59Z'), ['Day 9', 'Weekdays'])
  assert.deepEqual(await topics('2030-01-09T09:30:00Z', '2030-01-10T09:00:00Z'), [])
  assert.deepEqual(await topics('2030-01-12T00:00:00Z', '2030-01-14T00:00:00Z'), [])
  assert.equal((await list(host, '?fromDate=2030-01-25T00:00:00Z')).totalCount, 2)
})

test('q searches the topic without regard to case, and treats no character as a wildcard', async () => {
  const host = await newcomer()
  for (const topic of ['Plan 100%', 'Plan 1000', 'a_b', 'axb', 'back\\slash', 'GRÜSSE'])
    await schedule(host, standUp({ topic }))
  const topics = async (q: string) => (await list(host, `?q=${encodeURIComponent(q)}`)).topics.toSorted()
  assert.deepEqual(await topics('PLAN'), ['Plan 100%', 'Plan 1000'])
  assert.deepEqual(await topics('100%'), ['Plan 100%'])
  assert.deepEqual(await topics('A_B'), ['a_b'])
  assert.deepEqual(await topics('\\'), ['back\\slash'])
  assert.deepEqual(await topics('grüsse'), ['GRÜSSE'])
  assert.equal((await list(host, '?q=plan')).totalCount, 2)
})

test("refuses another person's list, whether the person exists or not, except to an administrator", async () => {
  const meeting = await schedule(bob, standUp({ participants: [] }))
  for (const userId of [bob.profile._id, '00000000-0000-7000-8000-000000000000', 'nobody']) {
    await expectProblem(alice.send('GET', `/api/meeting/${userId}`), 'account_not_found')
  }
  await expectProblem(alice.send('GET', '/api/meeting/'), 'account_not_found')
  assert.equal((await list(olga, '?role=host', bob.profile._id)).totalCount, 1)
  await expectProblem(olga.send('GET', '/api/meeting/00000000-0000-7000-8000-000000000000'), 'account_not_found')
  await expectProblem(alice.send('GET', detailsPath(meeting)), 'meeting_not_found')
})

test('shows an administrator nothing of another organisation, even where a colleague is invited', async () => {
  const stranger = await signUp(app, 'Stranger', 'stranger@elsewhere.example')
  const guest = await newcomer()
  const meeting = await schedule(stranger, onDay(1, { topic: 'Elsewhere', participants: [guest.email] }))
  await schedule(alice, onDay(2, { participants: [guest.email] }))
  assert.deepEqual((await list(guest)).topics, ['Elsewhere', 'Day 2'])
  const seen = await list(olga, '', guest.profile._id)
  assert.deepEqual([seen.topics, seen.totalCount], [['Day 2'], 1])
  await expectProblem(olga.send('GET', detailsPath(meeting)), 'meeting_not_found')
  await expectProblem(olga.send('GET', `/api/meeting/${stranger.profile._id}`), 'account_not_found')
})

test('counts correctly after parallel creates and cancels', async () => {
  const host = await newcomer()
  const meetings = await Promise.all(Array.from({ length: 40 }, (_, index) => schedule(host, onDay(1 + (index % 28)))))
  await Promise.all(meetings.slice(0, 15).map((meeting) => host.send('POST', cancelPath(meeting), { cancel: 'all' })))
  assert.equal((await list(host)).totalCount, 25)
  assert.equal((await list(host, '?status=cancelled')).totalCount, 15)
  assert.equal((await list(host, '?status=all&role=host')).totalCount, 40)
})

/** A series from its first date on, with half-hour meetings. */
const weekly = (topic: string, startTime: string, changes: object = {}) =>
  standUp({
    topic,
    startTime,
    endTime: new Date(Date.parse(startTime) + 30 * 60_000).toISOString(),
    ...changes,
    repeatOptions: { repeat: 'weekly', daysOfWeek: [1, 1, 1, 1, 1, 1, 1], timeZone: 'GMT', ...Object(changes).rule },
  })
const onlyOn = (day: number) => ({ rule: { daysOfWeek: [0, 1, 2, 3, 4, 5, 6].map((one) => Number(one === day)) } })

type Listed = { nextOccurrence?: { originalStartTime: string } }

/** Read every page by its cursor. */
async function listAll(person: Person, query: string, limit = 2) {
  const topics = []
  for (let after = ''; ; ) {
    const page = await list(person, `?limit=${limit}${query}${after}`)
    topics.push(...page.topics)
    if (page.nextCursor === null) return topics
    after = `&after=${page.nextCursor}`
  }
}

test('lists future meetings by their next date, including a series that began years ago', async () => {
  const host = await newcomer()
  const guest = await newcomer()
  const people = { participants: [guest.email] }
  // 1 January 2030 is a Tuesday.
  await schedule(host, weekly('Mondays since 2027', '2027-01-04T09:00:00Z', { ...people, ...onlyOn(1) }))
  await schedule(host, onDay(2, { topic: 'Tomorrow', ...people }))
  await schedule(host, onDay(9, { topic: 'In a week', ...people }))
  const fridays = await schedule(host, weekly('Fridays', '2028-01-07T09:00:00Z', { ...people, ...onlyOn(5) }))
  await schedule(host, weekly('Over', '2029-01-05T09:00:00Z', { rule: { endDate: '2029-12-31T23:59:59Z' } }))
  await schedule(host, onDay(7, { topic: 'With Mondays', ...people }))
  const expected = ['Tomorrow', 'Fridays', 'Mondays since 2027', 'With Mondays', 'In a week']
  for (const person of [host, guest]) {
    assert.deepEqual((await list(person, '?past=false')).topics, expected)
    assert.deepEqual((await list(person, '?past=false&order=desc')).topics, expected.toReversed())
    assert.deepEqual((await list(person, '?past=false&offset=1&limit=2')).topics, expected.slice(1, 3))
    assert.deepEqual(await listAll(person, '&past=false'), expected)
    assert.deepEqual(await listAll(person, '&past=false&order=desc', 1), expected.toReversed())
    assert.equal((await list(person, '?past=false')).totalCount, 5)
  }
  const { body } = await guest.send('GET', '/api/meeting/me?past=false')
  const next = body.meetingDetails.map((meeting: { nextOccurrence: { startTime: string } }) => meeting.nextOccurrence)
  const onDayAtNine = (day: string) => ({
    startTime: `${day}T09:00:00.000Z`,
    endTime: `${day}T09:30:00.000Z`,
    originalStartTime: `${day}T09:00:00.000Z`,
    status: 'active',
  })
  assert.deepEqual(next.slice(0, 2), [onDayAtNine('2030-01-02'), onDayAtNine('2030-01-04')])

  // A cancelled date is not the next one; a running date still is.
  await host.send('POST', cancelPath(fridays), { cancel: 'current' })
  assert.deepEqual((await list(guest, '?past=false')).topics.at(-1), 'Fridays')
  clock.set('2030-01-07T09:29:59Z')
  assert.equal((await list(host, '?past=false')).topics[0], 'Mondays since 2027')
  clock.set('2030-01-07T09:30:00Z')
  assert.deepEqual((await list(host, '?past=false')).topics, ['In a week', 'Fridays', 'Mondays since 2027'])
})

test('a next date that is months ahead is the changed one, and a cancelled one is none', async () => {
  const host = await newcomer()
  // The first of each is three months ahead.
  const moved = await schedule(host, weekly('Moved', '2030-04-05T09:00:00Z', onlyOn(5)))
  const cancelled = await schedule(host, weekly('Cancelled', '2030-04-03T09:00:00Z', onlyOn(3)))
  // What a list has found of a series does not outlive a change of it.
  assert.deepEqual((await list(host, '?past=false')).topics, ['Cancelled', 'Moved'])
  const path = `${detailsPath(moved)}/occurrences/${encodeURIComponent('2030-04-05T09:00:00Z')}`
  const times = { startTime: '2030-04-08T09:00:00Z', endTime: '2030-04-08T10:00:00Z' }
  await expectOk(host.send('PUT', path, times))
  const occurrence = '2030-04-03T09:00:00Z'
  await expectOk(host.send('POST', cancelPath(cancelled), { cancel: 'current', occurrence }))
  const { body } = await host.send('GET', '/api/meeting/me?past=false')
  const next = body.meetingDetails.map((meeting: { topic: string; nextOccurrence: { startTime: string } }) => [
    meeting.topic,
    meeting.nextOccurrence.startTime,
  ])
  assert.deepEqual(next, [
    ['Moved', '2030-04-08T09:00:00.000Z'],
    ['Cancelled', '2030-04-10T09:00:00.000Z'],
  ])
  // Another instance changes the series as it does here: only the database says that it has.
  await sql`update meeting set version = version + 1, recurrence = recurrence || '{"daysOfWeek": [0, 0, 0, 0, 1, 0, 0]}'
    where id = ${cancelled._id}`.execute(app.database)
  assert.deepEqual((await list(host, '?past=false')).topics, ['Cancelled', 'Moved'])
})

test('lists what is ahead by its next date, then what is over by its last date; in one order where one is named', async () => {
  const host = await newcomer()
  const guest = await newcomer()
  const people = { participants: [guest.email] }
  await schedule(
    host,
    weekly('Long series', '2028-12-01T09:00:00Z', { ...people, rule: { endDate: '2029-12-20T23:00:00Z' } }),
  )
  await schedule(
    host,
    standUp({ topic: 'Spring', startTime: '2029-04-01T09:00:00Z', endTime: '2029-04-01T10:00:00Z', ...people }),
  )
  await schedule(
    host,
    standUp({ topic: 'Christmas', startTime: '2029-12-25T09:00:00Z', endTime: '2029-12-25T10:00:00Z', ...people }),
  )
  // 1 January 2030 is a Tuesday.
  await schedule(host, weekly('Open', '2027-01-05T09:00:00Z', { ...people, ...onlyOn(2) }))
  await schedule(host, onDay(2, { topic: 'Tomorrow', ...people }))
  for (const person of [host, guest]) {
    const all = ['Open', 'Tomorrow', 'Christmas', 'Long series', 'Spring']
    for (const limit of [1, 2, 3, 4, 5, 6]) assert.deepEqual(await listAll(person, '', limit), all, `${limit} a page`)
    for (let offset = 0; offset <= 6; offset++) {
      for (const limit of [1, 3, 6]) {
        const page = await list(person, `?offset=${offset}&limit=${limit}`)
        assert.deepEqual(page.topics, all.slice(offset, offset + limit), `${limit} from ${offset}`)
        assert.deepEqual([page.totalCount, page.moreAvailable], [5, offset + limit < 5])
      }
    }
    const byStart = ['Spring', 'Long series', 'Christmas', 'Open', 'Tomorrow']
    assert.deepEqual(await listAll(person, '&order=asc', 1), byStart)
    assert.deepEqual(await listAll(person, '&order=desc'), byStart.toReversed())
    assert.deepEqual((await list(person, '?q=s')).topics, ['Christmas', 'Long series', 'Spring'])
    const range = 'fromDate=2029-12-21T00:00:00Z&toDate=2030-01-10T00:00:00Z'
    assert.deepEqual(await listAll(person, `&${range}`, 1), ['Open', 'Tomorrow', 'Christmas'])
    assert.deepEqual((await list(person, `?${range}&offset=2`)).topics, ['Christmas'])
    assert.equal((await list(person, `?${range}&limit=1`)).totalCount, 3)
    assert.deepEqual(await listAll(person, `&${range}&order=desc`, 1), ['Tomorrow', 'Open', 'Christmas'])
    const { body } = await person.send('GET', '/api/meeting/me')
    assert.deepEqual(
      body.meetingDetails.map(({ nextOccurrence }: Listed) => nextOccurrence?.originalStartTime.slice(0, 10)),
      ['2030-01-01', '2030-01-02', undefined, undefined, undefined],
    )
    assert.deepEqual(await listAll(person, '&past=true&order=desc', 1), ['Christmas', 'Long series', 'Spring'])
    assert.deepEqual(await listAll(person, '&past=true', 1), ['Spring', 'Long series', 'Christmas'])
  }
})

test('without past, a cancelled series is listed by what was held, and a series that is over by its last date', async () => {
  const host = await newcomer()
  const series = await schedule(host, weekly('Cancelled', '2029-11-01T09:00:00Z'))
  await schedule(host, onDay(3, { topic: 'Day 3' }))
  await schedule(host, onDay(1, { topic: 'Day 1' }))
  clock.set('2030-01-02T12:00:00Z')
  await host.send('POST', cancelPath(series), { cancel: 'all' })
  const { body } = await host.send('GET', '/api/meeting/me?status=all')
  assert.deepEqual(
    body.meetingDetails.map(({ topic, nextOccurrence }: Listed & { topic: string }) => [
      topic,
      nextOccurrence !== undefined,
    ]),
    [
      ['Day 3', true],
      ['Cancelled', false],
      ['Day 1', false],
    ],
  )
})

test('neither repeats nor omits a series that moves to its next date between two pages', async () => {
  const host = await newcomer()
  await schedule(host, weekly('Daily', '2029-12-01T09:00:00Z'))
  for (const day of [1, 2, 3])
    await schedule(host, onDay(day, { startTime: `2030-01-0${day}T12:00:00Z`, endTime: `2030-01-0${day}T13:00:00Z` }))
  const first = await list(host, '?past=false&limit=1')
  assert.deepEqual(first.topics, ['Daily'])
  const all = await list(host, '?limit=1')
  clock.set('2030-01-01T09:30:00Z')
  const rest = await list(host, `?past=false&after=${first.nextCursor}`)
  assert.deepEqual(rest.topics, ['Day 1', 'Day 2', 'Day 3'])
  assert.deepEqual((await list(host, `?after=${all.nextCursor}`)).topics, ['Day 1', 'Day 2', 'Day 3'])
  assert.deepEqual((await list(host, '?past=false')).topics, ['Day 1', 'Daily', 'Day 2', 'Day 3'])
  // After a day the remaining pages are computed anew.
  clock.set('2030-01-02T14:00:00Z')
  assert.deepEqual((await list(host, `?past=false&after=${first.nextCursor}`)).topics, ['Daily', 'Day 3'])
})

test('keeps the order of future meetings under every filter, and lists a series that became a single meeting as such', async () => {
  const host = await newcomer()
  const guest = await newcomer()
  const series = await schedule(
    host,
    weekly('Plan A', '2029-01-05T09:00:00Z', { participants: [guest.email], ...onlyOn(5) }),
  )
  await schedule(host, weekly('Other', '2029-01-01T09:00:00Z'))
  await schedule(host, onDay(3, { topic: 'Plan B', participants: [guest.email] }))
  assert.deepEqual((await list(host, '?past=false&q=plan')).topics, ['Plan B', 'Plan A'])
  assert.deepEqual((await list(guest, '?past=false&role=participant')).topics, ['Plan B', 'Plan A'])
  assert.deepEqual((await list(guest, '?past=false&role=host')).topics, [])
  const week = 'fromDate=2030-01-04T00:00:00Z&toDate=2030-01-05T00:00:00Z'
  assert.deepEqual((await list(host, `?past=false&${week}`)).topics, ['Other', 'Plan A'])
  assert.deepEqual((await list(host, '?past=false&status=cancelled')).topics, [])

  const single = onDay(2, { topic: 'Plan A', participants: [guest.email] })
  await expectOk(host.send('PUT', detailsPath(series), single))
  assert.deepEqual((await list(guest, '?past=false')).topics, ['Plan A', 'Plan B'])
  await expectOk(
    host.send(
      'PUT',
      detailsPath(series),
      weekly('Plan A', '2029-01-05T09:00:00Z', { participants: [guest.email], ...onlyOn(5) }),
    ),
  )
  assert.deepEqual((await list(guest, '?past=false')).topics, ['Plan B', 'Plan A'])
})

test('a page ends early where its participants make it large, says so, and goes on by cursor and by offset', async () => {
  const host = await newcomer()
  for (let day = 1; day <= 8; day++) {
    const { _id: id } = await schedule(host, onDay(day, { participants: [] }))
    // More than a new account may invite on a day.
    await sql`insert into participant (meeting_id, email_key, email, position, invited, cohost, starts_at,
        meeting_recurring)
      select id, 'guest' || n || '@example.com', 'guest' || n || '@example.com', n, true, false, starts_at, recurring
      from meeting, generate_series(1, 1000) as n where id = ${id}`.execute(app.database)
  }
  const topics = Array.from({ length: 8 }, (_, at) => `Day ${at + 1}`)
  for (const order of ['', '&order=asc']) {
    const [byCursor, byOffset, sizes]: [string[], string[], number[]] = [[], [], []]
    for (let after = ''; ; ) {
      const page = await list(host, `?limit=100${order}${after}`)
      sizes.push(page.topics.length)
      byCursor.push(...page.topics)
      assert.deepEqual([page.totalCount, page.moreAvailable], [8, page.nextCursor !== null])
      if (page.nextCursor === null) break
      after = `&after=${page.nextCursor}`
    }
    // 220 KB each: the fifth reaches the limit.
    assert.deepEqual(sizes, [5, 3])
    while (byOffset.length < 8)
      byOffset.push(...(await list(host, `?limit=100${order}&offset=${byOffset.length}`)).topics)
    assert.deepEqual(byCursor, topics)
    assert.deepEqual(byOffset, topics)
  }
  // Each of them is whole.
  const { body } = await host.send('GET', `/api/meeting/me?limit=1`)
  assert.equal(body.meetingDetails[0].participants.length, 1000)
  const exact = await list(host, '?limit=5')
  assert.deepEqual([exact.topics.length, exact.moreAvailable], [5, true])
})
