import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { type Language, languageCodes } from '@parley/texts/languages'
import { simpleParser } from 'mailparser'
import { pino } from 'pino'
import { readCalendar } from '../../../../test/calendar-readers/read-with-ical-js.ts'
import { assertSample } from '../../test/email-samples.ts'
import { subjectOf } from '../../test/mailbox.ts'
import { largestMeeting } from '../../test/meetings/largest-meeting.ts'
import { detailsPath, schedule, standUp, weekdays } from '../../test/people.ts'
import { configOf } from '../../test/read-config.ts'
import { useApp } from '../../test/use-app.ts'
import { createMailer, type Mail } from '../email/mail.ts'
import { maxMailLogoBytes } from '../email/mail-brand.ts'
import { createEncryption } from '../platform/encryption.ts'
import { composeInvitationEmail, maxGuestMailBytes } from './compose-invitation-email.ts'
import type { MailContent } from './delivery/plan-delivery.ts'
import { remindJob } from './guest-reminders.ts'
import type { InvitationEmailRow } from './invitation-email.ts'

const encryption = createEncryption(Buffer.alloc(32, 7))
const config = configOf({ BASE_URL: 'https://meet.example.org' })

const weekly: Series = {
  startsAt: new Date('2030-01-07T09:00:00Z'),
  durationMs: 45 * 60_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'weekly', interval: 2, daysOfWeek: [0, 1, 0, 1, 0, 0, 0] },
  endsBy: new Date('2030-06-30T22:59:59Z'),
  cancelled: [],
  changed: [],
}
const account = {
  topic: 'Planning: roof garden & <terrace>',
  description: 'Please bring the plans.\n\n1. Budget\n2. Plants',
  location: '',
  code: '9651912175',
  pin: 'k7m2xq',
  series: weekly,
}
const former = {
  ...account,
  topic: 'Planning',
  series: {
    ...weekly,
    startsAt: new Date('2030-01-07T14:00:00Z'),
    rule: { ...weekly.rule, interval: 1 } as Series['rule'],
    // A Wednesday that is restored.
    cancelled: [new Date('2030-01-23T14:00:00Z')],
  },
  droppedDates: [],
}
const date = new Date('2030-01-23T09:00:00Z')
const changed = [
  {
    originalStart: date,
    times: { startsAt: new Date('2030-01-23T14:00:00Z'), endsAt: new Date('2030-01-23T15:30:00Z') },
    topic: 'Planning: with the architect',
    description: null,
    location: null,
  },
]
const contents: Record<InvitationEmailKind, Partial<MailContent>> = {
  invitation: {},
  update: { changed: ['topic', 'time', 'rule'], former },
  cancellation: {},
  removal: {},
  'occurrence-cancellation': { date },
  'occurrence-update': {
    date,
    former: { ...account, droppedDates: [] },
    state: { ...account, series: { ...weekly, changed } },
  },
  'series-end': { date },
  'series-continued': { date, former },
  reminder: { date },
  'answer-request': {},
}

function sample(kind: InvitationEmailKind, language: Language, createdAt = '2030-01-01T12:00:00Z') {
  const row: InvitationEmailRow = {
    meetingId: '0190a5d2-0000-7000-8000-000000000001',
    addressKey: 'bob@example.org',
    id: '0190a5d2-0000-7000-8000-000000000002',
    email: 'bob@example.org',
    kind,
    sequence: 1,
    content: { state: account, changed: [], former: null, date: null, ...contents[kind] },
    createdAt: new Date(createdAt),
    isAgain: false,
    message:
      kind === 'cancellation'
        ? { text: 'I am ill.\nSee <https://example.org>; next week!', author: { name: 'Carol', lname: 'Diaz' } }
        : null,
    host: { name: 'Alice', lname: 'Ámundsdóttir', email: 'alice@example.org', language: 'en' },
    brand: {},
    reader: { name: 'Bob', lname: 'Kumar', timeZone: 'Asia/Kolkata', language },
    response: null,
    ownResponses: [],
    otherGuests: { emails: ['carol@example.org', 'dan@elsewhere.example'], names: ['', 'Dan Novak'], count: 14 },
    displayName: 'Bobby',
    reminderMinutes: null,
    replyAddress: null,
    replyGeneration: '0.0',
    earlier: [],
  }
  return composeInvitationEmail({ encryption, config }, row)
}

