import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { tokensFor } from '../../test/oauth/token-client.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, sendRequest, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'
import { useApp } from '../../test/use-app.ts'

const { app, clock, meet, mailsTo } = await useApp({
  emails: 'dropped',
  environment: { RATE_LIMITS: 'off' },
  start: '2030-01-01T00:00:00Z',
})

/** Mondays at 09:00 in London, for half an hour, from 7 January 2030. */
const mondays = (changes: object = {}) =>
  weekdays({
    startTime: '2030-01-07T09:00:00Z',
    endTime: '2030-01-07T09:30:00Z',
    repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'Europe/London' },
    ...changes,
  })
const second = '2030-01-14T09:00:00Z'
const noon = { startTime: '2030-01-14T12:00:00Z', endTime: '2030-01-14T13:00:00Z' }

type Meeting = { _id: string }
const pathOf = (meeting: Meeting, start = second) => `${detailsPath(meeting)}/occurrences/${encodeURIComponent(start)}`
const change = (person: Person, meeting: Meeting, body: object, headers: Record<string, string> = {}) =>
  person.send('PUT', pathOf(meeting), body, headers)
const occurrencesOf = async (person: Person, meeting: Meeting, query = 'limit=3') =>
  (await person.send('GET', `${detailsPath(meeting)}/occurrences?${query}`)).body.occurrences.map(
    ({ startTime, endTime, status, topic }: Record<string, string>) =>
      `${startTime?.slice(5, 16)}–${endTime?.slice(11, 16)} ${status}${topic === undefined ? '' : ` ${topic}`}`,
  )

test('changes one occurrence, which everything shows from then on', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, mondays({ participants: [bob.email] }))
  const answer = await change(alice, meeting, { ...noon, topic: 'Review' })
  await expectOk(answer)
  assert.deepEqual(answer.body, {
    startTime: '2030-01-14T12:00:00.000Z',
    endTime: '2030-01-14T13:00:00.000Z',
    originalStartTime: '2030-01-14T09:00:00.000Z',
    status: 'changed',
    topic: 'Review',
  })
  assert.deepEqual(await occurrencesOf(alice, meeting), [
    '01-07T09:00–09:30 active',
    '01-14T12:00–13:00 changed Review',
    '01-21T09:00–09:30 active',
  ])
  const read = await alice.send('GET', `${detailsPath(meeting)}?occurrences=2`)
  assert.deepEqual([read.body[0].__v, read.headers.get('etag')], [1, answer.headers.get('etag')])
  assert.equal(read.body[0].occurrences[1].topic, 'Review')

  const calendar = await bob.send(
    'GET',
    '/api/meeting/calendar/me?fromDate=2030-01-14T00:00:00Z&toDate=2030-01-15T00:00:00Z',
  )
  const [shown] = calendar.body.occurrences.filter((one: { meetingId: string }) => one.meetingId === meeting._id)
  assert.deepEqual([shown.topic, shown.startTime, shown.status], ['Review', '2030-01-14T12:00:00.000Z', 'changed'])
  const inRange = async (from: string, to: string) =>
    (await alice.send('GET', `/api/meeting/me?fromDate=2030-01-14T${from}:00Z&toDate=2030-01-14T${to}:00Z`)).body
      .meetingDetails.length
  assert.equal(await inRange('08:00', '10:00'), 0)
  assert.equal(await inRange('12:30', '12:40'), 1)
  clock.set('2030-01-14T10:00:00Z')
  const [next] = (await alice.send('GET', '/api/meeting/me?past=false')).body.meetingDetails
  assert.equal(next.nextOccurrence.startTime, '2030-01-14T12:00:00.000Z', 'the next one is the moved one')
  await alice.send('POST', cancelPath(meeting), { cancel: 'current' })
  assert.deepEqual((await occurrencesOf(alice, meeting, 'limit=2&status=all')).slice(0, 1), [
    '01-14T12:00–13:00 cancelled Review',
  ])
})

test('an update keeps a change where the series has the date, and drops it elsewhere', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, mondays())
  await change(alice, meeting, { ...noon, topic: 'Review' })
  const later = { startTime: '2030-01-07T15:00:00Z', endTime: '2030-01-07T15:30:00Z' }
  await expectOk(alice.send('PUT', detailsPath(meeting), mondays(later)))
  assert.deepEqual((await occurrencesOf(alice, meeting))[1], '01-14T12:00–13:00 changed Review')
  const [, shown] = (await alice.send('GET', `${detailsPath(meeting)}/occurrences?limit=2`)).body.occurrences
  assert.equal(shown.originalStartTime, '2030-01-14T15:00:00.000Z')
  const tuesdays = { repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 0, 1, 0, 0, 0, 0], timeZone: 'Europe/London' } }
  await expectOk(alice.send('PUT', detailsPath(meeting), mondays(tuesdays)))
  await expectOk(alice.send('PUT', detailsPath(meeting), mondays()))
  assert.deepEqual((await occurrencesOf(alice, meeting))[1], '01-14T09:00–09:30 active')
})

