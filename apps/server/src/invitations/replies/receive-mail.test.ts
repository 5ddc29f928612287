import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxCommentLength } from '@parley/rules/invitations/response-comment'
import { appleReply, googleReply, outlookReply, type ReplyFields } from '../../../test/meetings/calendar-replies.ts'
import {
  calendarTo,
  linesOf,
  replyAddressIn,
  replyFieldsOf,
  useReplyMailbox,
} from '../../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, type Person, standUp, weekdays } from '../../../test/people.ts'
import { expectOk } from '../../../test/replies.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { createDatabase, createPool } from '../../platform/database/database.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { guestReplyAddress } from '../guest-links.ts'
import { createMailReceiver } from './receive-mail.ts'

const metrics = createMetrics({ version: 'test' })
const { app, clock, receive, meetGuests } = await useReplyMailbox({ metrics })

test('records the answers of Google Calendar, Outlook and Apple', async () => {
  const { invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite()
  for (const [form, partstat, response] of [
    [googleReply, 'ACCEPTED', 'accepted'],
    [outlookReply, 'TENTATIVE', 'tentative'],
    [appleReply, 'DECLINED', 'declined'],
  ] as const) {
    assert.equal(await receive(form({ ...replyFields, partstat })), 'recorded', form.name)
    assert.equal(await responseOf(meeting), response, form.name)
  }
})

test('compares addresses and tokens without case, and takes the recipient from the envelope or a header', async () => {
  const { bob, invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite()
  const { to } = replyFields
  const shouted = { ...replyFields, to: to.toUpperCase(), from: replyFields.from.toUpperCase(), attendee: bob.email }
  assert.equal(await receive(googleReply(shouted)), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')
  const elsewhere = googleReply({ ...replyFields, to: 'rsvp@meet.example.org', partstat: 'DECLINED' })
  assert.equal(await receive(elsewhere), 'wrong-token')
  assert.equal(await receive(elsewhere, { recipients: [to] }), 'recorded')
  assert.equal(await receive(`Delivered-To: ${to}\r\n${elsewhere}`), 'recorded')
  assert.equal(await receive(`X-Original-To: ${to}\r\n${elsewhere}`), 'recorded')
})

test('an answer counts for one guest of one meeting', async () => {
  const { bob, mallory, invite, responseOf } = await meetGuests()
  const [{ meeting, replyFields, mails }, other] = [
    await invite(standUp(), [bob.email, 'dan@elsewhere.example']),
    await invite(),
  ]
  const toDan = replyAddressIn(mails.find(({ to }) => to.startsWith('dan'))?.calendar?.text)
  const dan = 'dan@elsewhere.example'
  const wrong: [string, Partial<ReplyFields>, string][] = [
    ['the token of another meeting', { to: other.replyFields.to }, 'wrong-token'],
    ['the token of another guest', { to: toDan }, 'wrong-token'],
    ['a forged sender', { from: dan }, 'wrong-token'],
    ['a sender who answers for another', { from: mallory.email, attendee: bob.email }, 'other-sender'],
    ['an attendee who is not the sender', { attendee: dan }, 'other-sender'],
    ['no token', { to: 'rsvp@meet.example.org' }, 'wrong-token'],
    ['a token that is cut', { to: replyFields.to.replace(/.@/, '@') }, 'wrong-token'],
    ['a meeting that is none', { uid: 'nothing@parley.test' }, 'wrong-token'],
    ['another service', { uid: replyFields.uid.replace('parley.test', 'elsewhere.test') }, 'unknown-meeting'],
    ['an invitation', { method: 'REQUEST' }, 'no-answer'],
    ['no answer yet', { partstat: 'NEEDS-ACTION' }, 'no-answer'],
    ['a delegation', { partstat: 'DELEGATED' }, 'no-answer'],
    ['two attendees', { lines: ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:dan@elsewhere.example'] }, 'no-answer'],
    ['a sequence that is no number', { lines: ['SEQUENCE:x'], sequence: -1 }, 'no-answer'],
    ['a day as the time of the answer', { stamp: '20300101' }, 'no-answer'],
    ['what follows a date', { lines: ['RECURRENCE-ID;RANGE=THISANDFUTURE:20300107T090000Z'] }, 'no-answer'],
  ]
  for (const [name, change, expected] of wrong) {
    assert.equal(await receive(googleReply({ ...replyFields, ...change })), expected, name)
  }
  assert.equal(await responseOf(meeting), undefined)
  assert.equal(await responseOf(meeting, dan), undefined)
  assert.equal(await responseOf(other.meeting), undefined)
})

test('drops automatic mails, bounces, mails in circles and mails of several people', async () => {
  const { bob, invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite()
  const reply = googleReply(replyFields)
  const manual = reply.replace('Auto-Submitted: auto-generated\r\n', '')
  const mails: [string, string, string, boolean?][] = [
    ['a vacation notice', `Auto-Submitted: auto-replied\r\n${manual}`, 'automatic'],
    ['one with a comment', `Auto-Submitted: Auto-Replied (vacation)\r\n${manual}`, 'automatic'],
    ['a notification', `Auto-Submitted: auto-notified; owner-email="a@example.org"\r\n${manual}`, 'automatic'],
    ['an empty envelope', reply, 'automatic', true],
    ['an empty return path', `Return-Path: <>\r\n${reply}`, 'automatic'],
    ['a report', reply.replace('multipart/mixed', 'multipart/report; report-type=delivery-status'), 'automatic'],
    ['fifty-one servers', 'Received: by mx.example.org\r\n'.repeat(51) + reply, 'looping'],
    ['two senders', reply.replace('From: Bob <', 'From: dan@elsewhere.example, Bob <'), 'other-mail'],
    ['two From fields', `From: dan@elsewhere.example\r\n${reply}`, 'other-mail'],
    ['no sender', reply.replace(/^From: .*\r\n/m, ''), 'other-mail'],
    ['a letter', `From: ${bob.email}\r\nTo: ${replyFields.to}\r\nSubject: Hello\r\n\r\nHow are you?\r\n`, 'other-mail'],
    ['nothing', '', 'wrong-token'],
  ]
  for (const [name, content, expected, isBounce = false] of mails) {
    assert.equal(await receive(content, { isBounce }), expected, name)
  }
  assert.equal(await responseOf(meeting), undefined)
  assert.equal(await receive(`Received: by mx.example.org\r\n`.repeat(50) + reply), 'recorded')
})

test('a duplicate changes nothing, and an answer that arrives late does not replace a later one', async () => {
  const { bob, invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite()
  clock.set('2030-01-01T12:10:00Z')
  const declined = googleReply({ ...replyFields, partstat: 'DECLINED', stamp: '20300101T120500Z' })
  assert.equal(await receive(declined), 'recorded')
  assert.equal(await receive(declined), 'recorded')
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T120459Z' })), 'outdated')
  assert.equal(await responseOf(meeting), 'declined')
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T120501Z' })), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')

  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative' })
  assert.equal(await responseOf(meeting), 'tentative')
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T120959Z' })), 'outdated')
  assert.equal(await responseOf(meeting), 'tentative', 'the answer on the page is the last one')

  const ahead = googleReply({ ...replyFields, stamp: '20310101T120000Z' })
  assert.equal(await receive(ahead), 'recorded')
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'declined' })
  assert.equal(await responseOf(meeting), 'declined', 'a clock that is ahead outdates nothing')
})

test('an answer about a former time is ignored; one from before another change counts', async () => {
  const { alice, bob, invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite()
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], topic: 'Walk' }))
  await app.mails()
  assert.equal(await receive(googleReply({ ...replyFields, sequence: 0 })), 'recorded', 'the topic was changed')
  assert.equal(await responseOf(meeting), 'accepted')

  const moved = {
    participants: [bob.email],
    topic: 'Walk',
    startTime: '2030-01-08T09:00:00Z',
    endTime: '2030-01-08T09:30:00Z',
  }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  const update = calendarTo(bob.email, await app.mails())
  assert.equal(replyFieldsOf(update, bob.email).to, replyFields.to)
  assert.equal(await responseOf(meeting), undefined)
  for (const sequence of [0, 1]) assert.equal(await receive(googleReply({ ...replyFields, sequence })), 'outdated')
  assert.equal(await responseOf(meeting), undefined)
  assert.match(update ?? '', /\r\nSEQUENCE:2\r\n/)
  assert.equal(await receive(googleReply({ ...replyFields, sequence: 2 })), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')
})

test('drops answers of people who are no longer invited, and about meetings that are cancelled, over or gone', async () => {
  const { alice, bob, invite } = await meetGuests()
  const removed = await invite()
  await alice.send('PUT', detailsPath(removed.meeting), standUp({ participants: [] }))
  await app.mails()
  // The removal has ended the address.
  assert.equal(await receive(googleReply(removed.replyFields)), 'wrong-token')

  const cancelled = await invite()
  assert.equal((await alice.send('POST', cancelPath(cancelled.meeting), { cancel: 'all' })).status, 200)
  await app.mails()
  assert.equal(await receive(googleReply(cancelled.replyFields)), 'cancelled')

  const over = await invite()
  clock.set('2030-02-01T12:00:00Z')
  assert.equal(await receive(googleReply(over.replyFields)), 'over')
  const gone = {
    meetingId: '0190a5d2-0000-7000-8000-000000000001',
    addressKey: bob.email,
    replyGeneration: '0.0',
  }
  const to = guestReplyAddress(app.encryption, 'rsvp@meet.example.org', gone)
  assert.equal(
    await receive(googleReply({ ...over.replyFields, to, uid: `${gone.meetingId}@parley.test` })),
    'unknown-meeting',
  )
})

test('an answer about a series counts for all of it', async () => {
  const { invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  assert.equal(await receive(appleReply({ ...replyFields, partstat: 'DECLINED' })), 'recorded')
  assert.equal(await responseOf(meeting), 'declined')
})

test('while the database is away, an error says so; what is dropped before is dropped all the same', async () => {
  const { invite } = await meetGuests()
  const { replyFields } = await invite()
  const log = createLog({ level: 'silent' })
  const connection = { host: '/nowhere', user: 'parley', database: 'parley' }
  const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 1_000, log })
  const dependencies = { ...app, clock, log, random: secureRandom, database: createDatabase(pool) }
  const mail = { content: Buffer.from(googleReply(replyFields)), recipients: [], isBounce: false }
  const receiver = createMailReceiver(dependencies)
  try {
    await assert.rejects(receiver.receive(mail), (error) => readDatabaseFailure(error)?.cause === 'away')
    assert.equal(await receiver.receive({ ...mail, content: Buffer.from('Subject: x\r\n\r\n') }), 'wrong-token')
  } finally {
    await receiver.stop()
    await pool.end()
  }
})

test('counts what became of mails, and logs nothing of them', async () => {
  const { alice, invite } = await meetGuests()
  const counts = async () => {
    const counted = (await metrics.scrape()).matchAll(/^parley_inbound_mails_total\{outcome="([\w-]+)"\} (\d+)$/gm)
    return Object.fromEntries([...counted].map(([, outcome, count]) => [outcome, Number(count)]))
  }
  const before = await counts()
  const { meeting, replyFields } = await invite()
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T115900Z' })), 'recorded')
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T115800Z' })), 'outdated')
  assert.equal(await receive(googleReply({ ...replyFields, to: 'rsvp@meet.example.org' })), 'wrong-token')
  assert.equal(await receive(googleReply(replyFields), { isBounce: true }), 'automatic')
  await alice.send('POST', cancelPath(meeting), { cancel: 'all' })
  await app.mails()
  assert.equal(await receive(googleReply(replyFields)), 'cancelled')
  const expected = { ...before, failed: 0 }
  for (const outcome of ['recorded', 'outdated', 'wrong-token', 'automatic', 'cancelled']) {
    expected[outcome] = (before[outcome] ?? 0) + 1
  }
  assert.deepEqual(await counts(), expected)
  assert.ok(!app.logged.some((line) => /rsvp\+|elsewhere\.example|VCALENDAR/.test(line)))
})

const dayOf = (day: number) => `2030-01-${String(day).padStart(2, '0')}T09:00:00.000Z`
/** A reply about the date of a day in January at 09:00 in London. */
const about = (replyFields: ReplyFields, day: number, changes: Partial<ReplyFields> = {}): ReplyFields => ({
  ...replyFields,
  lines: [`RECURRENCE-ID:203001${day}T090000Z`],
  ...changes,
})
async function responsesTo(alice: Person, meeting: { _id: string }, start: string): Promise<string[]> {
  const { body } = await alice.send('GET', `${detailsPath(meeting)}/occurrences?status=all`)
  const found = body.occurrences.find((one: { originalStartTime: string }) => one.originalStartTime === start)
  return found.responses.map(
    ({ email, response }: { email: string; response: string }) => `${email.split('.')[0]} ${response}`,
  )
}

test('records answers to one date as Google Calendar, Outlook and Apple name it; the series keeps its own', async () => {
  const { alice, invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  assert.equal(await receive(googleReply(replyFields)), 'recorded')
  const forms: [string, string][] = [
    ['google', googleReply(about(replyFields, 15, { partstat: 'DECLINED' }))],
    [
      'outlook',
      outlookReply({
        ...replyFields,
        partstat: 'TENTATIVE',
        lines: ['RECURRENCE-ID;TZID=GMT Standard Time:20300116T090000'],
      }),
    ],
    [
      'apple',
      appleReply({ ...replyFields, partstat: 'DECLINED', lines: ['RECURRENCE-ID;TZID=Europe/Berlin:20300117T100000'] }),
    ],
    ['local', appleReply({ ...replyFields, partstat: 'DECLINED', lines: ['RECURRENCE-ID:20300118T090000'] })],
  ]
  for (const [name, mail] of forms) assert.equal(await receive(mail), 'recorded', name)
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(15)), ['bob declined'])
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(16)), ['bob tentative'])
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(17)), ['bob declined'])
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(18)), ['bob declined'])
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(21)), [])
  assert.equal(await responseOf(meeting), 'accepted')
})

