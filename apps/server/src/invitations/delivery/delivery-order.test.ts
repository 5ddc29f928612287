import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { calendarProperty, listed, openMailbox, refusal, silence } from '../../../test/mailbox.ts'
import { cancelPath, detailsPath, type Person, schedule, signUp, standUp, weekdays } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const box = openMailbox()
const app = await startApp({ clock, mailer: box.mailer, environment: { RATE_LIMITS: 'off' } })
const alice = await signUp(app, 'Alice')

beforeEach(() => {
  clock.set('2030-01-01T12:00:00Z')
  box.taken.length = 0
  box.refuse = () => undefined
  box.loseAnswer = () => undefined
})

/** Run every waiting delivery, whatever it waits for. */
async function deliver(): Promise<string[]> {
  await app.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await app.mails()
  return listed(box.taken.splice(0))
}
const away = () => {
  box.refuse = ({ to }) => refusal(to, 451)
}
const back = () => {
  box.refuse = () => undefined
}

const bob = ['bob@example.org']
const put = async (meeting: { _id: string }, body: object, query = '') => {
  const answer = await alice.send('PUT', `${detailsPath(meeting)}${query}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
const cancel = async (meeting: { _id: string }, body: object, query = '') => {
  const answer = await alice.send('POST', `${cancelPath(meeting)}${query}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}
/** A meeting whose invitation has arrived. */
async function invite(meeting: object, host: Person = alice) {
  const scheduled = await schedule(host, meeting)
  await deliver()
  return scheduled
}

test('drops both a waiting invitation and the cancellation after it', async () => {
  away()
  const meeting = await schedule(alice, weekdays())
  assert.deepEqual(await deliver(), [])
  await cancel(meeting, { cancel: 'all' })
  await deliver()
  back()
  assert.deepEqual(await deliver(), [])
})

test('emails nothing to a guest who is removed before the invitation is sent, and the invitation when invited again', async () => {
  away()
  const meeting = await schedule(alice, standUp())
  await deliver()
  await put(meeting, standUp({ participants: [] }))
  await deliver()
  back()
  assert.deepEqual(await deliver(), [])
  await put(meeting, standUp())
  assert.deepEqual(await deliver(), ['Invitation: Stand-up REQUEST 2 to bob@example.org'])
})

test('excludes a date from a waiting invitation when it is cancelled', async () => {
  away()
  const meeting = await schedule(alice, weekdays())
  await deliver()
  await cancel(meeting, { cancel: 'current' })
  await deliver()
  back()
  await app.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await app.mails()
  assert.deepEqual(listed(box.taken), ['Invitation: Stand-up REQUEST 1 to bob@example.org'])
  assert.equal(calendarProperty(box.taken[0], 'EXDATE'), 'TZID=Europe/London:20300107T090000')
})

test('merges a waiting move and the cancellation of a date into one REQUEST', async () => {
  const meeting = await invite(weekdays())
  away()
  await put(meeting, weekdays({ startTime: '2030-01-07T15:00:00Z', endTime: '2030-01-07T15:30:00Z' }))
  await deliver()
  await cancel(meeting, { cancel: 'current' })
  await deliver()
  back()
  await app.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await app.mails()
  const [mail, ...others] = box.taken
  assert.deepEqual(others, [])
  assert.equal(`${mail?.calendar?.method} ${calendarProperty(mail, 'SEQUENCE')}`, 'REQUEST 2')
  assert.equal(calendarProperty(mail, 'DTSTART'), 'TZID=Europe/London:20300107T150000')
  assert.equal(calendarProperty(mail, 'EXDATE'), 'TZID=Europe/London:20300107T150000')
})

test('tells guests from when on a series ends by an end date in the past', async () => {
  const meeting = await invite(weekdays())
  clock.set('2030-01-09T12:00:00Z')
  const { repeatOptions } = weekdays()
  await put(meeting, weekdays({ repeatOptions: { ...repeatOptions, endDate: '2030-01-09T10:00:00Z' } }))
  await app.mails()
  const [mail] = box.taken
  assert.deepEqual(listed(box.taken), ['Cancelled from 10 January 2030: Stand-up REQUEST 1 to bob@example.org'])
  assert.match(calendarProperty(mail, 'RRULE') ?? '', /UNTIL=20300109T090000Z/)
})

test('removes a meeting that is moved into the past from future ones; a cancellation after it emails no guest', async () => {
  const meeting = await invite(standUp())
  const past = { startTime: '2029-12-03T09:00:00Z', endTime: '2029-12-03T09:30:00Z' }
  await put(meeting, standUp(past))
  await app.mails()
  const [mail] = box.taken
  assert.deepEqual(listed(box.taken.splice(0)), ['Changed: Stand-up REQUEST 1 to bob@example.org'])
  assert.match(mail?.text ?? '', /When\n {2}Before: .*7 January 2030.*\n {2}Now: .*3 December 2029/)
  assert.doesNotMatch(mail?.text ?? '', /Are you coming|Join the meeting/)
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [])
})

