import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  cancelPath,
  detailsPath,
  meetPeople,
  type Person,
  schedule,
  standUp,
  violationsOf,
  weekdays,
} from '../../test/people.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { maxOccurrenceResponses } from '../meetings/occurrence-response-store.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' }, emails: 'dropped' })
const { alice, bob, carol, mallory } = await meetPeople(app)

type Meeting = { _id: string }
const people = ['bob@example.org', 'carol@example.org', 'dan@elsewhere.example']
const dayOf = (day: number) => `2030-01-${String(day).padStart(2, '0')}T09:00:00.000Z`
const series = () => schedule(alice, weekdays({ participants: people }))
const respond = (person: Person, meeting: Meeting, response: string, occurrence?: string) =>
  person.send('POST', `${detailsPath(meeting)}/response`, { response, ...(occurrence && { occurrence }) })
async function answer(person: Person, meeting: Meeting, response: string, occurrence?: string) {
  const { status, body } = await respond(person, meeting, response, occurrence)
  assert.equal(status, 200, JSON.stringify(body))
}
async function seen(person: Person, meeting: Meeting, start: string) {
  const { body } = await person.send('GET', `${detailsPath(meeting)}/occurrences?status=all`)
  return body.occurrences.find((one: { originalStartTime: string }) => one.originalStartTime === start)
}
const counts = (accepted: number, tentative: number, declined: number, none: number) => ({
  accepted,
  tentative,
  declined,
  none,
})
const change = (meeting: Meeting, start: string, changed: object) =>
  alice.send('PUT', `${detailsPath(meeting)}/occurrences/${start}`, changed)

test('Bob declines one date of a series that he accepts: he and the host see both, other guests see neither', async () => {
  const meeting = await series()
  const given = await respond(bob, meeting, 'declined', '2030-01-09T10:00:00+01:00')
  assert.deepEqual([given.status, given.body], [200, { response: 'declined', occurrence: dayOf(9) }])
  await answer(bob, meeting, 'accepted')
  await answer(carol, meeting, 'tentative')

  const toHost = await seen(alice, meeting, dayOf(9))
  assert.deepEqual(toHost.responses, [{ email: 'bob@example.org', response: 'declined' }])
  assert.deepEqual(toHost.responseCounts, counts(0, 1, 1, 1))
  assert.equal(toHost.response, undefined)
  assert.deepEqual((await seen(alice, meeting, dayOf(10))).responseCounts, counts(1, 1, 0, 1))
  assert.deepEqual((await seen(alice, meeting, dayOf(10))).responses, [])

  const own = await Promise.all([9, 10].map((day) => seen(bob, meeting, dayOf(day))))
  assert.deepEqual(
    own.map(({ response }) => response),
    ['declined', 'accepted'],
  )
  const toCarol = await seen(carol, meeting, dayOf(9))
  assert.deepEqual([toCarol.response, toCarol.responses, toCarol.responseCounts], ['tentative', undefined, undefined])

  const { body } = await alice.send('GET', `${detailsPath(meeting)}?occurrences=3`)
  assert.deepEqual(body[0].responseCounts, counts(1, 1, 0, 1))
  assert.deepEqual(body[0].occurrences[2].responseCounts, counts(0, 1, 1, 1))
  assert.equal(body[0].__v, 0)
  const toBob = await bob.send('GET', `${detailsPath(meeting)}?occurrences=3`)
  assert.deepEqual([toBob.body[0].responseCounts, toBob.body[0].occurrences[2].response], [undefined, 'declined'])
})

test('an answer to the series leaves the answers to single dates, whichever was given first', async () => {
  const meeting = await series()
  await answer(bob, meeting, 'declined')
  await answer(bob, meeting, 'accepted', dayOf(9))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'accepted')
  clock.set('2030-01-01T12:01:00Z')
  await answer(bob, meeting, 'tentative')
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'accepted')
  assert.equal((await seen(bob, meeting, dayOf(10))).response, 'tentative')
  await answer(bob, meeting, 'declined', dayOf(9))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'declined')
  clock.set('2030-01-01T12:00:00Z')
})

test('a date that is moved asks anew, also those who answered the series; other changes leave the answers', async () => {
  const meeting = await series()
  await answer(bob, meeting, 'accepted')
  await answer(carol, meeting, 'accepted', dayOf(9))
  await answer(carol, meeting, 'declined', dayOf(10))
  clock.set('2030-01-01T12:01:00Z')
  assert.equal((await change(meeting, dayOf(9), { topic: 'Retrospective' })).status, 200)
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(2, 0, 0, 1))

  assert.equal((await change(meeting, dayOf(9), { startTime: '2030-01-09T11:00:00Z' })).status, 200)
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(0, 0, 0, 3))
  assert.deepEqual((await seen(alice, meeting, dayOf(10))).responseCounts, counts(1, 0, 1, 1))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, undefined)
  assert.equal((await seen(bob, meeting, dayOf(10))).response, 'accepted')

  clock.set('2030-01-01T12:02:00Z')
  await answer(bob, meeting, 'tentative', dayOf(9))
  await answer(carol, meeting, 'accepted')
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(1, 1, 0, 1), 'of the series as well')
  clock.set('2030-01-01T12:03:00Z')
  const back = await alice.send('DELETE', `${detailsPath(meeting)}/occurrences/${dayOf(9)}`)
  assert.equal(back.status, 200)
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responseCounts, counts(0, 0, 0, 3), 'moved back is moved')
  clock.set('2030-01-01T12:00:00Z')
})

