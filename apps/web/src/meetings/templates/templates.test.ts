import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MeetingTemplateContent, usualMeetingDefaults } from '@parley/contract'
import { isSameDraft, newDraft } from '../schedule/meeting-draft.ts'
import { draftFromTemplate, templateOf } from './templates.ts'

const empty = newDraft(new Date('2026-11-27T03:40:00Z'), {
  timeZone: 'Europe/Berlin',
  zoneId: 'Europe/Berlin',
  defaults: usualMeetingDefaults,
})
const full = {
  ...empty,
  topic: 'Review',
  description: 'Bring numbers.',
  location: 'Room 5',
  durationMs: 45 * 60_000,
  participants: ['"Novák, Dan" <dan@example.org>'],
  cohosts: ['eve@example.org'],
  options: { ...empty.options, waitingRoom: true },
  reminderMinutes: 15,
}

for (const [name, repeat] of [
  ['no repetition', { repeat: 'none' }],
  ['weekdays', { repeat: 'weekdays' }],
  ['every second Monday, five times', { repeat: 'weekly', interval: 2, weekdays: [1], ends: 'count', count: 5 }],
  ['the last Friday of the month', { repeat: 'monthly', monthlyOn: 'weeks', weeks: [4], weekdaysInMonth: [5] }],
  ['the last day of the month', { repeat: 'monthly', monthlyOn: 'last-day' }],
] as const) {
  test(`a draft that begins with a template of another is the same, at its own date: ${name}`, () => {
    const draft = { ...full, repeat: { ...full.repeat, ...repeat } }
    const { name: given, ...content } = templateOf(draft, 'Weekly')
    assert.equal(given, 'Weekly')
    const begun = draftFromTemplate(empty, content as MeetingTemplateContent)
    assert.equal(isSameDraft(begun, { ...draft, repeat: { ...draft.repeat, count: begun.repeat.count } }), true)
    const later = draftFromTemplate({ ...empty, date: '2027-02-01', time: '09:00' }, content as MeetingTemplateContent)
    assert.deepEqual([later.date, later.time], ['2027-02-01', '09:00'])
  })
}

test('a template has neither the end of a series on a date nor an empty topic', () => {
  const draft = {
    ...full,
    topic: ' ',
    repeat: { ...full.repeat, repeat: 'daily', ends: 'date', endDate: '2027-01-01' },
  }
  const { topic, repeatOptions } = templateOf(draft as typeof full, 'Daily')
  assert.equal(topic, 'Daily')
  assert.deepEqual(repeatOptions, { repeat: 'daily', interval: 1 })
})