test('one mail answers the series and some of its dates, in any order', async () => {
  const { alice, invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  const master = linesOf(/BEGIN:VEVENT[\s\S]*END:VEVENT/.exec(googleReply(replyFields))?.[0])
  const override = master
    .toSpliced(-1, 0, 'RECURRENCE-ID:20300115T090000Z')
    .map((line) => line.replace('ACCEPTED', 'DECLINED'))
  for (const [name, events] of [
    ['series first', [master, override]],
    ['date first', [override, master]],
  ] as const) {
    const text = events.flat().join('\r\n')
    const mail = appleReply(replyFields).replace(/BEGIN:VEVENT[\s\S]*END:VEVENT/, text.replaceAll('=', '=3D'))
    assert.equal(await receive(mail), 'recorded', name)
    assert.deepEqual(await responsesTo(alice, meeting, dayOf(15)), ['bob declined'], name)
    assert.equal(await responseOf(meeting), 'accepted', name)
  }
})

test('drops answers to dates that the series does not have, that are cancelled or over', async () => {
  const { alice, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  await alice.send('POST', `${cancelPath(meeting)}?sendUpdates=none`, { cancel: 'current', occurrence: dayOf(16) })
  assert.equal(await receive(googleReply(about(replyFields, 12))), 'unknown-date', 'a Saturday')
  assert.equal(await receive(googleReply(about(replyFields, 16))), 'cancelled')
  clock.set('2030-01-15T09:30:00Z')
  assert.equal(await receive(googleReply(about(replyFields, 15))), 'over')
  clock.set('2030-01-01T12:00:00Z')
  const single = await invite(standUp())
  assert.equal(await receive(googleReply(about(single.replyFields, 17))), 'unknown-date')
  const stored = await app.database
    .selectFrom('occurrenceResponse')
    .select('emailKey')
    .where('meetingId', '=', meeting._id)
    .execute()
  assert.deepEqual(stored, [])
})

test('an answer to the former time of a date is ignored; one to a date that only got a topic counts', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  clock.set('2030-01-01T12:10:00Z')
  const change = (changed: object) => alice.send('PUT', `${detailsPath(meeting)}/occurrences/${dayOf(15)}`, changed)
  await change({ topic: 'Walk' })
  await app.mails()
  const answer = (sequence: number, stamp: string) =>
    receive(googleReply(about(replyFields, 15, { sequence, stamp: `20300101T${stamp}Z` })))
  assert.equal(await answer(0, '120900'), 'recorded')
  await change({ startTime: '2030-01-15T11:00:00Z' })
  const update = calendarTo(bob.email, await app.mails())
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(15)), [])
  assert.equal(await answer(1, '121100'), 'outdated')
  assert.match(update ?? '', /\r\nSEQUENCE:2\r\n/)
  assert.equal(replyFieldsOf(update, bob.email).to, replyFields.to)
  assert.equal(await answer(2, '121000'), 'recorded')
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(15)), ['bob accepted'])
})

