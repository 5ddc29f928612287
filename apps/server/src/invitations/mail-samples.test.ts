import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvitationEmailKind } from '@parley/rules/invitations/invitation-changes'
import type { Series } from '@parley/rules/recurrence/recurrence'
import { type Language, languageCodes } from '@parley/texts/languages'
import { assertSample } from '../../test/email-samples.ts'
import { readConfig } from '../platform/config/config.ts'
import { createEncryption } from '../platform/encryption.ts'
import { composeInvitationEmail } from './compose-invitation-email.ts'
import type { MailContent } from './delivery/plan-delivery.ts'
import type { InvitationEmailRow } from './invitation-email.ts'

const encryption = createEncryption(Buffer.alloc(32, 7))

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
}

function sample(kind: InvitationEmailKind, language: Language) {
  const read = readConfig({ BASE_URL: 'https://meet.example.org' })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  const row: InvitationEmailRow = {
    meetingId: '0190a5d2-0000-7000-8000-000000000001',
    addressKey: 'bob@example.org',
    id: '0190a5d2-0000-7000-8000-000000000002',
    email: 'bob@example.org',
    kind,
    sequence: 1,
    content: { state: account, changed: [], former: null, date: null, ...contents[kind] },
    createdAt: new Date('2030-01-01T12:00:00Z'),
    host: { name: 'Alice', lname: 'Ámundsdóttir', email: 'alice@example.org', language: 'en' },
    reader: { name: 'Bob', lname: 'Kumar', timeZone: 'Asia/Kolkata', language },
    response: null,
    ownResponses: [],
    reminderMinutes: null,
    replyAddress: null,
    replyGeneration: '0.0',
    earlier: [],
  }
  return composeInvitationEmail({ encryption, config: read.config }, row)
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
