import assert from 'node:assert/strict'
import { test } from 'node:test'
import { colourOf } from '@parley/rules/meetings/meeting-colour'
import { cancelPath, detailsPath, type Person, schedule, sendRequest, standUp, weekdays } from '../../../test/people.ts'
import { expectOk, expectProblem } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { app, clock, meet } = await useApp({ emails: 'dropped', start: '2030-01-07T08:00:00Z' })

type Listed = {
  meetingId: string
  topic: string
  startTime: string
  originalStartTime: string
  status: string
  role: string
  response?: string
  room?: string
}
const agenda = (person: Person, query = '') => expectOk(person.send('GET', `/api/meeting/agenda?${query}`))
const linesOf = async (person: Person, query?: string): Promise<string[]> =>
  (await agenda(person, query)).dates.map(
    ({ topic, startTime, response, room }: Listed) =>
      `${startTime.slice(5, 16)} ${[topic, response, room].filter((one) => one !== undefined).join(' ')}`,
  )
/** All lines, read page by page. */
async function allLinesOf(person: Person, query: string, pages: number): Promise<string[]> {
  const lines: string[] = []
  let after = ''
  for (let page = 0; page < pages; page++) {
    const { dates, nextCursor } = await agenda(person, `${query}${after}`)
    lines.push(...dates.map(({ topic, startTime }: Listed) => `${startTime.slice(5, 16)} ${topic}`))
    if (nextCursor === null) break
    after = `&after=${nextCursor}`
  }
  return lines
}

