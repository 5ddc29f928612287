import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarProperty, createMailServer, listed, refusal, silence } from '../../../test/mailbox.ts'
import { cancelPath, detailsPath, schedule, standUp, weekdays } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { useApp } from '../../../test/use-app.ts'

const { mailer, openMailbox } = createMailServer()
const { app, clock, meet } = await useApp({
  start: '2030-01-01T12:00:00Z',
  mailer,
  environment: { RATE_LIMITS: 'off' },
})

/** Run every waiting delivery, whatever it waits for. */
async function runDeliveries() {
  await app.pool.query("update graphile_worker._private_jobs set run_at = now() - interval '1 second'")
  await app.mails()
}

/** Meet Alice, who hosts meetings with Bob, and sees which emails her guests get. */
async function meetHost() {
  const [alice, bob, carol, dan] = await meet('Alice', 'Bob', 'Carol', 'Dan')
  const box = openMailbox(bob.email, carol.email, dan.email)
  async function deliver(): Promise<string[]> {
    await runDeliveries()
    return listed(box.taken.splice(0))
  }
  return {
    alice,
    bob,
    carol,
    dan,
    box,
    deliver,
    /** Let the mail server refuse all emails for now. */
    away() {
      box.refuse = ({ to }) => refusal(to, 451)
    },
    back() {
      box.refuse = () => undefined
    },
    withBob: (changes: object = {}, make = standUp) => make({ participants: [bob.email], ...changes }),
    put: (meeting: { _id: string }, body: object, query = '') =>
      expectOk(alice.send('PUT', `${detailsPath(meeting)}${query}`, body)),
    cancel: (meeting: { _id: string }, body: object, query = '') =>
      expectOk(alice.send('POST', `${cancelPath(meeting)}${query}`, body)),
    /** Schedule a meeting whose invitation has arrived. */
    async invite(meeting: object) {
      const scheduled = await schedule(alice, meeting)
      await deliver()
      return scheduled
    },
  }
}

test('drops both a waiting invitation and the cancellation after it', async () => {
  const { alice, deliver, away, back, withBob, cancel } = await meetHost()
  away()
  const meeting = await schedule(alice, withBob({}, weekdays))
  assert.deepEqual(await deliver(), [])
  await cancel(meeting, { cancel: 'all' })
  await deliver()
  back()
  assert.deepEqual(await deliver(), [])
})

test('emails nothing to a guest who is removed before the invitation is sent, and the invitation when invited again', async () => {
  const { alice, bob, deliver, away, back, withBob, put } = await meetHost()
  away()
  const meeting = await schedule(alice, withBob())
  await deliver()
  await put(meeting, withBob({ participants: [] }))
  await deliver()
  back()
  assert.deepEqual(await deliver(), [])
  await put(meeting, withBob())
  assert.deepEqual(await deliver(), [`Invitation: Stand-up REQUEST 2 to ${bob.email}`])
})

test('excludes a date from a waiting invitation when it is cancelled', async () => {
  const { alice, bob, box, deliver, away, back, withBob, cancel } = await meetHost()
  away()
  const meeting = await schedule(alice, withBob({}, weekdays))
  await deliver()
  await cancel(meeting, { cancel: 'current' })
  await deliver()
  back()
  await runDeliveries()
  assert.deepEqual(listed(box.taken), [`Invitation: Stand-up REQUEST 1 to ${bob.email}`])
  assert.equal(calendarProperty(box.taken[0], 'EXDATE'), 'TZID=Europe/London:20300107T090000')
})

test('merges a waiting move and the cancellation of a date into one REQUEST', async () => {
  const { box, deliver, away, back, withBob, put, cancel, invite } = await meetHost()
  const meeting = await invite(withBob({}, weekdays))
  away()
  await put(meeting, withBob({ startTime: '2030-01-07T15:00:00Z', endTime: '2030-01-07T15:30:00Z' }, weekdays))
  await deliver()
  await cancel(meeting, { cancel: 'current' })
  await deliver()
  back()
  await runDeliveries()
  const [mail, ...others] = box.taken
  assert.deepEqual(others, [])
  assert.equal(`${mail?.calendar?.method} ${calendarProperty(mail, 'SEQUENCE')}`, 'REQUEST 2')
  assert.equal(calendarProperty(mail, 'DTSTART'), 'TZID=Europe/London:20300107T150000')
  assert.equal(calendarProperty(mail, 'EXDATE'), 'TZID=Europe/London:20300107T150000')
})

