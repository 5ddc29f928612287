import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cancelPath, detailsPath, type Person, schedule, standUp } from '../../test/people.ts'
import { expectOk } from '../../test/replies.ts'
import { as, createRecordingMedia, enter } from '../../test/rooms/rooms.ts'
import { useApp } from '../../test/use-app.ts'
import { inTransaction } from '../platform/database/database.ts'
import { secureRandom } from '../platform/random.ts'
import { endSessionNow, recordJoin } from './record-attendance.ts'
import { createStartJobs, startChecksJob } from './starting.ts'

/** Each test has a week of its own: the job checks the meetings of all. */
const { app, clock, meet } = await useApp({
  start: '2030-01-06T12:00:00Z',
  emails: 'dropped',
  media: createRecordingMedia(),
})

const running = { job: { id: 1 } }
const runJob = () => app.taskList[startChecksJob.name]?.({}, running)

/** Run the job at a time, as the service does each minute. */
async function checkAt(at: string) {
  clock.set(at)
  await app.publishEvents()
  await runJob()
}

const startsOf = async (person: Person): Promise<string[]> =>
  (await expectOk(person.send('GET', '/api/user/notifications?limit=100'))).notifications
    .filter(({ kind }: { kind: string }) => kind === 'starting')
    .map(({ startTime, subject }: { startTime: string; subject: string }) => `${startTime.slice(5, 16)} ${subject}`)

const respond = (person: Person, meeting: { _id: string }, response: string, occurrence?: string) =>
  expectOk(person.send('POST', `${detailsPath(meeting)}/response`, { response, ...(occurrence && { occurrence }) }))

const occurrencePath = (meeting: { _id: string }, start: string) => `${detailsPath(meeting)}/occurrences/${start}`

const daily = { repeat: 'daily', endDate: '2030-01-12T23:59:59Z', timeZone: 'GMT' }

test('five minutes before, the host and the guests who have not declined are notified, once', async () => {
  const [alice, bob, carol, dan] = await meet('Alice', 'Bob', 'Carol', 'Dan')
  const participants = [bob.email, carol.email, 'nobody@example.org']
  const meeting = await schedule(alice, standUp({ participants, cohosts: [dan.email] }))
  await respond(carol, meeting, 'declined')
  await respond(bob, meeting, 'tentative')
  await checkAt('2030-01-07T08:54:00Z')
  assert.deepEqual(await startsOf(alice), [])
  await checkAt('2030-01-07T08:55:00Z')
  for (const person of [alice, bob, dan]) assert.deepEqual(await startsOf(person), ['01-07T09:00 Stand-up'])
  assert.deepEqual(await startsOf(carol), [])
  const [entry] = (await expectOk(bob.send('GET', '/api/user/notifications'))).notifications
  assert.deepEqual([entry.meetingId, entry.roomCode, entry.originalStartTime], [meeting._id, meeting.svcMeetId, null])
  await runJob()
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Late', participants })))
  await checkAt('2030-01-07T08:56:00Z')
  assert.deepEqual(await startsOf(bob), ['01-07T09:00 Stand-up'])
})

/** The engine reports that a person has connected, and the jobs of that run. */
async function connect(meeting: { _id: string; svcMeetId: string; pin: string }, person: Person) {
  const { admissionId = '' } = await enter(app, meeting, as(person))
  const connection = {
    meetingId: meeting._id,
    admissionId,
    participantSid: `PA_${admissionId}${clock.now().getTime()}`,
  }
  await recordJoin(
    { database: app.database, random: secureRandom },
    { ...connection, joinedAt: clock.now() },
    clock.now(),
  )
  await app.mails()
}
const callsOf = async (person: Person): Promise<string[]> =>
  (await expectOk(person.send('GET', '/api/user/notifications?limit=100'))).notifications
    .filter(({ kind }: { kind: string }) => kind === 'starting' || kind === 'started')
    .map(({ kind, startTime }: { kind: string; startTime: string }) => `${kind} ${startTime.slice(5, 16)}`)

