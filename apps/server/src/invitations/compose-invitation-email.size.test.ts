import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import { readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { largestMeeting } from '../../test/meetings/largest-meeting.ts'
import { createMailer } from '../email/mail.ts'
import { maxMailBytes } from '../email/mail-size.ts'
import { readConfig } from '../platform/config/config.ts'
import { createEncryption } from '../platform/encryption.ts'
import { composeInvitationEmail } from './compose-invitation-email.ts'
import type { InvitationEmailRow } from './invitation-email.ts'

const encryption = createEncryption(Buffer.alloc(32, 7))
const { topic, description, location, series, attendee } = largestMeeting()
const id = (place: number) => `0190a5d2-0000-7000-8000-${String(place).padStart(12, '0')}`

async function composeMail(
  kind: InvitationEmailKind,
  changes: Partial<InvitationEmailRow['content']['state']>,
  answered = 500,
) {
  const read = readConfig({ BASE_URL: 'https://meet.example.org' })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  const state = {
    topic,
    description,
    location,
    code: '9651912175',
    pin: 'k7m2xq',
    series,
    droppedDates: [],
    ...changes,
  }
  const former = { ...state, topic: 'Before', description: description.slice(1) }
  const row: InvitationEmailRow = {
    meetingId: id(1),
    addressKey: 'bob@example.org',
    id: id(200),
    email: 'bob@example.org',
    kind,
    sequence: 1,
    content: { state, changed: ['topic', 'description', 'occurrences'], former, date: series.startsAt },
    createdAt: new Date('2026-01-02T00:00:00Z'),
    host: { name: topic.slice(0, 100), lname: topic.slice(0, 100), email: 'alice@example.org', language: 'hi' },
    reader: null,
    response: null,
    ownResponses: (attendee?.occurrences ?? []).slice(0, answered),
    reminderMinutes: 15,
    replyAddress: 'rsvp@meet.example.org',
    replyGeneration: '0.0',
    earlier: Array.from({ length: 30 }, (_, place) => id(place + 2)),
  }
  const mail = await composeInvitationEmail({ encryption, config: read.config }, row)
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-size-'))
  try {
    const mailer = createMailer({ mailFrom: read.config.mailFrom, dataDir, log: pino({ level: 'silent' }) })
    await mailer.deliver(mail)
    const name = mail.messageId.slice(1, -1).replace(/[^\w.@-]/g, '_')
    return { mail, content: await readFile(join(dataDir, 'mail', `${name}.eml`)) }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

const noteOf = /इस शृंखला में जितनी अलग तारीखें हैं/
const kinds = [
  'invitation',
  'update',
  'cancellation',
  'series-end',
  'occurrence-update',
  'removal',
  'reminder',
] as const
/** The description takes the most in each encoding: by characters that are escaped, in UTF-8, and by three each. */
const descriptions = {
  Hindi: description,
  mixed: 'aमb;'.repeat(2_500),
  ASCII: '&;<"='.repeat(2_000),
  emoji: '😀'.repeat(5_000),
}
for (const [what, text] of Object.entries(descriptions)) {
  test(`the largest mails stay under 512 KB as they are sent, with a description in ${what}`, async () => {
    for (const kind of kinds) {
      const { content } = await composeMail(kind, { description: text })
      assert.ok(content.length < maxMailBytes, `${kind}: ${content.length} bytes`)
    }
  })
}

test('where the calendar does not fit twice it is no attachment, and what it leaves out is said', async () => {
  const { mail, content } = await composeMail('update', {})
  assert.equal(mail.calendar?.isAttached, false)
  assert.match(mail.text, noteOf)
  assert.match(mail.html, noteOf)
  assert.match(mail.text, /दिखती हैं: https:\/\/meet\.example\.org\/add\/9651912175#pin=k7m2xq/)
  const { attachments } = await simpleParser(content)
  assert.deepEqual(
    attachments.map(({ contentType }) => contentType),
    ['text/calendar'],
  )
  assert.equal(String(attachments[0]?.content), mail.calendar?.text)
  assert.ok(readCalendar(String(attachments[0]?.content)).events.length > 50)
})

test('a cancellation says that a calendar may keep dates', async () => {
  const { mail } = await composeMail('cancellation', {})
  assert.match(mail.text, noteOf)
  assert.match(mail.text, /उन्हें वहाँ हटा दें/)
})

test('a series of usual size is whole, attached, and has no note', async () => {
  const changed = series.changed
    .slice(0, 20)
    .map((change) => ({ ...change, topic: null, description: null, location: null }))
  const usual = { topic: 'Daily', description: 'Agenda', series: { ...series, cancelled: [], changed } }
  const { mail } = await composeMail('update', usual, 20)
  assert.equal(mail.calendar?.isAttached, true)
  assert.doesNotMatch(mail.text, noteOf)
  // The series, its changed dates, those that the guest answered, and those at the clock changes of eleven years.
  assert.equal(readCalendar(mail.calendar?.text ?? '').events.length, 1 + 20 + 20 + 22)
})
