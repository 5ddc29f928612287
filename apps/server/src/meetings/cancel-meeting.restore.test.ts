import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { calendarProperty, listed } from '../../test/mailbox.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'

const start = '2030-01-01T12:00:00Z'
const clock = createClock(start)
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { alice, bob, mallory } = await meetPeople(app)

beforeEach(() => clock.set(start))

type Meeting = { _id: string }
const restore = (meeting: Meeting, person: Person = alice, query = '') =>
  person.send('POST', `${cancelPath(meeting)}/restore${query}`)
const cancel = (meeting: Meeting) => expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'all' }))
const read = async (meeting: Meeting) => (await expectOk(alice.send('GET', detailsPath(meeting))))[0]

/** Schedule a meeting whose invitations were sent, which Bob accepts. */
async function accepted(meeting: object = standUp()) {
  const made = await schedule(alice, meeting)
  await app.mails()
  await expectOk(bob.send('POST', `${detailsPath(made)}/response`, { response: 'accepted' }))
  return made
}

test('the meeting is as it was, with link, PIN and answers, and guests get one email with a higher SEQUENCE', async () => {
  const meeting = await accepted()
  const before = await read(meeting)
  await cancel(meeting)
  const [cancelled] = await app.mails()
  clock.advance(60 * 60_000)
  await expectOk(restore(meeting))
  const { __v, modifiedOn, notificationsSend, ...after } = await read(meeting)
  const { __v: version, modifiedOn: _, notificationsSend: sent, ...was } = before
  assert.deepEqual(after, was)
  assert.equal(__v, version + 2)
  const mails = await app.mails()
  assert.equal(mails.length, 1)
  const [mail] = mails
  assert.ok(mail && cancelled)
  assert.match(mail.subject, /^Takes place again: Stand-up/)
  assert.match(mail.text, /^This meeting takes place after all, with the same link, and your answer is kept\.\n/)
  assert.equal(mail.calendar?.method, 'REQUEST')
  const sequenceOf = (one: Parameters<typeof calendarProperty>[0]) => Number(calendarProperty(one, 'SEQUENCE'))
  assert.ok(sequenceOf(mail) > sequenceOf(cancelled))
  assert.match((mail.calendar?.text ?? '').replaceAll('\r\n ', ''), /PARTSTAT=ACCEPTED/)

  // A later change is an ordinary one.
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Round' })))
  assert.match((await app.mails())[0]?.subject ?? '', /^Changed: Round/)
})

test('guests read that their answer is kept only where they have one: not without an answer, nor at another time', async () => {
  const lead = async () => (await app.mails())[0]?.text.split('\n')[0]
  const unanswered = await schedule(alice)
  await app.mails()
  await cancel(unanswered)
  await app.mails()
  await expectOk(restore(unanswered))
  assert.equal(await lead(), 'This meeting takes place after all, with the same link.')

  const meeting = await accepted()
  await cancel(meeting)
  await app.mails()
  await expectOk(restore(meeting))
  const times = { startTime: '2030-01-07T11:00:00Z', endTime: '2030-01-07T11:30:00Z' }
  await expectOk(alice.send('PUT', detailsPath(meeting), standUp(times)))
  assert.equal(await lead(), 'This meeting takes place after all, with the same link.')
})

test('restoring twice changes nothing, and an active meeting stays as it is', async () => {
  const meeting = await accepted()
  await cancel(meeting)
  await app.mails()
  await expectOk(restore(meeting))
  const { __v } = await read(meeting)
  await expectOk(restore(meeting))
  assert.equal((await read(meeting)).__v, __v)
  assert.equal((await app.mails()).length, 1)
})

test('restored before the cancellation was sent, no one is mailed', async () => {
  const meeting = await accepted()
  await cancel(meeting)
  await expectOk(restore(meeting))
  assert.deepEqual(listed(await app.mails()), [])
})

