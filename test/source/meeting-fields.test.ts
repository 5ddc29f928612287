import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMeeting, readMeeting, usualMeetingDefaults } from '@parley/contract'
import { meetingFieldNames, meetingTextNames } from '@parley/contract/meeting-fields'
import { changedFields } from '@parley/rules/invitations/invitation-changes'
import { changedMeetingFields } from '@parley/rules/meetings/changed-meeting-fields'
import { columns } from '../../apps/server/migrations/columns.ts'
import { decryptState, encryptState } from '../../apps/server/src/invitations/delivery/mailed-meeting-store.ts'
import { createEncryption } from '../../apps/server/src/platform/encryption.ts'
import { newDraft } from '../../apps/web/src/meetings/schedule/meeting-draft.ts'
import { read } from './source-files.ts'

type Field = (typeof meetingFieldNames)[number]

/** Where a field has another name, or why a place has none: `false` with a reason. */
const rows: Partial<Record<Field, string | [false, string]>> = {
  startTime: 'startsAt',
  endTime: 'endsAt',
  repeatOptions: 'recurrence',
  advancedOptions: 'options',
  participants: [false, 'rows of participant'],
  cohosts: [false, 'rows of participant'],
}
const places: Record<string, { has(name: string): boolean; names: typeof rows }> = {
  request: {
    has: (name) => name in createMeeting.body.properties,
    names: { timeZone: [false, 'a part of repeatOptions'] },
  },
  reply: {
    has: (name) => name in readMeeting.reply.items.properties,
    names: { timeZone: [false, 'a part of repeatOptions'] },
  },
  row: { has: (name) => name in columns.meeting, names: rows },
  event: { has: (name) => changesOf().includes(name), names: {} },
  'state of emails': {
    has: (name) => name in stored(),
    names: {
      startTime: 'series',
      endTime: 'series',
      timeZone: 'series',
      repeatOptions: 'series',
      participants: [false, 'each email names its reader only'],
      cohosts: [false, 'each email names its reader only'],
      advancedOptions: [false, 'people learn them when they join'],
      reminderMinutes: [false, 'a reminder is an email of its own'],
    },
  },
  export: {
    // The section names its columns in SQL; the texts come from `textColumns`.
    has: (name) => new RegExp(`\\b${name}\\b`).test(exported),
    names: { repeatOptions: 'recurrence', participants: 'people', cohosts: 'people' },
  },
  draft: {
    has: (name) => name in newDraft(new Date(0), { timeZone: 'UTC', zoneId: 'UTC', defaults: usualMeetingDefaults }),
    names: { startTime: 'time', endTime: 'durationMs', repeatOptions: 'repeat', advancedOptions: 'options' },
  },
}

const content = {
  topic: '',
  description: '',
  location: '',
  startsAt: new Date(0),
  endsAt: new Date(0),
  timeZone: 'UTC',
  rule: { repeat: 'none' },
  endsBy: null,
  people: [],
  options: {},
  reminderMinutes: null,
} as const

/** All fields that an event can name. */
function changesOf(): readonly string[] {
  const other = {
    ...content,
    topic: 'x',
    description: 'x',
    location: 'x',
    startsAt: new Date(1),
    endsAt: new Date(1),
    timeZone: 'IST',
    rule: { repeat: 'daily', interval: 1 } as const,
    people: [{ addressKey: 'bob@example.org', invited: true, cohost: true }],
    options: { waitingRoom: true },
    reminderMinutes: 1,
  }
  return changedMeetingFields(content, other)
}

const series = {
  startsAt: content.startsAt,
  durationMs: 0,
  timeZone: 'UTC',
  rule: content.rule,
  endsBy: null,
  cancelled: [],
  changed: [],
}
function stored() {
  const encryption = createEncryption(Buffer.alloc(32))
  const row = { meetingId: 'one', sequence: 0 }
  const { topic, description, location } = content
  const state = { topic, description, location, code: '', pin: '', series, droppedDates: [] }
  const restored = decryptState(encryption, { ...row, encryptedContent: encryptState(encryption, row, state) })
  assert.deepEqual(restored, state)
  assert.deepEqual(changedFields(restored, state), [])
  return restored
}

const sections = read('apps/server/src/account-data/export-sections.ts')
const section = sections.slice(sections.indexOf('hostedMeetings: section('), sections.indexOf('invitations: section('))
const lists = sections.slice(0, sections.indexOf('skippedOccurrences: list('))
const exported = `${section} ${section.includes('textColumns(sql`m`)') ? meetingTextNames.join(' ') : ''} ${lists}`

for (const [place, { has, names }] of Object.entries(places)) {
  test(`each field of a meeting is in: ${place}; or in a list of exceptions with a reason`, () => {
    for (const field of meetingFieldNames) {
      const name = names[field] ?? field
      if (typeof name === 'string') assert.ok(has(name), `${field} is missing`)
      else assert.ok(!has(field) && name[1] !== '', `${field} is there, and needs no exception`)
    }
  })
}