test('tells guests from when on a series ends by an end date in the past', async () => {
  const { bob, box, withBob, put, invite } = await meetHost()
  const meeting = await invite(withBob({}, weekdays))
  clock.set('2030-01-09T12:00:00Z')
  const { repeatOptions } = weekdays()
  await put(meeting, withBob({ repeatOptions: { ...repeatOptions, endDate: '2030-01-09T10:00:00Z' } }, weekdays))
  await runDeliveries()
  const [mail] = box.taken
  assert.deepEqual(listed(box.taken), [`Cancelled from 10 January 2030: Stand-up REQUEST 1 to ${bob.email}`])
  assert.match(calendarProperty(mail, 'RRULE') ?? '', /UNTIL=20300109T090000Z/)
})

test('removes a meeting that is moved into the past from future ones; a cancellation after it emails no guest', async () => {
  const { bob, box, deliver, withBob, put, cancel, invite } = await meetHost()
  const meeting = await invite(withBob())
  const past = { startTime: '2029-12-03T09:00:00Z', endTime: '2029-12-03T09:30:00Z' }
  await put(meeting, withBob(past))
  await runDeliveries()
  const [mail] = box.taken
  assert.deepEqual(listed(box.taken.splice(0)), [`Changed: Stand-up REQUEST 1 to ${bob.email}`])
  assert.match(mail?.text ?? '', /When\n {2}Before: .*7 January 2030.*\n {2}Now: .*3 December 2029/)
  assert.doesNotMatch(mail?.text ?? '', /Are you coming|Join the meeting/)
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [])
})

test('tells the guest of a cancellation after a move into the past during a mail outage', async () => {
  const { bob, deliver, away, back, withBob, put, cancel, invite } = await meetHost()
  const meeting = await invite(withBob())
  away()
  await put(meeting, withBob({ startTime: '2029-12-03T09:00:00Z', endTime: '2029-12-03T09:30:00Z' }))
  await deliver()
  await cancel(meeting, { cancel: 'all' })
  back()
  assert.deepEqual(await deliver(), [`Cancelled: Stand-up CANCEL 2 to ${bob.email}`])
})

test('emails silent changes with the next notified one, compared with the last email sent', async () => {
  const { bob, box, deliver, withBob, put, cancel, invite } = await meetHost()
  const meeting = await invite(withBob({}, weekdays))
  await put(meeting, withBob({ topic: 'Sit-down' }, weekdays), '?sendUpdates=none')
  await cancel(meeting, { cancel: 'current' }, '?sendUpdates=none')
  assert.deepEqual(await deliver(), [])
  await cancel(meeting, { cancel: 'current', occurrence: '2030-01-14T09:00:00Z' })
  await runDeliveries()
  const [mail] = box.taken
  assert.deepEqual(listed(box.taken), [`Changed: Sit-down REQUEST 3 to ${bob.email}`])
  const cancellations = mail?.calendar?.text.match(/^EXDATE.*$/gm)?.map((line) => /:(\d{8})/.exec(line)?.[1])
  assert.deepEqual(cancellations, ['20300107', '20300114'])
  assert.match(mail?.text ?? '', /Topic\n {2}Before: Stand-up\n {2}Now: Sit-down/)
  const gone = /No longer takes place: Monday, 7 January 2030 at 09:00\n {2}Monday, 14 January 2030 at 09:00\n/
  assert.match(mail?.text ?? '', gone)
})

test('emails nothing to a guest added silently and then removed; guests who stay are invited by the next change', async () => {
  const { bob, carol, dan, deliver, withBob, put, invite } = await meetHost()
  const meeting = await invite(withBob())
  await put(meeting, withBob({ participants: [bob.email, carol.email, dan.email] }), '?sendUpdates=none')
  await put(meeting, withBob({ participants: [bob.email, dan.email] }))
  assert.deepEqual(await deliver(), [`Invitation: Stand-up REQUEST 2 to ${dan.email}`])
})

