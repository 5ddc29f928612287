import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleReply } from '../../../test/meetings/calendar-replies.ts'
import { createMailReader, MailReaderBusy } from './mail-reader.ts'

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
  assert.equal(typeof (await reader.read(answer)), 'object')
  const [first, second, third] = [reader.read(slow), reader.read(answer), reader.read(answer)]
  await Promise.all([assert.rejects(second, MailReaderBusy), assert.rejects(third, MailReaderBusy)])
  assert.equal(await first, 'unreadable')
})