test('an answer that arrives late does not replace a later one to the same date, wherever that was given', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  clock.set('2030-01-01T12:10:00Z')
  const declined = { partstat: 'DECLINED', stamp: '20300101T120500Z' }
  assert.equal(await receive(googleReply(about(replyFields, 15, declined))), 'recorded')
  assert.equal(await receive(googleReply(about(replyFields, 15, { stamp: '20300101T120459Z' }))), 'outdated')
  assert.equal(
    await receive(googleReply(about(replyFields, 16, { stamp: '20300101T120459Z' }))),
    'recorded',
    'another date',
  )
  assert.equal(await receive(googleReply({ ...replyFields, stamp: '20300101T120459Z' })), 'recorded', 'the series')
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative', occurrence: dayOf(15) })
  assert.equal(await receive(googleReply(about(replyFields, 15, { stamp: '20300101T120959Z' }))), 'outdated')
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(15)), ['bob tentative'])
})

test('an answer to one date counts for one guest of one meeting', async () => {
  const { alice, bob, mallory, invite } = await meetGuests()
  const [{ meeting, replyFields }, other] = [
    await invite(weekdays(), [bob.email, 'dan@elsewhere.example']),
    await invite(weekdays()),
  ]
  const wrong: [string, Partial<ReplyFields>, string][] = [
    ['the token of another meeting', { to: other.replyFields.to }, 'wrong-token'],
    ['a forged sender', { from: 'dan@elsewhere.example' }, 'wrong-token'],
    ['a sender who answers for another', { from: mallory.email, attendee: bob.email }, 'other-sender'],
    ['another meeting', { uid: other.replyFields.uid }, 'wrong-token'],
    ['what follows a date', { lines: ['RECURRENCE-ID;RANGE=THISANDFUTURE:20300115T090000Z'] }, 'no-answer'],
  ]
  for (const [name, change, expected] of wrong) {
    assert.equal(await receive(googleReply(about(replyFields, 15, change))), expected, name)
  }
  assert.deepEqual(await responsesTo(alice, meeting, dayOf(15)), [])
  assert.deepEqual(await responsesTo(alice, other.meeting, dayOf(15)), [])
})