test('the first person in a call has those notified who have not declined and are not inside, once for each date', async () => {
  const [alice, bob, carol, dan, eve] = await meet('Alice', 'Bob', 'Carol', 'Dan', 'Eve')
  const participants = [bob.email, carol.email, dan.email, eve.email]
  const meeting = await schedule(alice, standUp({ participants, repeatOptions: daily }))
  await respond(carol, meeting, 'declined')
  await expectOk(eve.send('PUT', '/api/my_profile', { notifyOfStarts: false }))
  await checkAt('2030-01-07T08:55:00Z')
  assert.deepEqual(await callsOf(dan), ['starting 01-07T09:00'])
  clock.set('2030-01-07T08:58:00Z')
  await connect(meeting, bob)
  assert.deepEqual(await callsOf(alice), ['started 01-07T09:00'])
  assert.deepEqual(await callsOf(dan), ['started 01-07T09:00'])
  assert.deepEqual(await callsOf(bob), ['starting 01-07T09:00'], 'inside')
  for (const person of [carol, eve]) assert.deepEqual(await callsOf(person), [])
  const [entry] = (await expectOk(dan.send('GET', '/api/user/notifications'))).notifications
  assert.deepEqual(
    [entry.subject, entry.roomCode, entry.originalStartTime],
    ['Stand-up', meeting.svcMeetId, '2030-01-07T09:00:00.000Z'],
  )
  await inTransaction(app.database, (tx) => endSessionNow(tx, meeting._id, null, clock.now()))
  clock.set('2030-01-07T09:05:00Z')
  await connect(meeting, bob)
  await checkAt('2030-01-07T09:06:00Z')
  assert.deepEqual(await callsOf(dan), ['started 01-07T09:00'], 'a call that begins again')
  await inTransaction(app.database, (tx) => endSessionNow(tx, meeting._id, null, clock.now()))
  clock.set('2030-01-08T08:50:00Z')
  await connect(meeting, alice)
  await checkAt('2030-01-08T08:55:00Z')
  assert.deepEqual(await callsOf(dan), ['started 01-08T09:00', 'started 01-07T09:00'], 'the next date, begun early')
})

test('a call that begins long before its date or after its end notifies no one, and the date still does', async () => {
  const [alice, dan] = await meet('Alice', 'Dan')
  const meeting = await schedule(alice, standUp({ participants: [dan.email] }))
  clock.set('2030-01-06T09:00:00Z')
  await connect(meeting, alice)
  await inTransaction(app.database, (tx) => endSessionNow(tx, meeting._id, null, clock.now()))
  assert.deepEqual(await callsOf(dan), [])
  await checkAt('2030-01-07T08:55:00Z')
  assert.deepEqual(await callsOf(dan), ['starting 01-07T09:00'])
  clock.set('2030-01-07T12:00:00Z')
  await connect(meeting, alice)
  assert.deepEqual(await callsOf(dan), ['starting 01-07T09:00'])
})

test('two instances that run at the same time, and a run that is repeated, notify once', async () => {
  const [alice, ...guests] = await meet('Alice', 'Bob', 'Carol')
  const participants = guests.map(({ email }) => email)
  for (const topic of ['a', 'b', 'c', 'd']) await schedule(alice, standUp({ topic, participants }))
  clock.set('2030-01-07T08:55:00Z')
  await app.publishEvents()
  const job = createStartJobs({ database: app.database, clock })[startChecksJob.name]
  await Promise.all([job?.({}, running), runJob(), job?.({}, running), runJob()])
  await app.database
    .updateTable('startCheck')
    .set({ checkAt: new Date('2030-01-01T00:00:00Z') })
    .execute()
  await runJob()
  for (const person of [alice, ...guests]) assert.equal((await startsOf(person)).length, 4)
})

test('a date that was moved is notified at its new time, also after it was notified at the old one', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const first = await schedule(alice, standUp({ topic: 'First', participants: [bob.email] }))
  const second = await schedule(alice, standUp({ topic: 'Second', participants: [bob.email] }))
  const later = { startTime: '2030-01-07T11:00:00Z', endTime: '2030-01-07T12:00:00Z', participants: [bob.email] }
  await expectOk(alice.send('PUT', detailsPath(first), standUp({ topic: 'First', ...later })))
  await checkAt('2030-01-07T08:55:00Z')
  assert.deepEqual(await startsOf(bob), ['01-07T09:00 Second'])
  await expectOk(alice.send('PUT', detailsPath(second), standUp({ topic: 'Second', ...later })))
  await checkAt('2030-01-07T08:57:00Z')
  await checkAt('2030-01-07T10:54:30Z')
  assert.deepEqual((await startsOf(bob)).sort(), ['01-07T11:00 First', '01-07T11:00 Second'])
})

