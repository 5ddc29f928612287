import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleReply, outlookReply, type ReplyFields } from '../../../test/meetings/calendar-replies.ts'
import { useReplyMailbox } from '../../../test/meetings/reply-mailbox.ts'
import { createLog } from '../../platform/log.ts'
import { secureRandom } from '../../platform/random.ts'
import { createMailReader, MailReaderBusy } from './mail-reader.ts'
import { createMailReceiver, maxMailBytes } from './receive-mail.ts'

const replyFields = { to: 'rsvp@meet.example.org', from: 'bob@example.org', uid: 'a@parley.test', partstat: 'ACCEPTED' }
const answer = Buffer.from(googleReply(replyFields))
/** Addresses in the headers of parts, on which the parser’s work grows faster than their number. */
const slow = Buffer.from(
  `To: rsvp@meet.example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${Array.from(
    { length: 8 },
    () => `--b\r\nTo: ${'a:'.repeat(30_000)}\r\n\r\nx\r\n`,
  ).join('')}--b--\r\n`,
)

test('reads an answer, and the next mail after one that took too long', async (t) => {
  const reader = createMailReader({ readLimitMs: 50 })
  t.after(reader.stop)
  assert.equal(await reader.read(slow), 'unreadable')
  const patient = createMailReader()
  t.after(patient.stop)
  const read = await patient.read(answer)
  assert.ok(typeof read === 'object' && read.from === 'bob@example.org')
  assert.equal(read.replies[0].response, 'accepted')
})

test('reads mails one after the other, and refuses more than twenty at a time', async (t) => {
  const reader = createMailReader()
  t.after(reader.stop)
  const reading = Array.from({ length: 20 }, () => reader.read(answer))
  await assert.rejects(reader.read(answer), MailReaderBusy)
  for (const read of await Promise.all(reading)) assert.equal(typeof read, 'object')
  assert.equal(typeof (await reader.read(answer)), 'object')
})

test('refuses a mail whose turn does not come in time, and reads on', async (t) => {
  const reader = createMailReader({ readLimitMs: 400, waitLimitMs: 100 })
  t.after(reader.stop)
  // Loads the thread, which may take longer than a mail of this test may wait.
  await reader.read(answer)
  const [first, second, third] = [reader.read(slow), reader.read(answer), reader.read(answer)]
  await Promise.all([assert.rejects(second, MailReaderBusy), assert.rejects(third, MailReaderBusy)])
  assert.equal(await first, 'unreadable')
})

const { app, clock, receive, meetGuests } = await useReplyMailbox()

