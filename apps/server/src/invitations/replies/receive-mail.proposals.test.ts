import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxProposals } from '@parley/rules/invitations/time-proposal'
import { googleReply, outlookReply, type ReplyFields } from '../../../test/meetings/calendar-replies.ts'
import { startReplyMailbox } from '../../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, standUp, weekdays } from '../../../test/people.ts'

const { app, clock, alice, bob, invite, receive, responseOf } = await startReplyMailbox()

type Proposal = {
  _id: string
  email: string
  occurrence?: { originalStartTime: string }
  startTime: string
  endTime: string
  comment?: string
}
const proposalsOf = async (meeting: { _id: string }): Promise<Proposal[]> =>
  (await alice.send('GET', `${detailsPath(meeting)}/proposals`)).body.proposals
const linesOf = async (meeting: { _id: string }) =>
  (await proposalsOf(meeting)).map(
    ({ email, occurrence, startTime, endTime, comment = '' }) =>
      `${email} ${occurrence?.originalStartTime.slice(5, 10) ?? ''} ${startTime.slice(5, 16)} ${endTime.slice(11, 16)} ${comment}`,
  )
const counter = (replyFields: ReplyFields, changes: Partial<ReplyFields> = {}): ReplyFields => ({
  ...replyFields,
  method: 'COUNTER',
  partstat: 'TENTATIVE',
  start: 'DTSTART:20300107T140000Z',
  ...changes,
})

