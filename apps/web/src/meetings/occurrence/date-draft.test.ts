import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type OccurrenceReply, type SingleMeetingReply } from '@parley/contract'
import { changesOf, dateDraftOf } from './date-draft.ts'

const zoneId = 'Europe/London'
const meeting = {
  topic: 'Stand-up',
  description: 'Round the table',
  location: 'Room 5',
  startTime: '2030-01-07T09:00:00.000Z',
  endTime: '2030-01-07T09:30:00.000Z',
  scheduledDuration: 30 * 60_000,
  participants: [{ email: 'bob@example.org' }],
  cohosts: [] as string[],
  advancedOptions: advancedOptionDefaults,
  reminderMinutes: null,
  repeatOptions: {
    repeat: 'weekly',
    interval: 1,
    daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
    dateInMonth: 0,
    lastDayOfMonth: false,
    weeksInMonth: [0, 0, 0, 0, 0],
    endDate: null,
    count: null,
    repeatUntill: null,
    timeZone: 'BST',
    timeZoneIana: zoneId,
  },
} as unknown as SingleMeetingReply
const occurrence: OccurrenceReply = {
  startTime: '2030-04-08T10:00:00.000Z',
  endTime: '2030-04-08T11:00:00.000Z',
  originalStartTime: '2030-04-08T08:00:00.000Z',
  status: 'changed',
  topic: 'Review',
}

test('the draft of a date has its own times and texts, and those of the series elsewhere', () => {
  const { date, time, durationMs, topic, description, repeat } = dateDraftOf(meeting, occurrence)
  assert.deepEqual([date, time, durationMs], ['2030-04-08', '11:00', 60 * 60_000])
  assert.deepEqual([topic, description, repeat.repeat], ['Review', 'Round the table', 'none'])
})

const was = dateDraftOf(meeting, occurrence)
for (const [what, changes, expected] of [
  ['nothing', {}, {}],
  ['spaces around the topic', { topic: ' Review ' }, {}],
  ['the time', { time: '12:00' }, { startTime: '2030-04-08T11:00:00.000Z', endTime: '2030-04-08T12:00:00.000Z' }],
  ['the day', { date: '2030-04-09' }, { startTime: '2030-04-09T10:00:00.000Z', endTime: '2030-04-09T11:00:00.000Z' }],
  ['only the length', { durationMs: 90 * 60_000 }, { endTime: '2030-04-08T11:30:00.000Z' }],
  ['the texts', { topic: 'Retro', description: '', location: '' }, { topic: 'Retro', description: '', location: '' }],
] as const)
  test(`only what was changed of a date is sent: ${what}`, () => {
    assert.deepEqual(changesOf({ ...was, ...changes }, { was, startTime: occurrence.startTime, zoneId }), expected)
  })

test('a date in the second of two equal hours keeps it while its start is not touched', () => {
  const late = { ...occurrence, startTime: '2030-10-27T01:30:00.000Z', endTime: '2030-10-27T02:00:00.000Z' }
  const draft = dateDraftOf(meeting, late)
  assert.equal(draft.time, '01:30')
  const longer = { ...draft, durationMs: 60 * 60_000 }
  assert.deepEqual(changesOf(longer, { was: draft, startTime: late.startTime, zoneId }), {
    endTime: '2030-10-27T02:30:00.000Z',
  })
})
