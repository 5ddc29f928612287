import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFeed } from '../../../test/calendar-feeds.ts'
import { appleReply, googleReply, outlookReply, type ReplyFacts } from '../../../test/meetings/calendar-replies.ts'
import { cancelPath, detailsPath, meetPeople, schedule, standUp, weekdays } from '../../../test/people.ts'
import { createClock, startApp } from '../../../test/start-app.ts'
import type { Mail } from '../../email/mail.ts'
import { createMetrics } from '../../metrics/create-metrics.ts'
import { createDatabase, createPool } from '../../platform/database/database.ts'
import { readDatabaseFailure } from '../../platform/database/database-failure.ts'
import { createLog } from '../../platform/log.ts'
import type { Tables } from '../../tables/tables.ts'
import { guestReplyAddress } from '../guest-token.ts'
import { maxMailBytes } from './read-mail.ts'
import { receiveMail } from './receive-mail.ts'

const clock = createClock('2030-01-01T12:00:00Z')
const metrics = createMetrics({ version: 'test' })
const environment = { RATE_LIMITS: 'off', REPLY_ADDRESS: 'rsvp@meet.example.org', MAIL_FROM: 'meet@acme.example' }
const app = await startApp({ clock, environment, metrics })
const { alice, bob } = await meetPeople(app)

const linesOf = (text = '') => text.replaceAll('\r\n ', '').split('\r\n')
const organizerIn = (text?: string) => linesOf(text).find((line) => line.startsWith('ORGANIZER')) ?? ''
const replyAddressIn = (text?: string) => organizerIn(text).split(':mailto:').at(-1) ?? ''
const toBob = (mails: readonly Mail[]) => mails.find(({ to }) => to === 'bob@example.org')?.calendar?.text

async function invite(meeting: object = standUp(), participants = ['bob@example.org']) {
  const scheduled = await schedule(alice, { ...meeting, participants })
  const mails = await app.mails()
  const facts = factsOf(toBob(mails))
  return { meeting: scheduled, mails, facts }
}

const factsOf = (text: string | undefined): ReplyFacts => ({
  to: replyAddressIn(text),
  from: 'bob@example.org',
  uid: /\r\nUID:(\S+)/.exec(text?.replaceAll('\r\n ', '') ?? '')?.[1] ?? '',
  partstat: 'ACCEPTED',
})

const receive = (content: string | Buffer, { recipients = [] as string[], isBounce = false } = {}) =>
  app.receiveMail({ content: Buffer.from(content), recipients, isBounce })

const responseOf = async (meeting: { _id: string }, email = 'bob@example.org') => {
  const { body } = await alice.send('GET', detailsPath(meeting))
  return body[0].participants.find((one: { email: string }) => one.email === email)?.response
}

test('each guest is invited by an address of their own, which names the host and fits a local part', async () => {
  const { mails } = await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example'])
  const lines = mails.map(({ calendar }) => organizerIn(calendar?.text))
  for (const line of lines) {
    assert.match(
      line,
      /^ORGANIZER;CN="Alice Test";EMAIL="alice@example\.org";SENT-BY="mailto:meet@acme\.example":mailto:rsvp\+[0-9a-v]{29}@meet\.example\.org$/,
    )
  }
  assert.equal(new Set(lines).size, 2)
})

test('mails, feeds and files give a guest the same organizer, and the host their own address', async () => {
  const { meeting, facts } = await invite()
  const path = `${detailsPath(meeting)}/invite.ics`
  const read = async ({ token }: typeof bob) =>
    (await fetch(`${app.base}${path}`, { headers: { authorization: `Bearer ${token}` } })).text()
  assert.equal(replyAddressIn(await read(bob)), facts.to)
  assert.equal(replyAddressIn(await read(alice)), 'alice@example.org')
  const feedOf = async (person: typeof bob) => {
    const text = await (await fetch(`${app.base}${await createFeed(person)}`)).text()
    return linesOf(text).filter((line) => line.startsWith('ORGANIZER'))
  }
  assert.ok((await feedOf(bob)).some((line) => line.endsWith(facts.to)))
  assert.ok((await feedOf(alice)).every((line) => line.endsWith(':mailto:alice@example.org')))
})