test('tells the guest of a cancellation after a move into the past during a mail outage', async () => {
  const meeting = await invite(standUp())
  away()
  await put(meeting, standUp({ startTime: '2029-12-03T09:00:00Z', endTime: '2029-12-03T09:30:00Z' }))
  await deliver()
  await cancel(meeting, { cancel: 'all' })
  back()
  assert.deepEqual(await deliver(), ['Cancelled: Stand-up CANCEL 2 to bob@example.org'])
})

test('emails silent changes with the next notified one, compared with the last email sent', async () => {
  const meeting = await invite(weekdays())
  await put(meeting, weekdays({ topic: 'Sit-down' }), '?sendUpdates=none')
  await cancel(meeting, { cancel: 'current' }, '?sendUpdates=none')
  assert.deepEqual(await deliver(), [])
  await cancel(meeting, { cancel: 'current', occurrence: '2030-01-14T09:00:00Z' })
  await app.mails()
  const [mail] = box.taken
  assert.deepEqual(listed(box.taken), ['Changed: Sit-down REQUEST 3 to bob@example.org'])
  const cancellations = mail?.calendar?.text.match(/^EXDATE.*$/gm)?.map((line) => /:(\d{8})/.exec(line)?.[1])
  assert.deepEqual(cancellations, ['20300107', '20300114'])
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Stand-up\n {2}Now: Sit-down/)
  const gone = /No longer takes place: Monday, 7 January 2030 at 09:00\n {2}Monday, 14 January 2030 at 09:00\n/
  assert.match(mail?.text ?? '', gone)
})

test('emails nothing to a guest added silently and then removed; guests who stay are invited by the next change', async () => {
  const meeting = await invite(standUp())
  await put(meeting, standUp({ participants: [...bob, 'carol@example.org', 'dan@example.org'] }), '?sendUpdates=none')
  await put(meeting, standUp({ participants: [...bob, 'dan@example.org'] }))
  assert.deepEqual(await deliver(), ['Invitation: Stand-up REQUEST 2 to dan@example.org'])
})

test('tells a silently removed guest with the next change, and not before', async () => {
  const meeting = await invite(standUp({ participants: [...bob, 'carol@example.org'] }))
  await put(meeting, standUp(), '?sendUpdates=none')
  assert.deepEqual(await deliver(), [])
  await put(meeting, standUp({ participants: [...bob, 'dan@example.org'] }))
  const mails = await deliver()
  assert.deepEqual(mails.toSorted(), [
    'Invitation: Stand-up REQUEST 2 to dan@example.org',
    'No longer invited: Stand-up CANCEL 2 to carol@example.org',
  ])
})

test('a cancellation shows the time that the guest knows, whatever was changed silently before', async () => {
  const meeting = await invite(standUp())
  const moved = standUp({ startTime: '2030-01-08T15:00:00Z', endTime: '2030-01-08T15:30:00Z' })
  await put(meeting, moved, '?sendUpdates=none')
  await cancel(meeting, { cancel: 'all' })
  await app.mails()
  assert.match(box.taken[0]?.text ?? '', /Was scheduled for: Monday,? 7 January 2030/)
  assert.equal(calendarProperty(box.taken[0], 'SEQUENCE'), '2')
})