test('refuses what belongs to the series, wrong times, and occurrences that cannot be changed', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, mondays())
  const ofSeries = { participants: [], repeatOptions: {}, startTime: 'noon' }
  await expectProblem(change(alice, meeting, ofSeries), 'invalid_request', [
    '/participants not_for_one_occurrence',
    '/repeatOptions not_for_one_occurrence',
    '/startTime bad_format',
  ])
  await expectProblem(change(alice, meeting, { startTime: '2030-01-21T09:00:00Z' }), 'invalid_request', [
    '/startTime not_between_neighbours',
  ])
  const rename = (start: string) => alice.send('PUT', pathOf(meeting, start), { topic: 'Review' })
  await expectProblem(rename('2030-01-15T09:00:00Z'), 'occurrence_not_found')
  await expectProblem(rename('soon'), 'occurrence_not_found')
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: second })
  await expectProblem(rename(second), 'occurrence_cancelled')
  clock.set('2030-01-07T09:30:00Z')
  await expectProblem(rename('2030-01-07T09:00:00Z'), 'occurrence_over')
  clock.set('2030-01-01T00:00:00Z')
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  await expectProblem(rename('2030-01-21T09:00:00Z'), 'meeting_cancelled')
})

test('two changes of the same version: one is taken; a repeated key changes once', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(alice, mondays())
  const ifMatch = { 'if-match': '"v0"' }
  const both = await Promise.all([
    change(alice, meeting, { topic: 'One' }, ifMatch),
    change(alice, meeting, { topic: 'Two' }, ifMatch),
  ])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 412])
  const key = { 'idempotency-key': 'once' }
  const first = await change(alice, meeting, noon, key)
  const again = await expectOk(change(alice, meeting, noon, key))
  assert.deepEqual(again, first.body)
  await expectProblem(change(alice, meeting, { topic: 'Other' }, key), 'key_reused')
  assert.equal((await change(alice, meeting, noon)).headers.get('etag'), '"v2"', 'nothing was left to change')
})

test('a stranger’s meeting is not found, and a guest may not change it', async () => {
  const [alice, bob, mallory] = await meet('Alice', 'Bob', 'Mallory')
  const meeting = await schedule(alice, mondays({ participants: [bob.email] }))
  assert.deepEqual(
    [(await change(mallory, meeting, noon)).status, (await change(bob, meeting, noon)).status],
    [404, 403],
  )
})

test('an app needs the scope to update meetings', async () => {
  const service = await startApp({ emails: 'dropped' })
  const people = await meetPeople(service)
  const meeting = await schedule(people.alice, mondays())
  const planner = await approvedApp(service, people.olga, { scopes: ['meeting:read', 'meeting:update'] })
  for (const [scopes, status] of [
    [['meeting:read'], 403],
    [['meeting:read', 'meeting:update'], 200],
  ] as const) {
    const { access_token } = await tokensFor(service, planner, people.alice, { scopes: [...scopes] })
    const headers = { authorization: `Bearer ${access_token}` }
    assert.equal((await sendRequest(service, 'PUT', pathOf(meeting), noon, headers)).status, status)
  }
})

test('mails the one occurrence, with its former times and its new ones; quietly nothing', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const meeting = await schedule(alice, mondays({ participants: [bob.email] }))
  const mails = async () => [...(await mailsTo(bob)), ...(await mailsTo(alice))]
  await mails()
  clock.advance(3 * 60_000)
  await expectOk(alice.send('PUT', `${pathOf(meeting)}?sendUpdates=none`, { topic: 'Quiet' }))
  assert.deepEqual(await mails(), [])
  await change(alice, meeting, { ...noon, topic: 'Review' })
  const [mail, ...others] = await mails()
  assert.deepEqual([mail?.to, mail?.subject, others], [bob.email, 'Changed on 14 January 2030: Review', []])
  assert.match(mail?.text ?? '', /One date of this meeting has changed: Monday,? 14 January 2030/)
  assert.match(mail?.text ?? '', /09:00.*\n.*12:00/)
  const text = mail?.calendar?.text ?? ''
  assert.equal(mail?.calendar?.method, 'REQUEST')
  assert.equal(text.match(/BEGIN:VEVENT/g)?.length, 1)
  for (const line of [
    'RECURRENCE-ID;TZID=Europe/London:20300114T090000',
    'DTSTART;TZID=Europe/London:20300114T120000',
    'SUMMARY:Review',
  ])
    assert.ok(text.includes(line), line)

  clock.advance(3 * 60_000)
  await alice.send('PUT', detailsPath(meeting), mondays({ participants: [bob.email], topic: 'Weekly' }))
  const [whole] = await mails()
  assert.equal(whole?.calendar?.text.match(/BEGIN:VEVENT/g)?.length, 2, 'the whole series with its changed occurrence')
  clock.advance(3 * 60_000)
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  const [cancelled] = await mails()
  assert.equal(cancelled?.calendar?.method, 'CANCEL')
  assert.equal(cancelled?.calendar?.text.match(/BEGIN:VEVENT/g)?.length, 2)
})

test('reminds of the start that the occurrence has, once', async () => {
  const [alice] = await meet('Alice')
  const meeting = await schedule(
    alice,
    mondays({ startTime: second, endTime: '2030-01-14T09:30:00Z', reminderMinutes: 15 }),
  )
  await change(alice, meeting, { ...noon, topic: 'Review' })
  const reminder = async () =>
    (await app.pool.query('select occurrence from meeting_reminder where meeting_id = $1', [meeting._id])).rows[0]
      ?.occurrence
  assert.deepEqual(await reminder(), new Date('2030-01-14T12:00:00Z'))
  await alice.send('DELETE', pathOf(meeting))
  assert.deepEqual(await reminder(), new Date(second))
})
