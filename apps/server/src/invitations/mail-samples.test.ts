import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { LetterKind } from '@parley/rules/invitation-changes'
import type { Language } from '@parley/rules/language'
import type { Series } from '@parley/rules/recurrence'
import type { NoticeContent } from '../meetings/meeting-notice.ts'
import { readConfig } from '../platform/config.ts'
import { createSealedBox } from '../platform/sealed-box.ts'
import { letterMail } from './letter-mail.ts'
import type { LetterRow } from './letter-store.ts'

/** docs/mail-samples shows what people get; whoever changes a template or a translation sees it there. */
const folder = fileURLToPath(new URL('../../../../docs/mail-samples/', import.meta.url))
const sealedBox = createSealedBox(Buffer.alloc(32, 7))

const weekly: Series = {
  startsAt: new Date('2030-01-07T09:00:00Z'),
  durationMs: 45 * 60_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'weekly', interval: 2, daysOfWeek: [0, 1, 0, 1, 0, 0, 0] },
  endsBy: new Date('2030-06-30T22:59:59Z'),
  excluded: [],
}
const told = {
  topic: 'Planning: roof garden & <terrace>',
  description: 'Please bring the plans.\n\n1. Budget\n2. Plants',
  code: '9651912175',
  pin: 'k7m2xq',
  series: weekly,
}
const former = {
  ...told,
  topic: 'Planning',
  series: {
    ...weekly,
    startsAt: new Date('2030-01-07T14:00:00Z'),
    rule: { ...weekly.rule, interval: 1 } as Series['rule'],
  },
}
const date = new Date('2030-01-23T09:00:00Z')
const contents: Record<LetterKind, Partial<NoticeContent>> = {
  invitation: {},
  update: { changed: ['topic', 'time', 'rule'], former },
  cancellation: {},
  removal: {},
  'occurrence-cancellation': { date },
  'series-end': { date },
  reminder: { date },
}

function sample(kind: LetterKind, language: Language) {
  const read = readConfig({ BASE_URL: 'https://meet.example.org' })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  const content: NoticeContent = { ...told, changed: [], former: null, date: null, ...contents[kind] }
  const row: LetterRow = {
    meetingId: '0190a5d2-0000-7000-8000-000000000001',
    addressKey: 'bob@example.org',
    noticeId: '0190a5d2-0000-7000-8000-000000000002',
    email: 'bob@example.org',
    kind,
    sentAt: null,
    failedAt: null,
    sequence: 1,
    sealedContent: sealedBox.seal(JSON.stringify(content), 'meeting notice'),
    createdAt: new Date('2030-01-01T12:00:00Z'),
    host: { name: 'Alice', lname: 'Ámundsdóttir', email: 'alice@example.org', language: 'en' },
    reader: { name: 'Bob', lname: 'Kumar', timeZone: 'Asia/Kolkata', language },
    response: null,
    reminderMinutes: null,
    earlier: [],
  }
  return letterMail({ sealedBox, config: read.config }, row)
}

const kinds = Object.keys(contents) as LetterKind[]
const samples: [LetterKind, Language][] = [
  ...kinds.map((kind): [LetterKind, Language] => [kind, 'en']),
  ...(['de', 'hi', 'ar'] as const).flatMap((language): [LetterKind, Language][] => [
    ['invitation', language],
    ['update', language],
    ['occurrence-cancellation', language],
  ]),
]
for (const [kind, language] of samples) {
  test(`docs/mail-samples: ${kind} in ${language} (UPDATE_SNAPSHOTS=1 writes it)`, async () => {
    const { subject, text, html } = sample(kind, language)
    for (const [ending, made] of [
      ['txt', `Subject: ${subject}\n\n${text}`],
      ['html', html],
    ] as const) {
      const path = `${folder}${kind}.${language}.${ending}`
      if (process.env.UPDATE_SNAPSHOTS === '1') {
        await mkdir(folder, { recursive: true })
        await writeFile(path, made)
      }
      assert.equal(made, await readFile(path, 'utf8'))
    }
  })
}

test('each language says every letter: no word of another one, nothing left out', () => {
  for (const language of ['de', 'hi', 'ar'] as const) {
    for (const kind of kinds) {
      const [own, english] = [sample(kind, language), sample(kind, 'en')]
      assert.notEqual(own.subject, english.subject)
      assert.equal(own.text.match(/https:\S+/g)?.length, english.text.match(/https:\S+/g)?.length)
      assert.doesNotMatch(`${own.subject} ${own.text}`, /undefined|\[object|Invalid Date/)
    }
  }
})