test('a RECURRENCE-ID in any form names a date of the series, or nothing', async () => {
  const { invite, responseOf } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  const parameters = [
    '',
    ';TZID=Europe/London',
    ';TZID="../../etc/passwd"',
    ';TZID=',
    ';VALUE=DATE',
    ';VALUE=PERIOD',
    ';X="a;b:c"',
  ]
  const values = [
    '20300115T090000Z',
    '20300115T090000',
    '20300115',
    '20300115T0900Z',
    '20300115T250000Z',
    '20300230T090000Z',
    '00000000T000000Z',
    '99991231T235959Z',
    '99999999T999999',
    '-20300115T090000Z',
    '+20300115T090000Z',
    '1e9',
    'NaN',
    '20300115T090060Z',
    '2030-01-15T09:00:00Z',
    '20300115T090000+0100',
    '',
    ' ',
    '\u0000',
    '٢٠٣٠٠١١٥T090000Z',
    "'; drop table",
  ]
  const seen = new Map<string, number>()
  for (const parameter of parameters) {
    for (const value of values) {
      const outcome = await receive(googleReply({ ...replyFields, lines: [`RECURRENCE-ID${parameter}:${value}`] }))
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
      assert.ok(['recorded', 'unknown-date', 'no-answer'].includes(outcome), `${parameter}:${value} is ${outcome}`)
    }
  }
  assert.deepEqual([...seen.keys()].toSorted(), ['no-answer', 'recorded', 'unknown-date'])
  const stored = await app.database
    .selectFrom('occurrenceResponse')
    .select('originalStart')
    .where('meetingId', '=', meeting._id)
    .execute()
  assert.deepEqual(stored, [{ originalStart: new Date(dayOf(15)) }])
  assert.equal(await responseOf(meeting), undefined)
})