const kinds = Object.keys(contents) as InvitationEmailKind[]
const samples: [InvitationEmailKind, Language][] = [
  ...kinds.map((kind): [InvitationEmailKind, Language] => [kind, 'en']),
  ...(['de', 'hi', 'ar'] as const).flatMap((language): [InvitationEmailKind, Language][] => [
    ['invitation', language],
    ['update', language],
    ['occurrence-cancellation', language],
    ['occurrence-update', language],
  ]),
]
for (const [kind, language] of samples) {
  test(`docs/mail-samples: ${kind} in ${language} (UPDATE_SNAPSHOTS=1 writes it)`, async () => {
    await assertSample(`${kind}.${language}`, await sample(kind, language))
  })
}

test('asks for the answer before it offers to join, until a day before the start', async () => {
  const orderAt = async (createdAt: string) => {
    const { text, html } = await sample('invitation', 'en', createdAt)
    const asksFirst = text.indexOf('Are you coming?') < text.indexOf('Join the meeting')
    assert.equal(html.indexOf('Are you coming?') < html.indexOf('Join the meeting'), asksFirst)
    return { asksFirst, hasJoinButton: /class="button"[^>]*>Join the meeting/.test(html) }
  }
  assert.deepEqual(await orderAt('2030-01-06T08:59:59.999Z'), { asksFirst: true, hasJoinButton: false })
  assert.deepEqual(await orderAt('2030-01-06T09:00:00Z'), { asksFirst: false, hasJoinButton: true })
})

test('makes web addresses of a description links, and no other scheme', async () => {
  const { html } = await sample('invitation', 'en')
  assert.doesNotMatch(html, /<a [^>]*>Please bring/)
  const described = await composeMail('invitation', {
    description: 'https://a.example/x?y="z" javascript:alert(1) <b>',
  })
  assert.match(
    described.mail.html,
    /<a class="accent" href="https:\/\/a\.example\/x\?y=" [^>]*>https:\/\/a\.example\/x\?y=<\/a>/,
  )
  assert.match(described.mail.html, /&quot;z&quot; javascript:alert\(1\) &lt;b&gt;/)
})