test('emails after a 550 match the state that the guest holds', async () => {
  box.refuse = ({ to }) => refusal(to, 550)
  const meeting = await schedule(alice, standUp())
  await deliver()
  await put(meeting, standUp({ topic: 'Sit-down' }))
  await deliver()
  back()
  await put(meeting, standUp({ topic: 'Walk' }))
  assert.deepEqual(await deliver(), ['Invitation: Walk REQUEST 2 to bob@example.org'])
  box.refuse = ({ to }) => refusal(to, 550)
  await put(meeting, standUp({ topic: 'Run' }))
  await deliver()
  back()
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), ['Cancelled: Walk CANCEL 4 to bob@example.org'])
})

test('sends no cancellation to a guest who got no email', async () => {
  box.refuse = ({ to }) => refusal(to, 550)
  const meeting = await schedule(alice, standUp())
  await deliver()
  back()
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [])
})

test('saving a meeting again emails the guests who missed its last change', async () => {
  const meeting = await invite(standUp({ participants: [...bob, 'carol@example.org'] }))
  box.refuse = ({ to }) => (to === 'carol@example.org' ? refusal(to, 550) : undefined)
  const changed = standUp({ participants: [...bob, 'carol@example.org'], topic: 'Sit-down' })
  await put(meeting, changed)
  assert.deepEqual(await deliver(), ['Changed: Sit-down REQUEST 1 to bob@example.org'])
  back()
  await put(meeting, changed)
  assert.deepEqual(await deliver(), ['Changed: Sit-down REQUEST 1 to carol@example.org'])
  await put(meeting, changed)
  assert.deepEqual(await deliver(), [])
})

test('repeats an invitation whose reply was lost under the same identifiers, and counts it as arrived', async () => {
  box.loseAnswer = silence
  const meeting = await schedule(alice, weekdays())
  await app.mails()
  await app.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await app.mails()
  assert.equal(box.taken.length, 2)
  const [first, again] = box.taken.splice(0)
  assert.equal(first?.messageId, again?.messageId)
  assert.equal(first?.calendar?.text, again?.calendar?.text)
  await cancel(meeting, { cancel: 'all' })
  box.loseAnswer = () => undefined
  assert.deepEqual(await deliver(), ['Cancelled: Stand-up CANCEL 1 to bob@example.org'])
})

test('sends the cancellation of a date as a REQUEST after a change that may have arrived', async () => {
  const meeting = await invite(weekdays())
  box.loseAnswer = silence
  await put(meeting, weekdays({ topic: 'Sit-down' }))
  await deliver()
  box.loseAnswer = () => undefined
  await cancel(meeting, { cancel: 'current' })
  assert.deepEqual(await deliver(), ['Changed: Sit-down REQUEST 2 to bob@example.org'])
  await cancel(meeting, { cancel: 'current', occurrence: '2030-01-14T09:00:00Z' })
  assert.deepEqual(await deliver(), ['Cancelled on 14 January 2030: Sit-down CANCEL 3 to bob@example.org'])
})

test('emails the reversal of a change that may have arrived', async () => {
  const meeting = await invite(standUp())
  box.loseAnswer = silence
  await put(meeting, standUp({ topic: 'Sit-down' }))
  await deliver()
  box.loseAnswer = () => undefined
  await put(meeting, standUp())
  await app.mails()
  assert.deepEqual(listed(box.taken), ['Changed: Stand-up REQUEST 2 to bob@example.org'])
  assert.match(box.taken[0]?.text ?? '', /Topic\n {2}Before: Sit-down\n {2}Now: Stand-up/)
})

test('emails of one guest do not wait for those of another', async () => {
  box.refuse = ({ to }) => (to === 'bob@example.org' ? refusal(to, 451) : undefined)
  const meeting = await schedule(alice, standUp({ participants: [...bob, 'carol@example.org'] }))
  assert.deepEqual(await deliver(), ['Invitation: Stand-up REQUEST 0 to carol@example.org'])
  await put(meeting, standUp({ participants: [...bob, 'carol@example.org'], topic: 'Sit-down' }))
  assert.deepEqual(await deliver(), ['Changed: Sit-down REQUEST 1 to carol@example.org'])
  back()
  assert.deepEqual(await deliver(), ['Invitation: Sit-down REQUEST 1 to bob@example.org'])
})