test('mails, invite.ics and the feed show Bob, and no other person, his answers to single dates', async () => {
  const { alice, bob, carol, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays(), [bob.email, carol.email])
  await receive(googleReply(replyFields))
  await receive(googleReply(about(replyFields, 15, { partstat: 'DECLINED' })))
  await alice.send('PUT', detailsPath(meeting), weekdays({ topic: 'Walk', participants: [bob.email, carol.email] }))
  const mails = await app.mails()
  const attendees = (text: string | undefined) =>
    linesOf(text)
      .filter((line) => /^(ATTENDEE|RECURRENCE-ID)/.test(line))
      .map((line) => /PARTSTAT=[A-Z-]+|RECURRENCE-ID.*/.exec(line)?.[0])
  const expected = ['PARTSTAT=ACCEPTED', 'RECURRENCE-ID;TZID=Europe/London:20300115T090000', 'PARTSTAT=DECLINED']
  assert.deepEqual(attendees(calendarTo(bob.email, mails)), expected)
  assert.deepEqual(attendees(mails.find(({ to }) => to.startsWith('carol'))?.calendar?.text), ['PARTSTAT=NEEDS-ACTION'])
  const invitation = (token: string) =>
    fetch(`${app.base}${detailsPath(meeting)}/invite.ics`, { headers: { authorization: `Bearer ${token}` } })
  const own = await (await invitation(bob.token)).text()
  assert.deepEqual(attendees(own), expected)
  assert.doesNotMatch(own, /carol/)
  assert.deepEqual(attendees(await (await invitation(alice.token)).text()), [])
})

