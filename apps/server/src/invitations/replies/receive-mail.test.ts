import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appleReply, googleReply, outlookReply, type ReplyFields } from '../../../test/meetings/calendar-replies.ts'
import { replyAddressIn, replyFieldsOf, startReplyMailbox, toBob } from '../../../test/meetings/reply-mailbox.ts'
import { cancelPath, detailsPath, standUp, weekdays } from '../../../test/people.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { createDatabase, createPool } from '../../platform/database/database.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { guestReplyAddress } from '../guest-links.ts'
import { createMailReceiver } from './receive-mail.ts'

const metrics = createMetrics({ version: 'test' })
const { app, clock, alice, bob, invite, receive, responseOf } = await startReplyMailbox({ metrics })

test('records the answers of Google Calendar, Outlook and Apple', async () => {
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
  const { meeting, replyFields } = await invite()
  const { to } = replyFields
  const shouted = { ...replyFields, to: to.toUpperCase(), from: 'BOB@Example.ORG', attendee: 'bob@example.org' }
  assert.equal(await receive(googleReply(shouted)), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')
  const elsewhere = googleReply({ ...replyFields, to: 'rsvp@meet.example.org', partstat: 'DECLINED' })
  assert.equal(await receive(elsewhere), 'wrong-token')
  assert.equal(await receive(elsewhere, { recipients: [to] }), 'recorded')
  assert.equal(await receive(`Delivered-To: ${to}\r\n${elsewhere}`), 'recorded')
  assert.equal(await receive(`X-Original-To: ${to}\r\n${elsewhere}`), 'recorded')
})

test('an answer counts for one guest of one meeting', async () => {
  const [{ meeting, replyFields, mails }, other] = [
    await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example']),
    await invite(),
  ]
  const toDan = replyAddressIn(mails.find(({ to }) => to.startsWith('dan'))?.calendar?.text)
  const dan = 'dan@elsewhere.example'
  const wrong: [string, Partial<ReplyFields>, string][] = [
    ['the token of another meeting', { to: other.replyFields.to }, 'wrong-token'],
    ['the token of another guest', { to: toDan }, 'wrong-token'],
    ['a forged sender', { from: dan }, 'wrong-token'],
    ['a sender who answers for another', { from: 'mallory@example.org', attendee: 'bob@example.org' }, 'other-sender'],
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
    [
      'a letter',
      `From: bob@example.org\r\nTo: ${replyFields.to}\r\nSubject: Hello\r\n\r\nHow are you?\r\n`,
      'other-mail',
    ],
    ['nothing', '', 'wrong-token'],
  ]
  for (const [name, content, expected, isBounce = false] of mails) {
    assert.equal(await receive(content, { isBounce }), expected, name)
  }
  assert.equal(await responseOf(meeting), undefined)
  assert.equal(await receive(`Received: by mx.example.org\r\n`.repeat(50) + reply), 'recorded')
})

test('a duplicate changes nothing, and an answer that arrives late does not replace a later one', async () => {
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
  clock.set('2030-01-01T12:00:00Z')
})

test('an answer about a former time is ignored; one from before another change counts', async () => {
  const { meeting, replyFields } = await invite()
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Walk' }))
  await app.mails()
  assert.equal(await receive(googleReply({ ...replyFields, sequence: 0 })), 'recorded', 'the topic was changed')
  assert.equal(await responseOf(meeting), 'accepted')

  const moved = { topic: 'Walk', startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  const update = toBob(await app.mails())
  assert.equal(replyFieldsOf(update).to, replyFields.to)
  assert.equal(await responseOf(meeting), undefined)
  for (const sequence of [0, 1]) assert.equal(await receive(googleReply({ ...replyFields, sequence })), 'outdated')
  assert.equal(await responseOf(meeting), undefined)
  assert.match(update ?? '', /\r\nSEQUENCE:2\r\n/)
  assert.equal(await receive(googleReply({ ...replyFields, sequence: 2 })), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')
})

test('drops answers of people who are no longer invited, and about meetings that are cancelled, over or gone', async () => {
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
  clock.set('2030-01-01T12:00:00Z')
  const gone = {
    meetingId: '0190a5d2-0000-7000-8000-000000000001',
    addressKey: 'bob@example.org',
    replyGeneration: '0.0',
  }
  const to = guestReplyAddress(app.encryption, 'rsvp@meet.example.org', gone)
  assert.equal(
    await receive(googleReply({ ...over.replyFields, to, uid: `${gone.meetingId}@parley.test` })),
    'unknown-meeting',
  )
})

test('an answer about a series counts for all of it', async () => {
  const { meeting, replyFields } = await invite(weekdays())
  assert.equal(await receive(appleReply({ ...replyFields, partstat: 'DECLINED' })), 'recorded')
  assert.equal(await responseOf(meeting), 'declined')
})

test('while the database is away, an error says so; what is dropped before is dropped all the same', async () => {
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
