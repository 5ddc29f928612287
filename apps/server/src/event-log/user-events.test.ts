import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserChanges } from '@parley/contract'
import { openStream } from '../../test/event-stream.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp, type TestApp } from '../../test/start-app.ts'

/** Longer than any test: what a stream sends, it sends because it was notified. */
const never = 10 * 60_000

const app = await startApp({ emails: 'dropped', checkEveryMs: never })
const other = await startApp({ beside: app, checkEveryMs: never })
const { alice, bob, carol, mallory } = await meetPeople(app)

const open = (person: Person, at: TestApp = app) =>
  openStream<UserChanges>(at, '/api/user/events', { authorization: `Bearer ${person.token}` })

/** Open the stream of each person, at another instance than the one where changes are made. */
async function openEach(...people: Person[]) {
  const streams = await Promise.all(people.map((person) => open(person, other)))
  for (const stream of streams) {
    assert.deepEqual(await stream.next(), {
      number: 0,
      meetingIds: [],
      moreChanged: false,
      notificationsChanged: false,
    })
  }
  return streams
}

/** Long enough for a stream that is notified to read and to send. */
const soonMs = 600

/** What arrives in a moment: the ids of the meetings, or none. */
async function hintsOf(stream: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const hint = stream.next().then(({ meetingIds }) => meetingIds)
  return Promise.race([hint, sleep(soonMs).then(() => [])])
}

const respond = (person: Person, meeting: { _id: string }, response: string) =>
  expectOk(person.send('POST', `${detailsPath(meeting)}/response`, { response }))

test('a change is reported to the host and to every guest, at every instance, and to no other account', async () => {
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org'] }))
  await app.publishEvents()
  const streams = await openEach(alice, bob, carol, mallory)
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Moved' })))
  await app.publishEvents()
  const [ofAlice, ofBob, ofCarol, ofMallory] = await Promise.all(streams.map(hintsOf))
  assert.deepEqual([ofAlice, ofBob, ofCarol, ofMallory], [[meeting._id], [meeting._id], [], []])
  for (const stream of streams) stream.close()
})

test('each change is one further message, and one without a change sends none', async () => {
  const meeting = await schedule(alice)
  await app.publishEvents()
  const [stream] = await openEach(bob)
  assert.ok(stream)
  for (const number of [1, 2]) {
    await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: `Version ${number}` })))
    await app.publishEvents()
    assert.deepEqual(await stream.next(), {
      number,
      meetingIds: [meeting._id],
      moreChanged: false,
      notificationsChanged: true,
    })
  }
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Version 2' })))
  await app.publishEvents()
  assert.deepEqual(await hintsOf(stream), [])
  stream.close()
})

test('an answer is reported to hosts, cohosts and the person who gave it, not to other guests', async () => {
  const guests = { participants: ['bob@example.org', 'carol@example.org', 'mallory@example.org'] }
  const meeting = await schedule(alice, standUp({ ...guests, cohosts: ['carol@example.org'] }))
  await app.publishEvents()
  const streams = await openEach(alice, bob, carol, mallory)
  await respond(bob, meeting, 'accepted')
  await app.publishEvents()
  const reported = await Promise.all(streams.map(hintsOf))
  assert.deepEqual(reported, [[meeting._id], [meeting._id], [meeting._id], []])
  for (const stream of streams) stream.close()
})

test('a meeting that was added by its link is followed; without it, nothing is reported', async () => {
  const meeting = await schedule(alice, standUp({ participants: [] }))
  const [shown] = await expectOk(alice.send('GET', detailsPath(meeting)))
  await expectOk(mallory.send('POST', `/api/meeting/add/${shown.svcMeetId}`, { pin: shown.pin }))
  await app.publishEvents()
  const streams = await openEach(bob, mallory)
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
  await app.publishEvents()
  assert.deepEqual(await Promise.all(streams.map(hintsOf)), [[], [meeting._id]])
  for (const stream of streams) stream.close()
})

test('the removal of a person is reported to them once, and of later changes nothing', async () => {
  const meeting = await schedule(alice, standUp({ participants: ['bob@example.org', 'carol@example.org'] }))
  await app.mails()
  await app.publishEvents()
  const [stream] = await openEach(carol)
  assert.ok(stream)
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ participants: ['bob@example.org'] })))
  await app.publishEvents()
  assert.deepEqual(await hintsOf(stream), [meeting._id])
  await expectProblem(carol.send('GET', detailsPath(meeting)), 'meeting_not_found')
  await app.mails()
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ participants: ['bob@example.org'], topic: 'Ours' })))
  await app.publishEvents()
  assert.deepEqual(await hintsOf(stream), [])
  stream.close()
})

test('a notification that was lost is made up for by the next check of the stream', async () => {
  const checking = await startApp({ beside: app, checkEveryMs: 200 })
  const meeting = await schedule(alice)
  await app.publishEvents()
  const stream = await open(bob, checking)
  await stream.next()
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Unheard' })))
  // Published without the notification, as if that had been lost.
  await app.database
    .updateTable('event')
    .set(({ selectFrom }) => ({
      position: selectFrom('eventLog').select(({ eb }) => eb('lastPosition', '+', 1).as('next')),
    }))
    .where('position', 'is', null)
    .execute()
  await app.database
    .updateTable('eventLog')
    .set(({ eb }) => ({ lastPosition: eb('lastPosition', '+', 1) }))
    .execute()
  assert.deepEqual((await stream.next()).meetingIds, [meeting._id])
  stream.close()
})

test('it is for sessions, ends when the session ends, and an account has 16 of them', async () => {
  const { token } = await expectOk(
    alice.send('POST', '/api/auth/tokens', { name: 'script', scopes: ['meeting:read'] }),
    201,
  )
  const asToken = sendRequest(app, 'GET', '/api/user/events', undefined, { authorization: `Bearer ${token}` })
  await expectProblem(asToken, 'session_required')
  await expectProblem(sendRequest(app, 'GET', '/api/user/events'), 'unauthorized')

  const streams = await Promise.all(Array.from({ length: 16 }, () => open(carol)))
  const authorization = `Bearer ${carol.token}`
  await expectProblem(sendRequest(app, 'GET', '/api/user/events', undefined, { authorization }), 'too_many_requests')
  await expectOk(carol.send('POST', '/api/auth/sign-out'))
  await Promise.all(streams.map((stream) => stream.ended()))
})