const at = (day: string, hour = '09', minutes = 30) => ({
  startTime: `${day}T${hour}:00:00Z`,
  endTime: `${day}T${hour}:${minutes}:00Z`,
})
const alone = { participants: [] }
const forever = { repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' } }

test('lists a series on each of its dates among single meetings, page by page and without an end', async () => {
  const [alice] = await meet('Alice')
  await schedule(alice, standUp({ topic: 'Weekly', ...forever, ...alone }))
  await schedule(alice, standUp({ topic: 'Single', ...at('2030-01-14', '08'), ...alone }))
  await schedule(alice, standUp({ topic: 'Twin', ...at('2030-01-14', '09'), ...alone }))
  const first = ['01-07T09:00 Weekly', '01-14T08:00 Single', '01-14T09:00 Twin', '01-14T09:00 Weekly']
  assert.deepEqual((await allLinesOf(alice, 'limit=30', 1)).slice(0, 4).toSorted(), first.toSorted())
  const whole = await allLinesOf(alice, 'limit=30', 3)
  assert.equal(whole.length, 90)
  assert.equal(whole.at(-1), '09-08T09:00 Weekly')
  for (const limit of [1, 2, 3]) {
    assert.deepEqual(await allLinesOf(alice, `limit=${limit}`, Math.ceil(12 / limit)), whole.slice(0, 12))
  }
})

test('leaves out cancelled dates, and shows changed ones where they are', async () => {
  const [alice] = await meet('Alice')
  const series = await schedule(alice, weekdays({ topic: 'Course', ...alone }))
  await expectOk(alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-08T09:00:00Z' }))
  const change = { topic: 'Moved', ...at('2030-01-09', '15') }
  await expectOk(alice.send('PUT', `${detailsPath(series)}/occurrences/2030-01-09T09:00:00.000Z`, change))
  const { dates } = await agenda(alice, 'limit=4')
  assert.deepEqual(
    dates.map(({ topic, startTime, originalStartTime, status }: Listed) => [
      startTime.slice(5, 16),
      originalStartTime.slice(5, 16),
      topic,
      status,
    ]),
    [
      ['01-07T09:00', '01-07T09:00', 'Course', 'active'],
      ['01-09T15:00', '01-09T09:00', 'Moved', 'changed'],
      ['01-10T09:00', '01-10T09:00', 'Course', 'active'],
      ['01-11T09:00', '01-11T09:00', 'Course', 'active'],
    ],
  )
})

test('names what a row shows: host, people, the PIN, and the reader’s answer to the date', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const participants = [bob.email, 'one@elsewhere.example', 'two@elsewhere.example', 'three@elsewhere.example']
  const series = await schedule(alice, standUp({ topic: 'Review', participants, ...forever }))
  await expectOk(bob.send('POST', `${detailsPath(series)}/response`, { response: 'accepted' }))
  const answer = { response: 'declined', occurrence: '2030-01-14T09:00:00.000Z' }
  await expectOk(bob.send('POST', `${detailsPath(series)}/response`, answer))
  await expectOk(carol.send('POST', `/api/meeting/add/${series.svcMeetId}`, { pin: series.pin }))
  const firstOf = async (person: Person) => (await agenda(person, 'limit=2')).dates[0]
  const common = {
    meetingId: series._id,
    svcMeetId: series.svcMeetId,
    pin: series.pin,
    topic: 'Review',
    startTime: '2030-01-07T09:00:00.000Z',
    endTime: '2030-01-07T09:30:00.000Z',
    originalStartTime: '2030-01-07T09:00:00.000Z',
    status: 'active',
    recur: true,
    repeat: 'weekly',
    interval: 1,
    colour: colourOf({ id: series._id, colourSeed: null, ownColour: null }),
    host: 'Alice Test',
  }
  assert.deepEqual(await firstOf(alice), {
    ...common,
    role: 'host',
    people: ['Bob Test', 'one@elsewhere.example', 'two@elsewhere.example'],
    peopleCount: 4,
    invited: false,
  })
  assert.deepEqual(await firstOf(bob), {
    ...common,
    role: 'participant',
    people: ['one@elsewhere.example', 'two@elsewhere.example', 'three@elsewhere.example'],
    peopleCount: 3,
    invited: true,
    response: 'accepted',
  })
  const added = { ...common, role: 'participant', people: [], peopleCount: 0, invited: false }
  assert.deepEqual(await firstOf(carol), added, 'who came by a link does not see who is invited')
  assert.deepEqual(await linesOf(bob, 'limit=2'), ['01-07T09:00 Review accepted', '01-14T09:00 Review declined'])
})

test('lists what is not answered once, with its count, until it is answered', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const invited = { participants: [bob.email] }
  const series = await schedule(alice, standUp({ topic: 'Series', ...forever, ...invited }))
  const single = await schedule(alice, standUp({ topic: 'Single', ...at('2030-01-09'), ...invited }))
  await schedule(alice, standUp({ topic: 'Soon', ...at('2030-01-08'), ...invited }))
  const gone = await schedule(alice, standUp({ topic: 'Gone', ...at('2030-01-08', '10'), ...invited }))
  await expectOk(alice.send('POST', cancelPath(gone), { cancel: 'all' }))
  const unanswered = async () => {
    const { totalCount } = await agenda(bob, 'list=invitations')
    return [totalCount, ...(await linesOf(bob, 'list=invitations'))]
  }
  assert.deepEqual(await unanswered(), [3, '01-07T09:00 Series', '01-08T09:00 Soon', '01-09T09:00 Single'])
  assert.deepEqual(await allLinesOf(bob, 'list=invitations&limit=1', 9), [
    '01-07T09:00 Series',
    '01-08T09:00 Soon',
    '01-09T09:00 Single',
  ])
  for (const meeting of [series, single]) {
    await expectOk(bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative' }))
  }
  assert.deepEqual(await unanswered(), [1, '01-08T09:00 Soon'])
  clock.set('2030-01-08T09:30:00Z')
  assert.deepEqual(await unanswered(), [0])
  assert.deepEqual(await linesOf(alice, 'list=invitations'), [])
})

test('lists the dates that took place latest first, those of a cancelled series until it was cancelled', async () => {
  const [alice] = await meet('Alice')
  const series = await schedule(alice, weekdays({ topic: 'Course', ...alone }))
  await schedule(alice, standUp({ topic: 'Single', ...at('2030-01-08', '10'), ...alone }))
  const other = await schedule(alice, standUp({ topic: 'Never', ...at('2030-01-08', '11'), ...alone }))
  await expectOk(alice.send('POST', cancelPath(other), { cancel: 'all' }))
  await expectOk(alice.send('POST', cancelPath(series), { cancel: 'current', occurrence: '2030-01-09T09:00:00Z' }))
  clock.set('2030-01-10T09:29:59Z')
  const before = ['01-08T10:00 Single', '01-08T09:00 Course', '01-07T09:00 Course']
  assert.deepEqual(await linesOf(alice, 'list=past'), before, 'the one of the tenth is running')
  clock.set('2030-01-10T12:00:00Z')
  await expectOk(alice.send('POST', cancelPath(series), { cancel: 'all' }))
  clock.set('2030-01-18T12:00:00Z')
  const past = ['01-10T09:00 Course', ...before]
  assert.deepEqual(await linesOf(alice, 'list=past'), past)
  for (const limit of [1, 2, 3]) assert.deepEqual(await allLinesOf(alice, `list=past&limit=${limit}`, 9), past)
  assert.deepEqual(await linesOf(alice), [])
  const cancelled = await agenda(alice, 'list=cancelled')
  assert.deepEqual(cancelled.dates.map(({ topic, status }: Listed) => `${topic} ${status}`).toSorted(), [
    'Course cancelled',
    'Never cancelled',
  ])
  assert.equal(cancelled.totalCount, 2)
  assert.equal((await allLinesOf(alice, 'list=cancelled&limit=1', 9)).length, 2)
})

test('lists a cancelled series at the first day that its rule selects', async () => {
  const [alice] = await meet('Alice')
  // Begins on a Monday, takes place on Wednesdays.
  const repeatOptions = { repeat: 'weekly', daysOfWeek: [0, 0, 0, 1, 0, 0, 0], timeZone: 'GMT' }
  const series = await schedule(alice, standUp({ topic: 'Course', repeatOptions, ...alone }))
  await expectOk(alice.send('POST', cancelPath(series), { cancel: 'all' }))
  assert.deepEqual(await linesOf(alice, 'list=cancelled'), ['01-09T09:00 Course'])
})

test('finds meetings by topic, and by the name or address of a person whom the reader may see', async () => {
  const [alice, bob, carol, dora] = await meet('Alice', 'Bob', 'Carol', 'Dora')
  const participants = [bob.email, 'guest@elsewhere.example']
  const review = await schedule(alice, standUp({ topic: '100% Review', participants }))
  await schedule(alice, standUp({ topic: 'Course', ...forever, participants: [dora.email] }))
  await expectOk(carol.send('POST', `/api/meeting/add/${review.svcMeetId}`, { pin: review.pin }))
  const topics = async (person: Person, q: string, query = '') => [
    ...new Set((await linesOf(person, `q=${encodeURIComponent(q)}${query}`)).map((line) => line.slice(12))),
  ]
  assert.deepEqual(await topics(alice, 'revIEW'), ['100% Review'])
  assert.deepEqual(await topics(alice, '0% '), ['100% Review'])
  assert.deepEqual(await topics(alice, 'elsewhere.example'), ['100% Review'])
  assert.deepEqual(await topics(alice, 'dora te'), ['Course'])
  assert.deepEqual(await topics(bob, 'alice test'), ['100% Review'])
  assert.deepEqual(await topics(bob, 'guest@'), ['100% Review'])
  assert.deepEqual(await topics(bob, 'dora'), [])
  assert.deepEqual(await topics(carol, 'alice test'), ['100% Review'])
  for (const hidden of ['bob', 'guest@', alice.email]) {
    assert.deepEqual(
      await topics(carol, hidden),
      [],
      'a person who came by a link does not find it by people whom it hides from them',
    )
  }
  assert.deepEqual(await topics(dora, '', '&list=invitations'), ['Course'])
  assert.deepEqual(await topics(dora, 'review', '&list=invitations'), [])
  assert.deepEqual(await topics(alice, 'dora', '&role=participant'), [])
  clock.set('2030-01-07T12:00:00Z')
  assert.deepEqual(await topics(alice, 'guest@', '&list=past'), ['100% Review'])
  assert.deepEqual(await topics(alice, 'dora', '&list=past'), ['Course'])
})

test('finds meetings by words of their description, of those that the reader may read, and says so', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const described = {
    participants: [bob.email],
    description: 'Agenda:\n- Überblick über das Projekt_Nordlicht, 90% fertig',
  }
  await schedule(alice, standUp({ topic: 'Café', ...described }))
  await schedule(alice, standUp({ topic: 'Nordlicht', ...forever, ...described }))
  const found = async (person: Person, q: string, query = '') => {
    const { dates }: { dates: (Listed & { foundInDescription?: true })[] } = await agenda(
      person,
      `q=${encodeURIComponent(q)}${query}`,
    )
    return [...new Set(dates.map((date) => `${date.topic}${date.foundInDescription ? ' *' : ''}`))].sort()
  }
  const both = ['Café *', 'Nordlicht *']
  for (const q of ['überb', 'UBERBLICK projekt', 'fertig uber', '90', 'u\u0308berblick']) {
    assert.deepEqual(await found(alice, q), both, q)
    assert.deepEqual(await found(bob, q), both, q)
  }
  assert.deepEqual(await found(alice, 'nordl'), ['Café *', 'Nordlicht'])
  assert.deepEqual(await found(alice, 'cafe fertig'), ['Café *'])
  for (const q of ['berblick', 'ordlicht, 90', 'fertig nothing', '_', '%%', '\\', "'\\\\", '(q+)+$', 'x'.repeat(250)]) {
    assert.deepEqual(
      (await found(alice, q)).filter((topic) => topic.endsWith('*')),
      [],
      q,
    )
  }
  await expectProblem(alice.send('GET', `/api/meeting/agenda?q=${'x'.repeat(300)}`), 'invalid_request')
  assert.deepEqual(await found(carol, 'projekt'), [], 'a person who is not invited finds nothing')
  assert.deepEqual(await found(bob, 'projekt', '&list=invitations'), both)
  clock.set('2030-01-07T12:00:00Z')
  assert.deepEqual(await found(bob, 'projekt', '&list=past'), both)
  assert.deepEqual(await found(bob, 'projekt'), ['Nordlicht *'])
})

test('reads the first 2,000 characters of a description', async () => {
  const [alice] = await meet('Alice')
  const endingAt = (length: number) => `${'é'.padEnd(length - 4, '-')}edge, and more`
  await schedule(alice, standUp({ topic: 'Within', ...alone, description: endingAt(2_000) }))
  await schedule(alice, standUp({ topic: 'Beyond', ...alone, description: endingAt(2_001) }))
  assert.deepEqual(await linesOf(alice, 'q=edge'), ['01-07T09:00 Within'])
})

test('refuses an unknown list and a cursor of its own making, and is for sessions', async () => {
  const [alice] = await meet('Alice')
  await expectProblem(alice.send('GET', '/api/meeting/agenda?list=all'), 'invalid_request')
  await expectProblem(alice.send('GET', '/api/meeting/agenda?after=nonsense'), 'invalid_request', ['/after bad_format'])
  await expectProblem(sendRequest(app, 'GET', '/api/meeting/agenda'), 'unauthorized')
})