/** Bob as a reader of the meeting sees him. */
const bobSeenBy = async (reader: Person, meeting: { _id: string }) => {
  const [{ participants }] = await expectOk(reader.send('GET', detailsPath(meeting)))
  return participants.find(({ email }: { email: string }) => email.startsWith('bob.'))
}
const commentOf = async (alice: Person, meeting: { _id: string }) => (await bobSeenBy(alice, meeting)).comment

test('the host reads what Bob wrote with his answer; Bob and other guests do not', async () => {
  const { alice, bob, carol, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(standUp(), [bob.email, carol.email])
  const lines = ['COMMENT;LANGUAGE=en-US:Running late\\, start without me.\\n<script>alert(1)</script>']
  assert.equal(await receive(appleReply({ ...replyFields, partstat: 'TENTATIVE', lines })), 'recorded')
  assert.equal(await commentOf(alice, meeting), 'Running late, start without me.\n<script>alert(1)</script>')
  assert.equal((await bobSeenBy(bob, meeting)).comment, undefined)
  assert.equal((await bobSeenBy(carol, meeting)).comment, undefined)
  const { body } = await alice.send('GET', '/api/meeting/me')
  assert.match(JSON.stringify(body), /start without me/)
})

test('an answer without a comment, by mail or on the page, removes the former one; so does a new time', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, replyFields } = await invite()
  const withComment = (stamp: string) =>
    googleReply({ ...replyFields, lines: ['COMMENT:Hello'], stamp: `20300101T12${stamp}Z` })
  clock.set('2030-01-01T12:30:00Z')
  assert.equal(await receive(withComment('0000')), 'recorded')
  assert.equal(await commentOf(alice, meeting), 'Hello')
  assert.equal(
    await receive(outlookReply({ ...replyFields, stamp: '20300101T120500Z' })),
    'recorded',
    'with an empty COMMENT',
  )
  assert.equal(await commentOf(alice, meeting), undefined)
  assert.equal(await receive(withComment('1000')), 'recorded')
  assert.equal(
    await receive(googleReply({ ...replyFields, lines: ['COMMENT:Old'], stamp: '20300101T120100Z' })),
    'outdated',
  )
  assert.equal(await commentOf(alice, meeting), 'Hello')
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'accepted' })
  assert.equal(await commentOf(alice, meeting), undefined)
  clock.set('2030-01-01T13:00:00Z')
  assert.equal(await receive(withComment('5900')), 'recorded')
  const times = { startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp({ participants: [bob.email], ...times }))
  assert.equal(await commentOf(alice, meeting), undefined)
  await app.mails()
})