test('tells a silently removed guest with the next change, and not before', async () => {
  const { bob, carol, dan, deliver, withBob, put, invite } = await meetHost()
  const meeting = await invite(withBob({ participants: [bob.email, carol.email] }))
  await put(meeting, withBob(), '?sendUpdates=none')
  assert.deepEqual(await deliver(), [])
  await put(meeting, withBob({ participants: [bob.email, dan.email] }))
  const mails = await deliver()
  assert.deepEqual(mails.toSorted(), [
    `Invitation: Stand-up REQUEST 2 to ${dan.email}`,
    `No longer invited: Stand-up CANCEL 2 to ${carol.email}`,
  ])
})

test('a cancellation shows the time that the guest knows, whatever was changed silently before', async () => {
  const { box, withBob, put, cancel, invite } = await meetHost()
  const meeting = await invite(withBob())
  const moved = withBob({ startTime: '2030-01-08T15:00:00Z', endTime: '2030-01-08T15:30:00Z' })
  await put(meeting, moved, '?sendUpdates=none')
  await cancel(meeting, { cancel: 'all' })
  await runDeliveries()
  assert.match(box.taken[0]?.text ?? '', /Was scheduled for: Monday,? 7 January 2030/)
  assert.equal(calendarProperty(box.taken[0], 'SEQUENCE'), '2')
})

test('emails after a 550 match the state that the guest holds', async () => {
  const { alice, bob, box, deliver, back, withBob, put, cancel } = await meetHost()
  box.refuse = ({ to }) => refusal(to, 550)
  const meeting = await schedule(alice, withBob())
  await deliver()
  await put(meeting, withBob({ topic: 'Sit-down' }))
  await deliver()
  back()
  await put(meeting, withBob({ topic: 'Walk' }))
  assert.deepEqual(await deliver(), [`Invitation: Walk REQUEST 2 to ${bob.email}`])
  box.refuse = ({ to }) => refusal(to, 550)
  await put(meeting, withBob({ topic: 'Run' }))
  await deliver()
  back()
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [`Cancelled: Walk CANCEL 4 to ${bob.email}`])
})

test('sends no cancellation to a guest who got no email', async () => {
  const { alice, box, deliver, back, withBob, cancel } = await meetHost()
  box.refuse = ({ to }) => refusal(to, 550)
  const meeting = await schedule(alice, withBob())
  await deliver()
  back()
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [])
})

test('saving a meeting again emails the guests who missed its last change', async () => {
  const { bob, carol, box, deliver, back, withBob, put, invite } = await meetHost()
  const meeting = await invite(withBob({ participants: [bob.email, carol.email] }))
  box.refuse = ({ to }) => (to === carol.email ? refusal(to, 550) : undefined)
  const changed = withBob({ participants: [bob.email, carol.email], topic: 'Sit-down' })
  await put(meeting, changed)
  assert.deepEqual(await deliver(), [`Changed: Sit-down REQUEST 1 to ${bob.email}`])
  back()
  await put(meeting, changed)
  assert.deepEqual(await deliver(), [`Changed: Sit-down REQUEST 1 to ${carol.email}`])
  await put(meeting, changed)
  assert.deepEqual(await deliver(), [])
})

test('repeats an invitation whose reply was lost under the same identifiers, and counts it as arrived', async () => {
  const { alice, bob, box, deliver, withBob, cancel } = await meetHost()
  box.loseAnswer = silence
  const meeting = await schedule(alice, withBob({}, weekdays))
  await runDeliveries()
  await runDeliveries()
  assert.equal(box.taken.length, 2)
  const [first, again] = box.taken.splice(0)
  assert.equal(first?.messageId, again?.messageId)
  assert.equal(first?.calendar?.text, again?.calendar?.text)
  await cancel(meeting, { cancel: 'all' })
  box.loseAnswer = () => undefined
  assert.deepEqual(await deliver(), [`Cancelled: Stand-up CANCEL 1 to ${bob.email}`])
})