test('a series has the dates again that are running or ahead, not those that passed or were cancelled before', async () => {
  const meeting = await accepted(weekdays())
  const occurrence = '2030-01-09T09:00:00Z'
  await expectOk(alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence }))
  clock.set('2030-01-10T09:00:00Z')
  await cancel(meeting)
  await app.mails()
  clock.set('2030-01-16T09:29:59Z')
  await expectOk(restore(meeting))
  const { occurrences } = await expectOk(
    alice.send('GET', `${detailsPath(meeting)}/occurrences?from=2030-01-01T00:00:00Z`),
  )
  const days = occurrences.map(({ startTime }: { startTime: string }) => startTime.slice(8, 10))
  assert.deepEqual(days, ['07', '08', '10', '16', '17', '18', '21', '22', '23', '24', '25'])
  const [mail] = await app.mails()
  const excluded = (mail?.calendar?.text ?? '').replaceAll('\r\n ', '').match(/^EXDATE.*$/gm)
  assert.match(String(excluded), /20300109T090000.*20300111T090000.*20300114T090000.*20300115T090000/s)
  assert.doesNotMatch(String(excluded), /20300110|20300116/)
})

test('a meeting that is over is refused, and stays cancelled', async () => {
  const meeting = await accepted()
  await cancel(meeting)
  await app.mails()
  clock.set('2030-01-07T09:30:00Z')
  await expectProblem(restore(meeting), 'meeting_over')
  assert.equal((await read(meeting)).status, 'cancelled')
  clock.set('2030-01-07T09:29:59Z')
  await expectOk(restore(meeting, alice, '?sendUpdates=none'))
  assert.deepEqual(await app.mails(), [])
})

test('a cohost restores it, but not the meeting of a host who has left', async () => {
  const meeting = await accepted(standUp({ cohosts: ['bob@example.org'] }))
  await cancel(meeting)
  await app.mails()
  await expectOk(restore(meeting, bob, '?sendUpdates=none'))
  await cancel(meeting)
  await app.mails()
  const setDeleted = (deletedAt: Date | null) =>
    app.database.updateTable('account').set({ deletedAt }).where('id', '=', alice.profile._id).execute()
  await setDeleted(clock.now())
  await expectProblem(restore(meeting, bob), 'forbidden')
  await setDeleted(null)
})

test('guests and strangers cannot restore it', async () => {
  const meeting = await accepted()
  await cancel(meeting)
  await app.mails()
  await expectProblem(restore(meeting, bob), 'forbidden')
  await expectProblem(restore(meeting, mallory), 'meeting_not_found')
})

test('it counts for its host as an active meeting again, and its event says so', async () => {
  const meeting = await accepted()
  const counts = async () => {
    const { rows } = await app.pool.query(
      'select sum(active)::int as active, sum(cancelled)::int as cancelled from hosted_meeting_count',
    )
    return rows[0]
  }
  const before = await counts()
  await cancel(meeting)
  await app.mails()
  await expectOk(restore(meeting, alice, '?sendUpdates=none'))
  assert.deepEqual(await counts(), before)
  await app.publishEvents()
  const { events } = await expectOk(alice.send('GET', `/api/events?meetingId=${meeting._id}`))
  const last = events.at(-1)
  assert.deepEqual([last.type, last.data.changed], ['meeting.updated', ['status']])
})

test('restored twice at once, it changes once; an idempotency key replays the reply', async () => {
  const meeting = await accepted()
  await cancel(meeting)
  await app.mails()
  const { __v } = await read(meeting)
  await Promise.all([1, 2, 3].map(() => expectOk(restore(meeting))))
  assert.equal((await read(meeting)).__v, __v + 1)
  assert.equal((await app.mails()).length, 1)

  await cancel(meeting)
  await app.mails()
  const once = () => alice.send('POST', `${cancelPath(meeting)}/restore`, undefined, { 'idempotency-key': 'restore-1' })
  const first = await expectOk(once())
  await cancel(meeting)
  assert.deepEqual(await expectOk(once()), first)
  assert.equal((await read(meeting)).status, 'cancelled')
  await app.mails()
})

test('a guest who has blocked the host meanwhile is mailed nothing', async () => {
  const meeting = await accepted()
  await cancel(meeting)
  await app.mails()
  await expectOk(bob.send('POST', '/api/blocked-senders', { meetingId: meeting._id }))
  await expectOk(restore(meeting))
  assert.deepEqual(listed(await app.mails()), [])
})