const repeated = (line: string, times: number) => Array.from({ length: times }, () => line)
const observance = [
  'BEGIN:STANDARD',
  'DTSTART:00010101T000000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
].join('\r\n')
const hostile: [string, (replyFields: ReplyFields) => string, string][] = [
  ['a mail that is too large', (replyFields) => googleReply(replyFields) + 'x'.repeat(maxMailBytes), 'too-large'],
  [
    'thousands of events',
    (replyFields) => outlookReply({ ...replyFields, lines: repeated('END:VEVENT\r\nBEGIN:VEVENT\r\nUID:x', 3_000) }),
    'no-answer',
  ],
  [
    'an endless rule',
    (replyFields) =>
      outlookReply({ ...replyFields, lines: [`RRULE:FREQ=SECONDLY;BYSECOND=${repeated('1', 15_000).join(',')}`] }),
    'recorded',
  ],
  ['a zone of endless rules', (replyFields) => outlookReply(replyFields).replace('multipart', 'multipart'), 'recorded'],
  [
    'many properties',
    (replyFields) => googleReply({ ...replyFields, lines: repeated('X-A;B=C;D="E":F', 4_000) }),
    'recorded',
  ],
  [
    'a line of parameters',
    (replyFields) => googleReply({ ...replyFields, lines: [`X-A${';B=C'.repeat(15_000)}:F`] }),
    'recorded',
  ],
  [
    'an open quote',
    (replyFields) => googleReply({ ...replyFields, lines: [`X-A;B="${'C;'.repeat(15_000)}`] }),
    'no-answer',
  ],
  [
    'folded to characters',
    (replyFields) => googleReply({ ...replyFields, lines: [`X-A:${repeated('a', 15_000).join('\r\n ')}`] }),
    'recorded',
  ],
  [
    'parts in parts',
    (replyFields) =>
      `From: ${replyFields.from}\r\nTo: ${replyFields.to}\r\n` +
      Array.from(
        { length: 5_000 },
        (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`,
      ).join(''),
    'unreadable',
  ],
  [
    'many parts',
    (replyFields) =>
      `From: ${replyFields.from}\r\nTo: ${replyFields.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(10_000),
    'unreadable',
  ],
  ['a large header', (replyFields) => `X-A: ${'b '.repeat(100_000)}\r\n${googleReply(replyFields)}`, 'wrong-token'],
  [
    'a large header below',
    (replyFields) => `To: ${replyFields.to}\r\nX-A: ${'b '.repeat(100_000)}\r\n\r\n`,
    'unreadable',
  ],
  [
    'many recipients',
    (replyFields) => googleReply(replyFields).replace(/^To: /m, `To: ${'a@example.org, '.repeat(3_500)}`),
    'recorded',
  ],
  [
    'many addresses',
    (replyFields) => googleReply(replyFields).replace(/^From: /m, `From: ${'a@b, '.repeat(10_000)}`),
    'other-mail',
  ],
  [
    'deep comments in an address',
    (replyFields) => googleReply(replyFields).replace(/^To: /m, `To: ${'('.repeat(30_000)}`),
    'recorded',
  ],
  [
    'addresses in the header of a part',
    (replyFields) =>
      `From: ${replyFields.from}\r\nTo: ${replyFields.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\nFrom: ${'a@b, '.repeat(95_000)}\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n`,
    'unreadable',
  ],
  [
    'addresses in a mail within the mail',
    (replyFields) =>
      `From: ${replyFields.from}\r\nTo: ${replyFields.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      '--b\r\nContent-Type: message/rfc822\r\nContent-Disposition: inline\r\n\r\n' +
      `From: ${'a@b, '.repeat(95_000)}\r\n\r\nx\r\n--b--\r\n`,
    'other-mail',
  ],
  [
    'parameters of a part',
    (replyFields) =>
      `From: ${replyFields.from}\r\nTo: ${replyFields.to}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n` +
      `--b\r\nContent-Type: text/plain${Array.from({ length: 4_000 }, (_, at) => `; a*${at}*=%41`).join('')}\r\n\r\nx\r\n--b--\r\n`,
    'other-mail',
  ],
  [
    'unknown words in a header',
    (replyFields) => `Subject: ${'=?utf-8?q?=41?= '.repeat(3_500)}\r\n${googleReply(replyFields)}`,
    'recorded',
  ],
  [
    'a calendar that is too large',
    (replyFields) => outlookReply({ ...replyFields, lines: repeated('X-A:B', 30_000) }),
    'too-large',
  ],
  [
    'components in components',
    (replyFields) => googleReply({ ...replyFields, lines: repeated('BEGIN:X', 5_000) }),
    'no-answer',
  ],
  [
    'a counterproposal of many guests',
    (replyFields) =>
      googleReply({
        ...replyFields,
        method: 'COUNTER',
        lines: Array.from({ length: 3_000 }, (_, at) => `ATTENDEE:mailto:a${at}@b.example`),
      }),
    'no-answer',
  ],
  [
    'a counterproposal of many meetings',
    (replyFields) =>
      googleReply({
        ...replyFields,
        method: 'COUNTER',
        lines: repeated(`END:VEVENT\r\nBEGIN:VEVENT\r\nUID:${replyFields.uid}`, 40),
      }),
    'no-answer',
  ],
  [
    'a counterproposal in a zone of many changes',
    (replyFields) =>
      googleReply({ ...replyFields, method: 'COUNTER', start: 'DTSTART;TZID=Odd:20300707T160000' }).replace(
        'BEGIN:VEVENT',
        ['BEGIN:VTIMEZONE', 'TZID:Odd', ...repeated(observance, 300), 'END:VTIMEZONE', 'BEGIN:VEVENT'].join('\r\n'),
      ),
    'proposed',
  ],
  ['bytes', () => String.fromCharCode(...Array.from({ length: 60_000 }, (_, at) => (at * 7919) % 256)), 'wrong-token'],
]

test('mail of strangers is dropped before anything of it is parsed', async () => {
  const { invite } = await meetGuests()
  const { replyFields } = await invite()
  // A token that this service has not made, of the right form.
  const forged = replyFields.to.replace(/\+./, (found) => (found === '+0' ? '+1' : '+0'))
  const parts = Array.from({ length: 8 }, () => `--b\r\nTo: ${'a:'.repeat(30_000)}\r\n\r\nx\r\n`).join('')
  const head = `From: ${replyFields.from}\r\nTo: ${forged}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n`
  const reader = createMailReceiver(
    { ...app, clock, log: createLog({ level: 'silent' }), random: secureRandom },
    {
      // Any mail that is read takes longer.
      readLimitMs: 0,
    },
  )
  const mail = { content: Buffer.from(`${head}${parts}--b--\r\n`), recipients: [forged], isBounce: false }
  try {
    assert.equal(await reader.receive(mail), 'wrong-token')
    assert.equal(await reader.receive({ ...mail, recipients: [replyFields.to] }), 'unreadable')
    // The next one to the same address is not read.
    assert.equal(await reader.receive({ ...mail, recipients: [replyFields.to] }), 'too-many')
  } finally {
    await reader.stop()
  }
})

for (const [name, write, expected] of hostile) {
  test(`a hostile mail costs little: ${name}`, async () => {
    const { invite } = await meetGuests()
    const { replyFields } = await invite()
    const content = write(replyFields)
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
