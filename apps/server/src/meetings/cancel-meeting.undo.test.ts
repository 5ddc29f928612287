import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { createFeed } from '../../test/calendar-feeds.ts'
import { calendarProperty, listed, subjectOf } from '../../test/mailbox.ts'
import { cancelPath, detailsPath, meetPeople, type Person, schedule, sendRequest, standUp } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { createClock, startApp } from '../../test/start-app.ts'
import { remindJob } from '../invitations/guest-reminders.ts'

const start = '2030-01-01T12:00:00Z'
const clock = createClock(start)
const app = await startApp({ clock, environment: { RATE_LIMITS: 'off' } })
const { olga, alice, bob, mallory } = await meetPeople(app)

beforeEach(() => clock.set(start))

const mondays = (changes: object = {}) =>
  standUp({
    repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
    participants: [bob.email, 'carol@example.org'],
    ...changes,
  })
const [second, third] = ['2030-01-14', '2030-01-21'].map((day) => `${day}T09:00:00.000Z`)
const occurrencePath = (meeting: { _id: string }, date: string | undefined) =>
  `${detailsPath(meeting)}/occurrences/${encodeURIComponent(date ?? '')}`

type Meeting = { _id: string }
const cancel = async (meeting: Meeting, body: object, person: Person = alice) => {
  const reply = await expectOk(person.send('POST', `${cancelPath(meeting)}?undoable=true`, body))
  return reply
}
const undo = (meeting: Meeting, person: Person = alice) => person.send('POST', `${cancelPath(meeting)}/undo`)
const expectOver = async (meeting: Meeting, person: Person = alice) => {
  await expectProblem(undo(meeting, person), 'undo_over')
}
/** The emails that are due at the clock's time. */
async function due(): Promise<string[]> {
  await app.pool.query('update graphile_worker._private_jobs set run_at = now() where attempts = 0')
  return listed(await app.mails({ gathering: true })).toSorted()
}
/** A meeting whose invitations were sent long enough ago that no change waits for others. */
async function invited(meeting: object = mondays()) {
  const scheduled = await schedule(alice, meeting)
  await due()
  clock.advance(150_000)
  return scheduled
}
/** All that a cancellation touches, without what counts its changes. */
async function everythingOf(meeting: Meeting) {
  const read = (await alice.send('GET', `${detailsPath(meeting)}?occurrences=20`)).body[0]
  const { __v, modifiedOn, modifiedBy, notificationsSend, ...rest } = read
  const dates = (await alice.send('GET', `${detailsPath(meeting)}/occurrences?status=all&limit=20`)).body.occurrences
  const lists = []
  for (const person of [alice, bob]) lists.push((await person.send('GET', '/api/meeting/me?past=false')).body)
  const reminders = await app.pool.query('select occurrence, due_at from meeting_reminder where meeting_id = $1', [
    meeting._id,
  ])
  const counts = await app.pool.query(
    'select sum(active) as active, sum(cancelled) as cancelled from hosted_meeting_count',
  )
  const inLists = lists.map(({ meetingDetails, totalCount }) => [
    totalCount,
    meetingDetails.map(({ _id }: Meeting) => _id),
  ])
  return { rest, dates, inLists, reminders: reminders.rows, counts: counts.rows }
}

test('a cancelled meeting is restored as it was, and guests are mailed nothing', async () => {
  const meeting = await invited(standUp({ participants: [bob.email] }))
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'accepted' })
  const before = await everythingOf(meeting)
  const { undoableUntil } = await cancel(meeting, { cancel: 'all' })
  assert.equal(undoableUntil, new Date(clock.now().getTime() + 30_000).toISOString())
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].status, 'cancelled')
  assert.deepEqual(await due(), [])
  clock.advance(29_999)
  const undone = await undo(meeting)
  await expectOk(undone)
  assert.equal(undone.body.status, 'active')
  assert.equal(undone.headers.get('etag'), '"v2"')
  assert.deepEqual(await everythingOf(meeting), before)
  assert.deepEqual(await due(), [])
  clock.advance(300_000)
  assert.deepEqual(await due(), [])
})

test('a cancelled series is restored with its changed and cancelled dates and the answers to them', async () => {
  const meeting = await invited()
  await alice.send('PUT', occurrencePath(meeting, second), {
    topic: 'Review',
    startTime: '2030-01-14T10:00:00Z',
    endTime: '2030-01-14T10:30:00Z',
  })
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: third })
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'declined', occurrence: second })
  clock.advance(150_000)
  await due()
  clock.advance(150_000)
  const before = await everythingOf(meeting)
  for (const body of [{ cancel: 'all' }, { cancel: 'following', occurrence: second }]) {
    await cancel(meeting, body)
    assert.notDeepEqual(await everythingOf(meeting), before)
    await expectOk(undo(meeting))
    assert.deepEqual(await everythingOf(meeting), before)
    clock.advance(150_000)
    assert.deepEqual(await due(), [])
  }
})