test('sends the cancellation of a date as a REQUEST after a change that may have arrived', async () => {
  const { bob, box, deliver, withBob, put, cancel, invite } = await meetHost()
  const meeting = await invite(withBob({}, weekdays))
  box.loseAnswer = silence
  await put(meeting, withBob({ topic: 'Sit-down' }, weekdays))
  await deliver()
  box.loseAnswer = () => undefined
  await cancel(meeting, { cancel: 'current' })
  assert.deepEqual(await deliver(), [`Changed: Sit-down REQUEST 2 to ${bob.email}`])
  await cancel(meeting, { cancel: 'current', occurrence: '2030-01-14T09:00:00Z' })
  assert.deepEqual(await deliver(), [`Cancelled on 14 January 2030: Sit-down CANCEL 3 to ${bob.email}`])
})

test('emails the reversal of a change that may have arrived', async () => {
  const { bob, box, deliver, withBob, put, invite } = await meetHost()
  const meeting = await invite(withBob())
  box.loseAnswer = silence
  await put(meeting, withBob({ topic: 'Sit-down' }))
  await deliver()
  box.loseAnswer = () => undefined
  await put(meeting, withBob())
  await runDeliveries()
  assert.deepEqual(listed(box.taken), [`Changed: Stand-up REQUEST 2 to ${bob.email}`])
  assert.match(box.taken[0]?.text ?? '', /Topic\n {2}Before: Sit-down\n {2}Now: Stand-up/)
})

test('a restored meeting is mailed after a cancellation that may have arrived, and not after one that was refused', async () => {
  const { alice, bob, box, deliver, away, back, withBob, cancel, invite } = await meetHost()
  const meeting = await invite(withBob())
  const restore = () => expectOk(alice.send('POST', `${cancelPath(meeting)}/restore`))
  box.loseAnswer = silence
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [`Cancelled: Stand-up CANCEL 1 to ${bob.email}`])
  await restore()
  assert.deepEqual(await deliver(), [`Takes place again: Stand-up REQUEST 2 to ${bob.email}`])
  box.loseAnswer = () => undefined
  assert.deepEqual(await deliver(), [`Takes place again: Stand-up REQUEST 2 to ${bob.email}`])

  away()
  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [])
  await restore()
  back()
  assert.deepEqual(await deliver(), [])

  await cancel(meeting, { cancel: 'all' })
  assert.deepEqual(await deliver(), [`Cancelled: Stand-up CANCEL 5 to ${bob.email}`])
  away()
  await restore()
  await deliver()
  await cancel(meeting, { cancel: 'all' })
  back()
  assert.deepEqual(await deliver(), [])
})

test('a message is sent once, also where a change without one follows while its mail is handed over', async () => {
  const { box, withBob, put, invite } = await meetHost()
  const meeting = await invite(withBob())
  const sent = async (following: object) => {
    box.loseAnswer = async () => {
      box.loseAnswer = () => undefined
      clock.advance(1)
      await put(meeting, withBob(following))
    }
    await put(meeting, withBob({ topic: 'One', message: 'The room is taken.' }))
    await runDeliveries()
    await runDeliveries()
    return box.taken.splice(0).map(({ subject, text }) => [/One|Two/.exec(subject)?.[0], /^> .*$/m.exec(text)?.[0]])
  }
  assert.deepEqual(await sent({ topic: 'Two' }), [
    ['One', '> The room is taken.'],
    ['Two', undefined],
  ])
  assert.deepEqual(await sent({ topic: 'Two', message: 'All is well.' }), [
    ['One', '> The room is taken.'],
    ['Two', '> All is well.'],
  ])
})

test('emails of one guest do not wait for those of another', async () => {
  const { alice, bob, carol, box, deliver, back, withBob, put } = await meetHost()
  box.refuse = ({ to }) => (to === bob.email ? refusal(to, 451) : undefined)
  const meeting = await schedule(alice, withBob({ participants: [bob.email, carol.email] }))
  assert.deepEqual(await deliver(), [`Invitation: Stand-up REQUEST 0 to ${carol.email}`])
  await put(meeting, withBob({ participants: [bob.email, carol.email], topic: 'Sit-down' }))
  assert.deepEqual(await deliver(), [`Changed: Sit-down REQUEST 1 to ${carol.email}`])
  back()
  assert.deepEqual(await deliver(), [`Invitation: Sit-down REQUEST 1 to ${bob.email}`])
})