test('a meeting from before REPLY_ADDRESS was set keeps its organizer', async () => {
  const { meeting } = await invite()
  await app.pool.query('update meeting set reply_address = null where id = $1', [meeting._id])
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Walk' }))
  assert.equal(replyAddressIn(toBob(await app.mails())), 'alice@example.org')
})

test('records the answers of Google Calendar, Outlook and Apple', async () => {
  const { meeting, facts } = await invite()
  for (const [form, partstat, response] of [
    [googleReply, 'ACCEPTED', 'accepted'],
    [outlookReply, 'TENTATIVE', 'tentative'],
    [appleReply, 'DECLINED', 'declined'],
  ] as const) {
    assert.equal(await receive(form({ ...facts, partstat })), 'recorded', form.name)
    assert.equal(await responseOf(meeting), response, form.name)
  }
})

test('compares addresses and tokens without case, and takes the recipient from the envelope or a header', async () => {
  const { meeting, facts } = await invite()
  const { to } = facts
  const shouted = { ...facts, to: to.toUpperCase(), from: 'BOB@Example.ORG', attendee: 'bob@example.org' }
  assert.equal(await receive(googleReply(shouted)), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')
  const elsewhere = googleReply({ ...facts, to: 'rsvp@meet.example.org', partstat: 'DECLINED' })
  assert.equal(await receive(elsewhere), 'wrong-token')
  assert.equal(await receive(elsewhere, { recipients: [to] }), 'recorded')
  assert.equal(await receive(`Delivered-To: ${to}\r\n${elsewhere}`), 'recorded')
  assert.equal(await receive(`X-Original-To: ${to}\r\n${elsewhere}`), 'recorded')
})

test('an answer counts for one guest of one meeting', async () => {
  const [{ meeting, facts, mails }, other] = [
    await invite(standUp(), ['bob@example.org', 'dan@elsewhere.example']),
    await invite(),
  ]
  const toDan = replyAddressIn(mails.find(({ to }) => to.startsWith('dan'))?.calendar?.text)
  const dan = 'dan@elsewhere.example'
  const wrong: [string, Partial<ReplyFacts>, string][] = [
    ['the token of another meeting', { to: other.facts.to }, 'wrong-token'],
    ['the token of another guest', { to: toDan }, 'wrong-token'],
    ['a forged sender', { from: dan }, 'wrong-token'],
    ['a sender who answers for another', { from: 'mallory@example.org', attendee: 'bob@example.org' }, 'other-sender'],
    ['an attendee who is not the sender', { attendee: dan }, 'other-sender'],
    ['no token', { to: 'rsvp@meet.example.org' }, 'wrong-token'],
    ['a token that is cut', { to: facts.to.replace(/.@/, '@') }, 'wrong-token'],
    ['a meeting that is none', { uid: 'nothing@parley.test' }, 'wrong-token'],
    ['another service', { uid: facts.uid.replace('parley.test', 'elsewhere.test') }, 'unknown-meeting'],
    ['an invitation', { method: 'REQUEST' }, 'no-answer'],
    ['a counterproposal', { method: 'COUNTER' }, 'no-answer'],
    ['no answer yet', { partstat: 'NEEDS-ACTION' }, 'no-answer'],
    ['a delegation', { partstat: 'DELEGATED' }, 'no-answer'],
    ['two attendees', { lines: ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:dan@elsewhere.example'] }, 'no-answer'],
    ['a sequence that is no number', { lines: ['SEQUENCE:x'], sequence: -1 }, 'no-answer'],
    ['a day as the time of the answer', { stamp: '20300101' }, 'no-answer'],
    ['what follows a date', { lines: ['RECURRENCE-ID;RANGE=THISANDFUTURE:20300107T090000Z'] }, 'no-answer'],
  ]
  for (const [name, change, expected] of wrong) {
    assert.equal(await receive(googleReply({ ...facts, ...change })), expected, name)
  }
  assert.equal(await responseOf(meeting), undefined)
  assert.equal(await responseOf(meeting, dan), undefined)
  assert.equal(await responseOf(other.meeting), undefined)
})

test('drops automatic mails, bounces, mails in circles and mails of several people', async () => {
  const { meeting, facts } = await invite()
  const reply = googleReply(facts)
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
    ['a letter', `From: bob@example.org\r\nTo: ${facts.to}\r\nSubject: Hello\r\n\r\nHow are you?\r\n`, 'other-mail'],
    ['nothing', '', 'other-mail'],
  ]
  for (const [name, content, expected, isBounce = false] of mails) {
    assert.equal(await receive(content, { isBounce }), expected, name)
  }
  assert.equal(await responseOf(meeting), undefined)
  assert.equal(await receive(`Received: by mx.example.org\r\n`.repeat(50) + reply), 'recorded')
})

test('a duplicate changes nothing, and an answer that arrives late does not replace a later one', async () => {
  const { meeting, facts } = await invite()
  clock.set('2030-01-01T12:10:00Z')
  const declined = googleReply({ ...facts, partstat: 'DECLINED', stamp: '20300101T120500Z' })
  assert.equal(await receive(declined), 'recorded')
  assert.equal(await receive(declined), 'recorded')
  assert.equal(await receive(googleReply({ ...facts, stamp: '20300101T120459Z' })), 'outdated')
  assert.equal(await responseOf(meeting), 'declined')
  assert.equal(await receive(googleReply({ ...facts, stamp: '20300101T120501Z' })), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')

  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'tentative' })
  assert.equal(await responseOf(meeting), 'tentative')
  assert.equal(await receive(googleReply({ ...facts, stamp: '20300101T120959Z' })), 'outdated')
  assert.equal(await responseOf(meeting), 'tentative', 'the answer on the page is the last one')

  const ahead = googleReply({ ...facts, stamp: '20310101T120000Z' })
  assert.equal(await receive(ahead), 'recorded')
  await bob.send('POST', `${detailsPath(meeting)}/response`, { response: 'declined' })
  assert.equal(await responseOf(meeting), 'declined', 'a clock that is ahead outdates nothing')
  clock.set('2030-01-01T12:00:00Z')
})

test('an answer about a former time is ignored; one from before another change counts', async () => {
  const { meeting, facts } = await invite()
  await alice.send('PUT', detailsPath(meeting), standUp({ topic: 'Walk' }))
  await app.mails()
  assert.equal(await receive(googleReply({ ...facts, sequence: 0 })), 'recorded', 'the topic was changed')
  assert.equal(await responseOf(meeting), 'accepted')

  const moved = { topic: 'Walk', startTime: '2030-01-08T09:00:00Z', endTime: '2030-01-08T09:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), standUp(moved))
  const update = toBob(await app.mails())
  assert.equal(factsOf(update).to, facts.to)
  assert.equal(await responseOf(meeting), undefined)
  for (const sequence of [0, 1]) assert.equal(await receive(googleReply({ ...facts, sequence })), 'outdated')
  assert.equal(await responseOf(meeting), undefined)
  assert.match(update ?? '', /\r\nSEQUENCE:2\r\n/)
  assert.equal(await receive(googleReply({ ...facts, sequence: 2 })), 'recorded')
  assert.equal(await responseOf(meeting), 'accepted')
})

test('drops answers of people who are no longer invited, and about meetings that are cancelled, over or gone', async () => {
  const removed = await invite()
  await alice.send('PUT', detailsPath(removed.meeting), standUp({ participants: [] }))
  await app.mails()
  assert.equal(await receive(googleReply(removed.facts)), 'not-invited')

  const cancelled = await invite()
  assert.equal((await alice.send('POST', cancelPath(cancelled.meeting), { cancel: 'all' })).status, 200)
  await app.mails()
  assert.equal(await receive(googleReply(cancelled.facts)), 'cancelled')

  const over = await invite()
  clock.set('2030-02-01T12:00:00Z')
  assert.equal(await receive(googleReply(over.facts)), 'over')
  clock.set('2030-01-01T12:00:00Z')
  const gone = { meetingId: '0190a5d2-0000-7000-8000-000000000001', addressKey: 'bob@example.org' }
  const to = guestReplyAddress(app.encryption, 'rsvp@meet.example.org', gone)
  assert.equal(
    await receive(googleReply({ ...over.facts, to, uid: `${gone.meetingId}@parley.test` })),
    'unknown-meeting',
  )
})

test('an answer about a series counts for all of it', async () => {
  const { meeting, facts } = await invite(weekdays())
  assert.equal(await receive(appleReply({ ...facts, partstat: 'DECLINED' })), 'recorded')
  assert.equal(await responseOf(meeting), 'declined')
  const one = { ...facts, lines: ['RECURRENCE-ID:20300107T090000Z'] }
  assert.equal(await receive(appleReply(one)), 'one-date')
  assert.equal(await responseOf(meeting), 'declined')
})

const repeated = (line: string, times: number) => Array.from({ length: times }, () => line)
const hostile: [string, (facts: ReplyFacts) => string, string][] = [
  ['a mail that is too large', (facts) => googleReply(facts) + 'x'.repeat(maxMailBytes), 'too-large'],
  [
    'thousands of events',
    (facts) => outlookReply({ ...facts, lines: repeated('END:VEVENT\r\nBEGIN:VEVENT\r\nUID:x', 3_000) }),
    'no-answer',
  ],
  [
    'an endless rule',
    (facts) => outlookReply({ ...facts, lines: [`RRULE:FREQ=SECONDLY;BYSECOND=${repeated('1', 15_000).join(',')}`] }),
    'recorded',
  ],
  ['a zone of endless rules', (facts) => outlookReply(facts).replace('multipart', 'multipart'), 'recorded'],
  ['many properties', (facts) => googleReply({ ...facts, lines: repeated('X-A;B=C;D="E":F', 4_000) }), 'recorded'],
  ['a line of parameters', (facts) => googleReply({ ...facts, lines: [`X-A${';B=C'.repeat(15_000)}:F`] }), 'recorded'],
  ['an open quote', (facts) => googleReply({ ...facts, lines: [`X-A;B="${'C;'.repeat(15_000)}`] }), 'no-answer'],
  [
    'folded to characters',
    (facts) => googleReply({ ...facts, lines: [`X-A:${repeated('a', 15_000).join('\r\n ')}`] }),
    'recorded',
  ],
  [
    'parts in parts',
    (facts) =>
      `From: bob@example.org\r\nTo: ${facts.to}\r\n` +
      Array.from(
        { length: 5_000 },
        (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`,
      ).join(''),
    'unreadable',
  ],
  [
    'many parts',
    (facts) =>
      `From: bob@example.org\r\nTo: ${facts.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(10_000),
    'unreadable',
  ],
  ['a large header', (facts) => `X-A: ${'b '.repeat(100_000)}\r\n${googleReply(facts)}`, 'unreadable'],
  [
    'many recipients',
    (facts) => googleReply(facts).replace(/^To: /m, `To: ${'a@example.org, '.repeat(3_500)}`),
    'recorded',
  ],
  [
    'many addresses',
    (facts) => googleReply(facts).replace(/^From: /m, `From: ${'a@b, '.repeat(10_000)}`),
    'other-mail',
  ],
  [
    'deep comments in an address',
    (facts) => googleReply(facts).replace(/^To: /m, `To: ${'('.repeat(30_000)}`),
    'recorded',
  ],
  [
    'addresses in the header of a part',
    (facts) =>
      `From: bob@example.org\r\nTo: ${facts.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\nFrom: ${'a@b, '.repeat(95_000)}\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n`,
    'unreadable',
  ],
  [
    'addresses in a mail within the mail',
    (facts) =>
      `From: bob@example.org\r\nTo: ${facts.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      '--b\r\nContent-Type: message/rfc822\r\nContent-Disposition: inline\r\n\r\n' +
      `From: ${'a@b, '.repeat(95_000)}\r\n\r\nx\r\n--b--\r\n`,
    'other-mail',
  ],
  [
    'parameters of a part',
    (facts) =>
      `From: bob@example.org\r\nTo: ${facts.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\nContent-Type: text/plain${Array.from({ length: 4_000 }, (_, at) => `; a*${at}*=%41`).join('')}\r\n\r\nx\r\n--b--\r\n`,
    'other-mail',
  ],
  [
    'unknown words in a header',
    (facts) => `Subject: ${'=?utf-8?q?=41?= '.repeat(3_500)}\r\n${googleReply(facts)}`,
    'recorded',
  ],
  [
    'a calendar that is too large',
    (facts) => outlookReply({ ...facts, lines: repeated('X-A:B', 30_000) }),
    'too-large',
  ],
  ['components in components', (facts) => googleReply({ ...facts, lines: repeated('BEGIN:X', 5_000) }), 'no-answer'],
  ['bytes', () => String.fromCharCode(...Array.from({ length: 60_000 }, (_, at) => (at * 7919) % 256)), 'unreadable'],
]

for (const [name, write, expected] of hostile) {
  test(`a hostile mail costs little: ${name}`, async () => {
    const { facts } = await invite()
    const content = write(facts)
    let longestMs = 0
    let last = performance.now()
    const watch = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 1)
    const outcome = await receive(content)
    longestMs = Math.max(longestMs, performance.now() - last)
    clearInterval(watch)
    if (process.env.SHOW_TIMES === '1') console.log(`${name}: ${content.length} bytes, ${longestMs.toFixed(0)} ms`)
    assert.equal(outcome, expected)
    assert.ok(longestMs < 1_000, `${longestMs} ms without a turn of the event loop`)
  })
}

test('while the database is away, an error says so; what is dropped before is dropped all the same', async () => {
  const { facts } = await invite()
  const log = createLog({ level: 'silent' })
  const connection = { host: '/nowhere', user: 'parley', database: 'parley' }
  const pool = createPool({ connection, maxConnections: 1, statementTimeoutMs: 1_000, log })
  const dependencies = { ...app, clock, log, database: createDatabase<Tables>(pool) }
  const mail = { content: Buffer.from(googleReply(facts)), recipients: [], isBounce: false }
  try {
    await assert.rejects(receiveMail(dependencies, mail), (error) => readDatabaseFailure(error)?.cause === 'away')
    assert.equal(await receiveMail(dependencies, { ...mail, content: Buffer.from('Subject: x\r\n\r\n') }), 'other-mail')
  } finally {
    await pool.end()
  }
})

test('counts what became of mails, and logs nothing of them', async () => {
  const scraped = await metrics.scrape()
  for (const outcome of ['recorded', 'wrong-token', 'automatic', 'outdated', 'not-invited', 'too-large']) {
    assert.match(scraped, new RegExp(`parley_inbound_mails_total\\{outcome="${outcome}"\\} [1-9]`))
  }
  assert.match(scraped, /parley_inbound_mails_total\{outcome="failed"\} 0/)
  assert.ok(!app.logged.some((line) => /rsvp\+|elsewhere\.example|VCALENDAR/.test(line)))
})