test('a series that was running for weeks keeps its past, and goes on after the undo', async () => {
  const meeting = await invited()
  clock.set('2030-01-15T12:00:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  await due()
  const before = await everythingOf(meeting)
  await cancel(meeting, { cancel: 'all' })
  await undo(meeting)
  assert.deepEqual(await everythingOf(meeting), before)
  clock.advance(31_000)
  assert.deepEqual(await due(), [])
})

test('the only date of a meeting that was never held is restored with the meeting', async () => {
  const once = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC', count: 1 }
  const meeting = await invited(mondays({ repeatOptions: once }))
  const before = await everythingOf(meeting)
  await cancel(meeting, { cancel: 'current' })
  assert.equal((await alice.send('GET', detailsPath(meeting))).body[0].status, 'cancelled')
  await undo(meeting)
  assert.deepEqual(await everythingOf(meeting), before)
  clock.advance(31_000)
  assert.deepEqual(await due(), [])
})

test('after half a minute guests are mailed, and nothing can be undone', async () => {
  const meeting = await invited()
  await cancel(meeting, { cancel: 'all' })
  clock.advance(29_999)
  assert.deepEqual(await due(), [])
  clock.advance(1)
  await expectOver(meeting)
  assert.deepEqual(await due(), [
    'Cancelled: Stand-up CANCEL 1 to bob@example.org',
    'Cancelled: Stand-up CANCEL 1 to carol@example.org',
  ])
  await expectOver(meeting)
})

test('a date that is restored within half a minute sends no email, and later both are mailed', async () => {
  const meeting = await invited(mondays({ participants: ['carol@example.org'] }))
  await cancel(meeting, { cancel: 'current', occurrence: second })
  assert.deepEqual(await due(), [])
  clock.advance(2_000)
  await expectOk(alice.send('POST', `${occurrencePath(meeting, second)}/restore`))
  clock.advance(60_000)
  assert.deepEqual(await due(), [])
  await cancel(meeting, { cancel: 'current', occurrence: second })
  clock.advance(30_000)
  assert.deepEqual(await due(), ['Cancelled on 14 January 2030: Stand-up CANCEL 3 to carol@example.org'])
  await expectOk(alice.send('POST', `${occurrencePath(meeting, second)}/restore`))
  clock.advance(120_000)
  assert.deepEqual(await due(), ['Changed: Stand-up REQUEST 4 to carol@example.org'])
})

test('a meeting that is cancelled and restored before its invitation is sent is mailed as an invitation alone', async () => {
  const meeting = await schedule(alice, standUp({ participants: ['carol@example.org'] }))
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await due(), [])
  await undo(meeting)
  clock.advance(30_000)
  const [mail, ...others] = await app.mails({ gathering: true })
  assert.deepEqual(others, [])
  assert.deepEqual([subjectOf(mail), calendarProperty(mail, 'SEQUENCE')], ['Invitation: Stand-up', '2'])
})

test('what guests hold in calendars is the truth at each moment, and SEQUENCE rises', async () => {
  const meeting = await invited(standUp({ participants: [bob.email] }))
  const feed = await createFeed(bob)
  const events = async () =>
    (await (await fetch(`${app.base}${feed}`)).text()).match(/^BEGIN:VEVENT[\s\S]*?END:VEVENT/gm)
  const shown = async () => (await events())?.filter((event) => event.includes(meeting._id)) ?? []
  const [before] = await shown()
  assert.match(before ?? '', /SEQUENCE:0/)
  await cancel(meeting, { cancel: 'all' })
  assert.ok((await shown()).every((event) => /STATUS:CANCELLED/.test(event)))
  await undo(meeting)
  const [after] = await shown()
  assert.match(after ?? '', /SEQUENCE:2/)
  assert.doesNotMatch(after ?? '', /STATUS:CANCELLED/)
})