test('each language has every email complete and without words of another language', async () => {
  for (const language of languageCodes.filter((code) => code !== 'en')) {
    for (const kind of kinds) {
      const [own, english] = [await sample(kind, language), await sample(kind, 'en')]
      assert.notEqual(own.subject, english.subject)
      assert.equal(own.text.match(/https:\S+/g)?.length, english.text.match(/https:\S+/g)?.length)
      assert.doesNotMatch(`${own.subject} ${own.text}`, /undefined|\[object|Invalid Date/)
    }
  }
})

const { topic, description, location, series, attendee } = largestMeeting()
const id = (place: number) => `0190a5d2-0000-7000-8000-${String(place).padStart(12, '0')}`

async function composeMail(
  kind: InvitationEmailKind,
  changes: Partial<InvitationEmailRow['content']['state']>,
  answered = 500,
  message: InvitationEmailRow['message'] = {
    text: description.slice(0, 500),
    author: { name: topic.slice(0, 100), lname: topic.slice(0, 100) },
  },
  guestName = topic.slice(0, 100),
  brand: InvitationEmailRow['brand'] = {},
) {
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
    isAgain: false,
    message,
    host: { name: topic.slice(0, 100), lname: topic.slice(0, 100), email: 'alice@example.org', language: 'hi' },
    brand,
    reader: null,
    response: null,
    ownResponses: (attendee?.occurrences ?? []).slice(0, answered),
    otherGuests: {
      emails: Array.from({ length: 10 }, (_, place) => `${place}${'a'.repeat(240)}@example.org`),
      names: Array.from({ length: 10 }, () => guestName),
      count: 999,
    },
    displayName: guestName,
    reminderMinutes: 15,
    replyAddress: 'rsvp@meet.example.org',
    replyGeneration: '0.0',
    earlier: Array.from({ length: 30 }, (_, place) => id(place + 2)),
  }
  const mail = await composeInvitationEmail({ encryption, config }, row)
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-mail-size-'))
  try {
    const mailer = createMailer({ mailFrom: config.mailFrom, dataDir, log: pino({ level: 'silent' }) })
    const images = mail.logos?.map((digest) => ({
      contentId: `${digest}@logo`,
      mediaType: 'image/png',
      bytes: largestLogo,
    }))
    await mailer.deliver({ ...mail, ...(images && { images }) })
    const name = mail.messageId.slice(1, -1).replace(/[^\w.@-]/g, '_')
    return { mail, content: await readFile(join(dataDir, 'mail', `${name}.eml`)) }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

const largestLogo = Buffer.alloc(maxMailLogoBytes, 'logo')
const logo = (digest: string) => ({ digest, mediaType: 'image/png', width: 480, height: 120, size: largestLogo.length })
const largestBrand = {
  name: 'औ'.repeat(60),
  colour: '#ffd500',
  logos: { light: logo('a'.repeat(43)), dark: logo('b'.repeat(43)) },
}

const noteOf = /इस शृंखला में जितनी अलग तारीखें हैं/
const kindsOfSize = [
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
    for (const kind of kindsOfSize) {
      const { content } = await composeMail(kind, { description: text })
      assert.ok(content.length < maxGuestMailBytes, `${kind}: ${content.length} bytes`)
      if (kind !== 'update') continue
      const branded = await composeMail(kind, { description: text }, 500, undefined, undefined, largestBrand)
      assert.ok(branded.content.length < maxGuestMailBytes, `${kind} with logos: ${branded.content.length} bytes`)
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
  const datesIn = (calendar: string | undefined) => readCalendar(calendar ?? '').events.length
  const withoutMessage = await composeMail('update', {}, 500, null, '')
  assert.ok(datesIn(withoutMessage.mail.calendar?.text) > 50)
  // The longest message stands in text, HTML and calendar: five of 55 dates make room for it.
  const withoutNames = await composeMail('update', {}, 500, undefined, '')
  assert.ok(datesIn(withoutNames.mail.calendar?.text) >= 50)
  // The longest name stands in each date: twelve more make room for it.
  assert.ok(datesIn(mail.calendar?.text) >= 35)
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
  const { mail } = await composeMail('update', usual, 20, undefined, 'Dan Novák')
  assert.equal(mail.calendar?.isAttached, true)
  assert.doesNotMatch(mail.text, noteOf)
  // The series, its changed dates, those that the guest answered, and those at the clock changes of eleven years.
  assert.equal(readCalendar(mail.calendar?.text ?? '').events.length, 1 + 20 + 20 + 22)
})

const { app, clock, meet } = await useApp({
  start: '2030-01-01T12:00:00Z',
  environment: { MAIL_FROM: 'Acme Meet <meet@acme.example>', RATE_LIMITS: 'off' },
})

/** Meet Alice, who invites Bob. */
async function meetHost() {
  const [alice, bob, carol] = await meet('Alice', 'Bob', 'Carol')
  return {
    alice,
    bob,
    carol,
    withBob: (changes: object = {}) => standUp({ participants: [bob.email], ...changes }),
  }
}

/** The lines of an email's calendar, without folds. */
const linesOf = (mail: Mail | undefined) => (mail?.calendar?.text ?? '').replaceAll('\r\n ', '').split('\r\n')
const lineOf = (mail: Mail | undefined, name: string) => linesOf(mail).find((line) => line.startsWith(name))

test('sends an email in the host’s name through the service, and names the sending address', async () => {
  const { alice, withBob } = await meetHost()
  await schedule(alice, withBob())
  const [mail] = await app.mails()
  assert.equal(mail?.fromName, 'Alice Test via Acme Meet')
  assert.equal(
    lineOf(mail, 'ORGANIZER'),
    `ORGANIZER;CN="Alice Test";SENT-BY="mailto:meet@acme.example":mailto:${alice.email}`,
  )
})

test('names the sender in the reader’s language', async () => {
  const { alice, bob, withBob } = await meetHost()
  await bob.send('PUT', '/api/my_profile', { language: 'de' })
  const meeting = await schedule(alice, withBob())
  const [mail] = await app.mails()
  assert.equal(mail?.fromName, 'Alice Test über Acme Meet')
  assert.match(
    lineOf(mail, 'CONFERENCE') ?? '',
    /^CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL="An der Besprechung teilnehmen":/,
  )
  assert.ok(lineOf(mail, 'CONFERENCE')?.endsWith(`:${meeting.meetingUrl}`))
})

test('sends a reminder to the host from the service, not from the host', async () => {
  const { alice, bob, withBob } = await meetHost()
  await schedule(alice, withBob({ startTime: '2030-01-03T09:00:00Z', endTime: '2030-01-03T09:30:00Z' }))
  await app.mails()
  clock.set('2030-01-03T08:50:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const mails = await app.mails()
  const senders = mails.map(({ to, fromName }) => `${to} ${fromName}`).toSorted()
  assert.deepEqual(senders, [`${alice.email} undefined`, `${bob.email} Alice Test via Acme Meet`])
})

test('sends no email for a changed reminder time alone; the next update delivers it to calendars', async () => {
  const { alice, withBob } = await meetHost()
  const meeting = await schedule(alice, withBob({ reminderMinutes: 10 }))
  assert.equal(lineOf((await app.mails())[0], 'TRIGGER'), 'TRIGGER:-PT10M')
  await alice.send('PUT', detailsPath(meeting), withBob({ reminderMinutes: 60 }))
  assert.deepEqual(await app.mails(), [])
  await alice.send('PUT', detailsPath(meeting), withBob({ topic: 'Sit-down', reminderMinutes: 60 }))
  assert.equal(lineOf((await app.mails())[0], 'TRIGGER'), 'TRIGGER:-PT1H')
})

test('emails a cohost who is no participant as a guest: invitation, changes, reminders and removal', async () => {
  const { alice, carol, withBob } = await meetHost()
  const withCarol = (changes: object = {}) => withBob({ participants: [], cohosts: [carol.email], ...changes })
  const meeting = await schedule(alice, withCarol())
  const gist = (mails: readonly Mail[]) => mails.map((mail) => `${subjectOf(mail)} to ${mail.to}`).toSorted()
  const [invitation, ...others] = await app.mails()
  assert.deepEqual(gist([...others, ...(invitation ? [invitation] : [])]), [`Invitation: Stand-up to ${carol.email}`])
  assert.match(lineOf(invitation, 'ATTENDEE') ?? '', /:mailto:carol\.\d+@example\.org$/)

  const accept = /http:\S+\/accepted/.exec(invitation?.text ?? '')?.[0] ?? ''
  const answered = await fetch(accept.replace('http://parley.test', app.base), { method: 'POST', redirect: 'manual' })
  assert.equal(answered.status, 303)
  const read = async () => (await alice.send('GET', detailsPath(meeting))).body[0]
  assert.deepEqual((await read()).participants, [])
  assert.equal((await read()).cohostDetails[0].response, 'accepted')

  await alice.send('PUT', detailsPath(meeting), withCarol({ topic: 'Sit-down' }))
  assert.deepEqual(gist(await app.mails()), [`Changed: Sit-down to ${carol.email}`])
  clock.set('2030-01-07T08:50:00Z')
  await app.pool.query('select graphile_worker.add_job($1)', [remindJob.name])
  const reminded = gist(await app.mails())
  assert.ok(reminded.includes(`Reminder: Sit-down to ${carol.email}`), reminded.join())
  clock.set('2030-01-01T12:00:00Z')

  await alice.send('PUT', detailsPath(meeting), withCarol({ topic: 'Sit-down', cohosts: [] }))
  assert.deepEqual(gist(await app.mails()), [`No longer invited: Sit-down to ${carol.email}`])
})

test('sends no new email to a person who becomes a participant or a cohost as well', async () => {
  const { alice, bob, withBob } = await meetHost()
  const meeting = await schedule(alice, withBob({ participants: [bob.email] }))
  await app.mails()
  await alice.send('PUT', detailsPath(meeting), withBob({ participants: [bob.email], cohosts: [bob.email] }))
  await alice.send('PUT', detailsPath(meeting), withBob({ participants: [], cohosts: [bob.email] }))
  assert.deepEqual(await app.mails(), [])
})

test('names the next date of a running series in emails, before and after a change', async () => {
  const { alice, bob, carol } = await meetHost()
  const whenOf = (mail: Mail | undefined) => /^When: (.*?), \d\d:/m.exec(mail?.text ?? '')?.[1]
  const series = (changes: object = {}) => weekdays({ participants: [bob.email], ...changes })
  const meeting = await schedule(alice, series())
  assert.equal(whenOf((await app.mails())[0]), 'Monday, 7 January 2030')

  clock.set('2030-01-09T09:10:00Z')
  await alice.send('PUT', detailsPath(meeting), series({ participants: [bob.email, carol.email] }))
  // The running date is the one to attend.
  assert.equal(whenOf((await app.mails())[0]), 'Wednesday, 9 January 2030')

  clock.set('2030-01-09T12:00:00Z')
  const later = { startTime: '2030-01-07T10:00:00Z', endTime: '2030-01-07T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), series(later))
  const moved = (await app.mails()).find(({ to }) => to === bob.email)
  assert.equal(whenOf(moved), 'Thursday, 10 January 2030')
  assert.match(
    moved?.text ?? '',
    /Before: Thursday, 10 January 2030, 09:00–09:30.*\n {2}Now: Thursday, 10 January 2030, 10:00–10:30/,
  )

  // The next date stays; the first date has changed.
  const begun = { startTime: '2030-01-08T10:00:00Z', endTime: '2030-01-08T10:30:00Z' }
  await alice.send('PUT', detailsPath(meeting), series(begun))
  const [shorter] = await app.mails()
  assert.match(shorter?.text ?? '', /Before: Monday, 7 January 2030.*\n {2}Now: Tuesday, 8 January 2030/)
})