test('a comment about one date is shown with the answer to that date', async () => {
  const { alice, bob, invite } = await meetGuests()
  const { meeting, replyFields } = await invite(weekdays())
  const lines = ['RECURRENCE-ID:20300108T090000Z', 'COMMENT:At the dentist']
  assert.equal(await receive(googleReply({ ...replyFields, partstat: 'DECLINED', lines })), 'recorded')
  const seen = async (reader: Person) => {
    const { body } = await reader.send('GET', `${detailsPath(meeting)}/occurrences?limit=2`)
    return body.occurrences[1]
  }
  const [answer] = (await seen(alice)).responses
  assert.deepEqual(answer, { email: bob.email, response: 'declined', comment: 'At the dentist' })
  assert.doesNotMatch(JSON.stringify(await seen(bob)), /dentist/)
  assert.equal(await commentOf(alice, meeting), undefined)
})

test('a comment of any size and form is cut and kept as plain text', async () => {
  const { alice, invite } = await meetGuests()
  const { meeting, replyFields } = await invite()
  const cases: [string, string[], RegExp][] = [
    ['huge', [`COMMENT:${'x'.repeat(100_000)}`], new RegExp(`^x{${maxCommentLength - 1}}…$`)],
    ['many', Array.from({ length: 4_000 }, () => 'COMMENT:ab'), /^ab\n(ab\n)+a?b?…$/],
    [
      'html',
      ['COMMENT;ALTREP="https://evil.example/":<img src=x onerror=alert(1)>'],
      /^<img src=x onerror=alert\(1\)>$/,
    ],
    ['control', [`COMMENT:a${String.fromCharCode(0, 7, 0x202e)}b`], /^ab$/],
    ['folded', ['COMMENT:Good\r\n  day'], /^Good day$/],
    ['base64', ['COMMENT;ENCODING=BASE64;VALUE=BINARY:aGVsbG8='], /.*/],
    ['another type', ['COMMENT;VALUE=DATE-TIME:20300101T000000Z'], /.*/],
  ]
  for (const [name, lines, expected] of cases) {
    assert.equal(await receive(googleReply({ ...replyFields, lines })), 'recorded', name)
    const comment = (await commentOf(alice, meeting)) ?? ''
    assert.match(comment, expected, name)
    assert.ok([...comment].length <= maxCommentLength, name)
  }
})
