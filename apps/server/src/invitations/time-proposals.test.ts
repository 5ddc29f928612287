import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxProposals } from '@parley/rules/invitations/time-proposal'
import { googleReply, outlookReply, type ReplyFields } from '../../test/meetings/calendar-replies.ts'
import { useReplyMailbox } from '../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, standUp, weekdays } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'

const { app, clock, receive, meetGuests } = await useReplyMailbox()

type Meeting = { _id: string }
type Proposal = {
  _id: string
  email: string
  occurrence?: { originalStartTime: string }
  startTime: string
  endTime: string
  comment?: string
}
const pathOf = (meeting: Meeting) => `${detailsPath(meeting)}/proposals`

/** Meet Alice, who hosts and reads what her guests propose. */
async function meetHost() {
  const people = await meetGuests()
  const { alice } = people
  const proposalsOf = async (meeting: Meeting): Promise<Proposal[]> =>
    (await expectOk(alice.send('GET', pathOf(meeting)))).proposals
  return {
    ...people,
    proposalsOf,
    /** The proposals in a line each: the guest, the date of a series, and the times. */
    linesOf: async (meeting: Meeting) =>
      (await proposalsOf(meeting)).map(
        ({ email, occurrence, startTime, endTime, comment = '' }) =>
          `${email.split('.')[0]} ${occurrence?.originalStartTime.slice(5, 10) ?? ''} ${startTime.slice(5, 16)} ${endTime.slice(11, 16)} ${comment}`,
      ),
    /** Dismiss a proposal. */
    dismiss: (meeting: Meeting, id: string | undefined, person = alice) =>
      person.send('POST', `${pathOf(meeting)}/${id}/dismiss`),
    /** Invite Bob, who proposes another time. */
    async propose(meeting: object = standUp()) {
      const invited = await people.invite(meeting)
      const start = 'DTSTART:20300107T140000Z'
      const counter = { ...invited.replyFields, method: 'COUNTER', start, lines: ['COMMENT:Later?'] }
      assert.equal(await receive(googleReply(counter)), 'proposed')
      return invited.meeting
    },
  }
}

const counter = (replyFields: ReplyFields, changes: Partial<ReplyFields> = {}): ReplyFields => ({
  ...replyFields,
  method: 'COUNTER',
  partstat: 'TENTATIVE',
  start: 'DTSTART:20300107T140000Z',
  ...changes,
})