test('a second click, and one in another window, find that it is undone', async () => {
  const meeting = await invited()
  await cancel(meeting, { cancel: 'all' })
  const clicks = await Promise.all([undo(meeting), undo(meeting), undo(meeting)])
  assert.deepEqual(
    clicks.map(({ status, body }) => [status, body.__v]),
    [
      [200, 2],
      [200, 2],
      [200, 2],
    ],
  )
  clock.advance(60_000)
  await expectOk(undo(meeting))
  const events = await app.pool.query("select from event where meeting_id = $1 and type = 'meeting.updated'", [
    meeting._id,
  ])
  assert.equal(events.rowCount, 1)
  assert.deepEqual(await due(), [])
})

test('only the person who cancelled undoes it, and only by a session', async () => {
  const meeting = await invited(mondays({ cohosts: [bob.email] }))
  await cancel(meeting, { cancel: 'all' }, bob)
  await expectOver(meeting, alice)
  await expectProblem(undo(meeting, mallory), 'meeting_not_found')
  await expectOk(undo(meeting, bob))
  await cancel(meeting, { cancel: 'all' }, bob)
  const noCohost = { ...mondays(), cohosts: [] }
  // a cancelled meeting stays as it is
  await expectProblem(alice.send('PUT', detailsPath(meeting), noCohost), 'meeting_cancelled')
  clock.advance(30_000)
  await due()
})

test('a token mails at once, and has nothing to undo', async () => {
  const meeting = await invited(standUp({ participants: ['carol@example.org'] }))
  const { body } = await alice.send('POST', '/api/auth/tokens', {
    name: 'script',
    scopes: ['meeting:delete', 'meeting:update'],
  })
  const headers = { authorization: body.token }
  const cancelled = await sendRequest(app, 'POST', `${cancelPath(meeting)}?undoable=true`, { cancel: 'all' }, headers)
  assert.deepEqual(cancelled.body, { status: 'Your meeting has been cancelled successfully.' })
  assert.deepEqual(await due(), ['Cancelled: Stand-up CANCEL 1 to carol@example.org'])
  await expectProblem(sendRequest(app, 'POST', `${cancelPath(meeting)}/undo`, undefined, headers), 'session_required')
  await expectOver(meeting)
})

test('a series that was changed after dates were cancelled is not undone over that change', async () => {
  const meeting = await invited()
  await cancel(meeting, { cancel: 'following', occurrence: third })
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: second })
  await expectOver(meeting)
  clock.advance(150_000)
  await due()
})

test('no reminder of a date goes out while its cancellation can be undone, and none is lost by the undo', async () => {
  clock.set('2030-01-07T08:44:59Z')
  const meeting = await schedule(alice, mondays({ participants: ['rita@example.org'], reminderMinutes: 15 }))
  await due()
  const remind = () => app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const toRita = async () => (await due()).filter((mail) => mail.endsWith('rita@example.org'))
  await cancel(meeting, { cancel: 'all' })
  clock.set('2030-01-07T08:45:05Z')
  await remind()
  assert.deepEqual(await toRita(), [])
  await undo(meeting)
  await remind()
  assert.deepEqual(await toRita(), ['Reminder: Stand-up undefined undefined to rita@example.org'])
})

test('an administrator undoes a cancellation, and the host is not mailed of it', async () => {
  const meeting = await schedule(bob, standUp({ participants: ['carol@example.org'] }))
  await due()
  await cancel(meeting, { cancel: 'all' }, olga)
  await expectOk(undo(meeting, olga))
  clock.advance(150_000)
  const mails = await due()
  assert.ok(!mails.some((mail) => /cancel/i.test(mail)), mails.join())
})

test('the meetings of a host who has left stay cancelled', async () => {
  const meeting = await schedule(mallory, standUp({ cohosts: [alice.email], participants: [] }))
  await cancel(meeting, { cancel: 'all' }, alice)
  await app.pool.query('update account set deleted_at = $1 where email = $2', [clock.now(), mallory.email])
  await expectOver(meeting)
  await app.pool.query('update account set deleted_at = null where email = $1', [mallory.email])
  clock.advance(150_000)
  await due()
})

test('of a series with nothing ahead, neither the next date nor it and all that follow can be cancelled', async () => {
  const times = { startTime: '2029-12-03T09:00:00Z', endTime: '2029-12-03T09:30:00Z' }
  const repeatOptions = { ...mondays().repeatOptions, count: 2 }
  const meeting = await schedule(alice, mondays({ ...times, participants: [], repeatOptions }))
  const before = await alice.send('GET', detailsPath(meeting))
  for (const extent of ['current', 'following']) {
    await expectProblem(alice.send('POST', cancelPath(meeting), { cancel: extent }), 'invalid_request', [
      '/cancel occurrence_over',
    ])
  }
  assert.deepEqual((await alice.send('GET', detailsPath(meeting))).body, before.body)
})