test('of a cancelled meeting, of one that is cancelled for good, and of a date that has begun there is none', async () => {
  const [alice, bob] = await meet('Alice', 'Bob')
  const participants = [bob.email]
  const cancelled = await schedule(alice, standUp({ topic: 'Cancelled', participants }))
  const restored = await schedule(alice, standUp({ topic: 'Restored', participants }))
  for (const meeting of [cancelled, restored]) {
    await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
    await app.publishEvents()
  }
  await checkAt('2030-01-07T08:30:00Z')
  await expectOk(alice.send('POST', `${cancelPath(restored)}/restore`))
  const late = { startTime: '2030-01-07T08:50:00Z', endTime: '2030-01-07T09:50:00Z', participants }
  await schedule(alice, standUp({ topic: 'Begun', ...late }))
  await checkAt('2030-01-07T08:55:00Z')
  assert.deepEqual(await startsOf(bob), ['01-07T09:00 Restored'])
})

test('after an outage, dates that have begun meanwhile are left out, and the next ones are notified', async () => {
  const [alice] = await meet('Alice')
  await schedule(alice, standUp({ repeatOptions: daily, participants: [] }))
  await checkAt('2030-01-07T08:55:00Z')
  await checkAt('2030-01-09T09:01:00Z')
  await checkAt('2030-01-10T08:55:00Z')
  assert.deepEqual(await startsOf(alice), ['01-10T09:00 Stand-up', '01-07T09:00 Stand-up'])
})

test('each date of a series counts by itself: its answers, its time, its topic and its cancellation', async () => {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  const meeting = await schedule(
    alice,
    standUp({ topic: 'Daily', repeatOptions: daily, participants: [bob.email, carol.email] }),
  )
  const [second, third, fourth] = ['08', '09', '10'].map((day) => `2030-01-${day}T09:00:00.000Z`)
  const moved = { topic: 'Review', startTime: '2030-01-08T15:00:00Z', endTime: '2030-01-08T16:00:00Z' }
  await expectOk(alice.send('PUT', occurrencePath(meeting, String(second)), moved))
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: third }))
  await respond(bob, meeting, 'declined', fourth)
  await respond(carol, meeting, 'declined')
  await respond(carol, meeting, 'accepted', fourth)
  for (const at of ['07T08:55', '08T08:55', '08T14:55', '09T08:55', '10T08:55', '11T08:55']) {
    await checkAt(`2030-01-${at}:00Z`)
  }
  const [first, afternoon, last, end] = ['07T09:00 Daily', '08T15:00 Review', '10T09:00 Daily', '11T09:00 Daily'].map(
    (text) => `01-${text}`,
  )
  assert.deepEqual(await startsOf(alice), [end, last, afternoon, first])
  assert.deepEqual(await startsOf(bob), [end, afternoon, first])
  // A date that is moved is asked about again, also of guests who have declined the series.
  assert.deepEqual(await startsOf(carol), [last, afternoon])
})

test('a person in the call, one who has blocked the host, and one who has switched it off are not notified', async () => {
  const [alice, bob, carol, dan] = await meet('Alice', 'Bob', 'Carol', 'Dan')
  const meeting = await schedule(alice, standUp({ participants: [bob, carol, dan].map(({ email }) => email) }))
  await expectOk(bob.send('POST', '/api/blocked-senders', { meetingId: meeting._id }))
  await expectOk(carol.send('PUT', '/api/my_profile', { notifyOfStarts: false }))
  clock.set('2030-01-07T08:50:00Z')
  const { admissionId } = await enter(app, meeting, as(alice))
  await app.database
    .updateTable('admission')
    .set({ enteredAt: clock.now() })
    .where('id', '=', String(admissionId))
    .execute()
  await checkAt('2030-01-07T08:55:00Z')
  for (const person of [alice, bob, carol]) assert.deepEqual(await startsOf(person), [])
  assert.deepEqual(await startsOf(dan), ['01-07T09:00 Stand-up'])
})