test('the host sees the times that Google Calendar and Outlook propose, with comment; the answer counts too', async () => {
  const { alice, invite, responseOf, linesOf } = await meetHost()
  const { meeting, replyFields } = await invite()
  const outlook = counter(replyFields, {
    start: 'DTSTART;TZID=W. Europe Standard Time:20300708T160000',
    lines: ['DTEND;TZID=W. Europe Standard Time:20300708T170000', 'COMMENT:After lunch?'],
  })
  assert.equal(await receive(outlookReply(outlook)), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob  07-08T14:00 15:00 After lunch?'])
  assert.equal(await responseOf(meeting), 'tentative')
  const google = counter(replyFields, {
    partstat: 'NEEDS-ACTION',
    stamp: '20300101T120001Z',
    lines: ['DURATION:PT45M'],
  })
  clock.set('2030-01-01T12:01:00Z')
  assert.equal(await receive(googleReply(google)), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob  01-07T14:00 14:45 '], 'in place of the former one')
  assert.equal(await responseOf(meeting), 'tentative')
  const { body } = await alice.send('GET', detailsPath(meeting))
  assert.deepEqual([body[0].startTime, body[0].__v], ['2030-01-07T09:00:00.000Z', 0])
})

test('takes the proposer from all attendees that a program lists', async () => {
  const { bob, invite, responseOf, linesOf } = await meetHost()
  const { meeting, replyFields } = await invite(standUp(), [bob.email, 'dan@elsewhere.example'])
  const others = ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:dan@elsewhere.example', 'ATTENDEE:mailto:new@elsewhere.example']
  assert.equal(await receive(googleReply(counter(replyFields, { lines: others }))), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob  01-07T14:00 14:30 '])
  assert.equal(await responseOf(meeting, 'dan@elsewhere.example'), undefined)
  const stranger = counter(replyFields, { attendee: 'dan@elsewhere.example' })
  assert.equal(await receive(googleReply(stranger)), 'no-answer', 'the sender is not among them')
})

test('a proposal for one date of a series is about that date, and goes when it is moved', async () => {
  const { alice, bob, invite, linesOf } = await meetHost()
  const { meeting, replyFields } = await invite(weekdays())
  const lines = (day: number) => [`RECURRENCE-ID:203001${String(day).padStart(2, '0')}T090000Z`]
  const about = (day: number, changes: Partial<ReplyFields> = {}) =>
    receive(googleReply(counter(replyFields, { lines: lines(day), start: `DTSTART:203001${day}T140000Z`, ...changes })))
  assert.equal(await about(15), 'proposed')
  assert.equal(await about(16), 'proposed')
  assert.deepEqual(await linesOf(meeting), ['bob 01-15 01-15T14:00 14:30 ', 'bob 01-16 01-16T14:00 14:30 '])
  assert.equal(await about(12), 'unknown-date')
  await alice.send('POST', cancelPath(meeting), { cancel: 'current', occurrence: '2030-01-17T09:00:00Z' })
  assert.equal(await about(17), 'cancelled')
  const moved = `${detailsPath(meeting)}/occurrences/2030-01-15T09:00:00Z`
  await expectOk(alice.send('PUT', moved, { startTime: '2030-01-15T14:00:00Z' }))
  assert.deepEqual(await linesOf(meeting), ['bob 01-16 01-16T14:00 14:30 '])
  assert.equal(await about(15), 'outdated', 'it is about the former time')
  const times = { startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), weekdays({ participants: [bob.email], ...times }))
  assert.deepEqual(await linesOf(meeting), [])
  await app.mails()
})

test('what is dismissed stays so when the same mail comes again; a new proposal is shown', async () => {
  const { invite, proposalsOf, dismiss } = await meetHost()
  const { meeting, replyFields } = await invite()
  assert.equal(await receive(googleReply(counter(replyFields))), 'proposed')
  const [first] = await proposalsOf(meeting)
  await expectOk(dismiss(meeting, first?._id))
  assert.deepEqual(await proposalsOf(meeting), [])
  assert.equal(await receive(googleReply(counter(replyFields))), 'recorded', 'its answer')
  assert.equal(await receive(googleReply(counter(replyFields, { partstat: 'NEEDS-ACTION' }))), 'outdated')
  assert.deepEqual(await proposalsOf(meeting), [])
  clock.set('2030-01-01T12:01:00Z')
  assert.equal(await receive(googleReply(counter(replyFields, { stamp: '20300101T120001Z' }))), 'proposed')
  assert.equal((await proposalsOf(meeting)).length, 1)
})

test('only the invited guest proposes, in a mail to their own address', async () => {
  const { bob, mallory, invite, proposalsOf } = await meetHost()
  const [{ meeting, replyFields }, other] = [
    await invite(standUp(), [bob.email, 'dan@elsewhere.example']),
    await invite(),
  ]
  const wrong: [string, Partial<ReplyFields>, string][] = [
    ['the token of another meeting', { to: other.replyFields.to }, 'wrong-token'],
    ['another meeting', { uid: other.replyFields.uid }, 'wrong-token'],
    ['a forged sender', { from: 'dan@elsewhere.example' }, 'wrong-token'],
    ['a stranger', { from: mallory.email }, 'wrong-token'],
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
  const { invite, proposalsOf } = await meetHost()
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
  const { invite, proposalsOf, dismiss } = await meetHost()
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
  await expectOk(dismiss(meeting, first?._id))
  assert.equal(await propose(25, 30), 'proposed', 'a dismissed one makes room')
  assert.equal(await propose(26, 30), 'too-many')
  const { count } = await app.database
    .selectFrom('timeProposal')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('meetingId', '=', meeting._id)
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), maxProposals)
})

test('lists proposals to the host and cohosts only, until their time has passed or the meeting is cancelled', async () => {
  const { alice, bob, carol, mallory, proposalsOf, propose } = await meetHost()
  const meeting = await propose(standUp({ cohosts: [carol.email] }))
  const [{ _id, ...shown }, ...others] = (await expectOk(alice.send('GET', pathOf(meeting)))).proposals
  assert.deepEqual(others, [])
  assert.match(_id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(shown, {
    email: bob.email,
    startTime: '2030-01-07T14:00:00.000Z',
    endTime: '2030-01-07T14:30:00.000Z',
    comment: 'Later?',
    proposedOn: '2030-01-01T12:00:00.000Z',
  })
  assert.equal((await expectOk(carol.send('GET', pathOf(meeting)))).proposals.length, 1)
  await expectProblem(bob.send('GET', pathOf(meeting)), 'forbidden')
  await expectProblem(mallory.send('GET', pathOf(meeting)), 'meeting_not_found')
  clock.set('2030-01-07T14:00:00Z')
  assert.deepEqual(await proposalsOf(meeting), [])
  clock.set('2030-01-01T12:00:00Z')
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'all' })
  assert.deepEqual(await proposalsOf(meeting), [])
})

test('a proposal for one date shows that date, as long as it takes place', async () => {
  const { alice, invite, proposalsOf } = await meetHost()
  const { meeting, replyFields } = await invite(weekdays())
  const lines = ['RECURRENCE-ID:20300108T090000Z']
  const counter = { ...replyFields, method: 'COUNTER', start: 'DTSTART:20300108T140000Z', lines }
  assert.equal(await receive(googleReply(counter)), 'proposed')
  assert.deepEqual((await proposalsOf(meeting))[0]?.occurrence, {
    startTime: '2030-01-08T09:00:00.000Z',
    endTime: '2030-01-08T09:30:00.000Z',
    originalStartTime: '2030-01-08T09:00:00.000Z',
    status: 'active',
  })
  const occurrence = '2030-01-08T09:00:00Z'
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'current', occurrence })
  assert.deepEqual(await proposalsOf(meeting), [])
})

test('the host dismisses a proposal, twice without harm; no other person does, and no guest is mailed', async () => {
  const { bob, mallory, proposalsOf, dismiss, propose } = await meetHost()
  const [meeting, other] = [await propose(), await propose()]
  await app.mails()
  const [proposal] = await proposalsOf(meeting)
  const id = proposal?._id
  await expectProblem(dismiss(meeting, id, bob), 'forbidden')
  await expectProblem(dismiss(meeting, id, mallory), 'meeting_not_found')
  for (const unknown of ['x', other._id, '%00']) await expectProblem(dismiss(meeting, unknown), 'proposal_not_found')
  await expectProblem(dismiss(other, id), 'proposal_not_found')
  assert.equal((await proposalsOf(meeting)).length, 1)
  await expectOk(dismiss(meeting, id))
  await expectOk(dismiss(meeting, id))
  assert.deepEqual(await proposalsOf(meeting), [])
  assert.equal((await proposalsOf(other)).length, 1)
  assert.deepEqual(await app.mails(), [])
})