test('a date that is cancelled keeps its answers for when it is restored; a series that is moved keeps none', async () => {
  const meeting = await series()
  await answer(bob, meeting, 'declined', dayOf(9))
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: dayOf(9) })
  assert.equal((await respond(bob, meeting, 'accepted', dayOf(9))).body.code, 'occurrence_cancelled')
  await alice.send('POST', `${detailsPath(meeting)}/occurrences/${dayOf(9)}/restore`)
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'declined')

  const topic = await alice.send('PUT', detailsPath(meeting), weekdays({ participants: people, topic: 'Walk' }))
  assert.equal(topic.status, 200)
  assert.equal((await seen(bob, meeting, dayOf(9))).response, 'declined')
  const times = { startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: people, topic: 'Walk', ...times }))
  assert.equal((await seen(bob, meeting, '2030-01-09T10:00:00.000Z')).response, undefined)
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: people }))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, undefined)
})

test('a person who is removed and invited again has not answered', async () => {
  const meeting = await series()
  await answer(bob, meeting, 'declined', dayOf(9))
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: people.slice(1) }))
  assert.deepEqual((await seen(alice, meeting, dayOf(9))).responses, [])
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: people }))
  assert.equal((await seen(bob, meeting, dayOf(9))).response, undefined)
})

test('takes an answer for a date of the series until it ends, by its original start', async () => {
  const meeting = await series()
  const codeOf = async (occurrence: string, person = bob) =>
    (await respond(person, meeting, 'accepted', occurrence)).body.code
  assert.equal(await codeOf('2030-01-12T09:00:00Z'), 'occurrence_not_found')
  assert.equal(await codeOf('2030-01-09T09:00:01Z'), 'occurrence_not_found')
  assert.equal(await codeOf(dayOf(9), mallory), 'meeting_not_found')
  assert.equal(await codeOf(dayOf(9), alice), 'not_invited')
  const refused = await respond(bob, meeting, 'accepted', 'tomorrow')
  assert.deepEqual(violationsOf(refused), ['/occurrence bad_format'])

  await change(meeting, dayOf(9), { startTime: '2030-01-09T11:00:00Z' })
  assert.equal(await codeOf('2030-01-09T11:00:00Z'), 'occurrence_not_found')
  clock.set('2030-01-09T11:29:59Z')
  assert.equal(await codeOf(dayOf(9)), undefined)
  clock.set('2030-01-09T11:30:00Z')
  assert.equal(await codeOf(dayOf(9)), 'occurrence_over')
  clock.set('2030-01-01T12:00:00Z')

  const single = await schedule(alice, standUp())
  assert.equal((await respond(bob, single, 'accepted', dayOf(7))).body.code, 'occurrence_not_found')
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  assert.equal(await codeOf(dayOf(10)), 'meeting_cancelled')
})

test('a guest answers five hundred dates ahead; past ones make room', async () => {
  const daily = await schedule(alice, weekdays({ repeatOptions: { repeat: 'daily', timeZone: 'GMT' } }))
  const startOf = (index: number) => new Date(Date.parse(dayOf(7)) + index * 86_400_000)
  const values = Array.from({ length: maxOccurrenceResponses - 1 }, (_, index) => ({
    meetingId: daily._id,
    emailKey: 'bob@example.org',
    originalStart: startOf(index),
    response: 'declined' as const,
    respondedAt: clock.now(),
    recordedAt: clock.now(),
  }))
  await app.database.insertInto('occurrenceResponse').values(values).execute()
  const next = (index: number) => respond(bob, daily, 'accepted', startOf(index).toISOString())
  assert.equal((await next(499)).status, 200)
  const full = await next(500)
  assert.deepEqual([full.status, full.body.code], [409, 'too_many_responses'])
  assert.equal((await next(3)).status, 200, 'one that is answered already')
  clock.set('2030-01-07T09:30:00Z')
  assert.equal((await next(500)).status, 200)
  const kept = await app.database
    .selectFrom('occurrenceResponse')
    .select('originalStart')
    .where('meetingId', '=', daily._id)
    .orderBy('originalStart')
    .execute()
  assert.deepEqual([kept.length, kept[0]?.originalStart], [maxOccurrenceResponses, startOf(1)])
  clock.set('2030-01-01T12:00:00Z')
})