test('the host sees the times that Google Calendar and Outlook propose, with comment; the answer counts too', async () => {
  const { meeting, replyFields } = await invite()
  const outlook = counter(replyFields, {
    start: 'DTSTART;TZID=W. Europe Standard Time:20300708T160000',
    lines: ['DTEND;TZID=W. Europe Standard Time:20300708T170000', 'COMMENT:After lunch?'],
  })
  assert.equal(await receive(outlookReply(outlook)), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob@example.org  07-08T14:00 15:00 After lunch?'])
  assert.equal(await responseOf(meeting), 'tentative')
  const google = counter(replyFields, {
    partstat: 'NEEDS-ACTION',
    stamp: '20300101T120001Z',
    lines: ['DURATION:PT45M'],
  })
  clock.set('2030-01-01T12:01:00Z')
  assert.equal(await receive(googleReply(google)), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob@example.org  01-07T14:00 14:45 '], 'in place of the former one')
  assert.equal(await responseOf(meeting), 'tentative')
  const { body } = await alice.send('GET', detailsPath(meeting))
  assert.deepEqual([body[0].startTime, body[0].__v], ['2030-01-07T09:00:00.000Z', 0])
  clock.set('2030-01-01T12:00:00Z')
})

test('takes the proposer from all attendees that a program lists', async () => {
  const { meeting, replyFields } = await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example'])
  const others = ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:dan@elsewhere.example', 'ATTENDEE:mailto:new@elsewhere.example']
  assert.equal(await receive(googleReply(counter(replyFields, { lines: others }))), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob@example.org  01-07T14:00 14:30 '])
  assert.equal(await responseOf(meeting, 'dan@elsewhere.example'), undefined)
  const stranger = counter(replyFields, { attendee: 'dan@elsewhere.example' })
  assert.equal(await receive(googleReply(stranger)), 'no-answer', 'the sender is not among them')
})

test('a proposal for one date of a series is about that date, and goes when it is moved', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  const lines = (day: number) => [`RECURRENCE-ID:203001${String(day).padStart(2, '0')}T090000Z`]
  const about = (day: number, changes: Partial<ReplyFields> = {}) =>
    receive(googleReply(counter(replyFields, { lines: lines(day), start: `DTSTART:203001${day}T140000Z`, ...changes })))
  assert.equal(await about(15), 'proposed')
  assert.equal(await about(16), 'proposed')
  assert.deepEqual(await linesOf(meeting), [
    'bob@example.org 01-15 01-15T14:00 14:30 ',
    'bob@example.org 01-16 01-16T14:00 14:30 ',
  ])
  assert.equal(await about(12), 'unknown-date')
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-17T09:00:00Z' })
  assert.equal(await about(17), 'cancelled')
  const moved = `${detailsPath(meeting)}/occurrences/2030-01-15T09:00:00Z`
  assert.equal((await alice.send('PUT', moved, { startTime: '2030-01-15T14:00:00Z' })).status, 200)
  assert.deepEqual(await linesOf(meeting), ['bob@example.org 01-16 01-16T14:00 14:30 '])
  assert.equal(await about(15), 'outdated', 'it is about the former time')
  const times = { startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), weekdays(times))
  assert.deepEqual(await linesOf(meeting), [])
  await app.mails()
})

test('what is dismissed stays so when the same mail comes again; a new proposal is shown', async () => {
  const { meeting, replyFields } = await invite()
  const dismiss = (id: string, person = alice) => person.send('POST', `${detailsPath(meeting)}/proposals/${id}/dismiss`)
  assert.equal(await receive(googleReply(counter(replyFields))), 'proposed')
  const [first] = await proposalsOf(meeting)
  assert.equal((await dismiss(first?._id ?? '')).status, 200)
  assert.deepEqual(await proposalsOf(meeting), [])
  assert.equal(await receive(googleReply(counter(replyFields))), 'recorded', 'its answer')
  assert.equal(await receive(googleReply(counter(replyFields, { partstat: 'NEEDS-ACTION' }))), 'outdated')
  assert.deepEqual(await proposalsOf(meeting), [])
  clock.set('2030-01-01T12:01:00Z')
  assert.equal(await receive(googleReply(counter(replyFields, { stamp: '20300101T120001Z' }))), 'proposed')
  assert.equal((await proposalsOf(meeting)).length, 1)
  clock.set('2030-01-01T12:00:00Z')
})

test('only the invited guest proposes, in a mail to their own address', async () => {
  const [{ meeting, replyFields }, other] = [
    await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example']),
    await invite(),
  ]
  const wrong: [string, Partial<ReplyFields>, string][] = [
    ['the token of another meeting', { to: other.replyFields.to }, 'wrong-token'],
    ['another meeting', { uid: other.replyFields.uid }, 'wrong-token'],
    ['a forged sender', { from: 'dan@elsewhere.example' }, 'wrong-token'],
    ['a stranger', { from: 'mallory@example.org' }, 'wrong-token'],
    ['no token', { to: 'rsvp@meet.example.org' }, 'wrong-token'],
    ['another service', { uid: replyFields.uid.replace('parley.test', 'elsewhere.test') }, 'unknown-meeting'],
    ['a declined counterproposal', { method: 'DECLINECOUNTER' }, 'no-answer'],
  ]
  for (const [name, change, expected] of wrong) {
    assert.equal(await receive(googleReply(counter(replyFields, change))), expected, name)
  }
  assert.deepEqual(await proposalsOf(meeting), [])
  assert.deepEqual(await proposalsOf(other.meeting), [])
})

test('takes no times that have passed, that the meeting has, or that make no meeting', async () => {
  const { meeting, replyFields } = await invite()
  const silent = { partstat: 'NEEDS-ACTION' }
  const starts = [
    'DTSTART:20300101T120000Z',
    'DTSTART:20300107T090000Z',
    'DTSTART:99991231T235959Z',
    'DTSTART:tomorrow',
    'DTSTART;VALUE=PERIOD:20300108T000000Z/PT1H',
    'X-NONE:1',
  ]
  for (const start of starts)
    assert.equal(await receive(googleReply(counter(replyFields, { ...silent, start }))), 'no-answer', start)
  for (const line of ['DTEND:20300107T140000Z', 'DTEND:20300109T140000Z', 'DURATION:-PT1H', 'DURATION:P400D']) {
    assert.equal(await receive(googleReply(counter(replyFields, { ...silent, lines: [line] }))), 'no-answer', line)
  }
  assert.deepEqual(await proposalsOf(meeting), [])
})

test(`a guest leaves at most ${maxProposals} proposals, however many mails come`, async () => {
  const daily = weekdays({ repeatOptions: { repeat: 'daily', timeZone: 'GMT' } })
  const { meeting, replyFields } = await invite(daily)
  const propose = (day: number, minute = 0) => {
    const date = `203001${String(day).padStart(2, '0')}`
    const stamp = `20300101T12${String(minute).padStart(2, '0')}00Z`
    const lines = [`RECURRENCE-ID:${date}T090000Z`]
    return receive(
      googleReply(counter(replyFields, { partstat: 'NEEDS-ACTION', lines, start: `DTSTART:${date}T140000Z`, stamp })),
    )
  }
  clock.set('2030-01-01T13:00:00Z')
  const outcomes: string[] = []
  for (let day = 10; day < 30; day++) outcomes.push(await propose(day))
  assert.deepEqual([...new Set(outcomes.slice(0, maxProposals))], ['proposed'])
  assert.deepEqual([...new Set(outcomes.slice(maxProposals))], ['too-many'])
  for (let minute = 1; minute < 20; minute++) assert.equal(await propose(10, minute), 'proposed')
  const proposals = await proposalsOf(meeting)
  assert.equal(proposals.length, maxProposals)
  const [first] = proposals
  await alice.send('POST', `${detailsPath(meeting)}/proposals/${first?._id}/dismiss`)
  assert.equal(await propose(25, 30), 'proposed', 'a dismissed one makes room')
  assert.equal(await propose(26, 30), 'too-many')
  const { count } = await app.database
    .selectFrom('timeProposal')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('meetingId', '=', meeting._id)
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), maxProposals)
  clock.set('2030-01-01T12:00:00Z')
  assert.equal((await bob.send('GET', `${detailsPath(meeting)}/proposals`)).body.code, 'forbidden')
})
