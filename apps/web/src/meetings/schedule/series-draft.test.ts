import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type OccurrenceReply, type SingleMeetingReply } from '@parley/contract'
import { changesOf, dateDraftOf, splitDraft, splitRequest } from './series-draft.ts'

const zoneId = 'Europe/London'
const series = (rule: object = {}) =>
  ({
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
      ...rule,
    },
  }) as unknown as SingleMeetingReply
const meeting = series()
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

/** The original start of the first date to change. */
const splitsAt = occurrence.originalStartTime

test('the form begins at this date, with the time of day of the series and the dates that are left', () => {
  const plain = splitDraft(series(), { occurrence: splitsAt, countBefore: 13 })
  assert.deepEqual([plain.date, plain.time], ['2030-04-08', '09:00'])
  const counted = splitDraft(series({ count: 20 }), { occurrence: splitsAt, countBefore: 13 })
  assert.deepEqual([counted.repeat.ends, counted.repeat.count], ['count', 7])
})

const before = splitDraft(series(), { occurrence: splitsAt, countBefore: 13 })
for (const [what, changes, sent] of [
  ['nothing of the times and the rule', {}, []],
  ['a topic', { topic: 'Review' }, []],
  ['the time of day', { time: '10:00' }, ['startTime', 'endTime']],
  ['the length', { durationMs: 60 * 60_000 }, ['startTime', 'endTime']],
  ['the rule', { repeat: { ...before.repeat, interval: 2 } }, ['repeatOptions']],
  ['the time zone', { timeZone: 'Europe/Paris' }, ['startTime', 'endTime', 'repeatOptions']],
] as const)
  test(`of times and rule, only what was touched is sent: ${what}`, () => {
    const request: object = splitRequest({ ...before, ...changes }, { was: before, occurrence: splitsAt, zoneId })
    const timed = ['startTime', 'endTime', 'repeatOptions'].filter((field) => field in request)
    assert.deepEqual(timed, sent)
  })

test('a split names its first date, and sends the people and options of the form', () => {
  const request = splitRequest({ ...before, topic: ' Review ' }, { was: before, occurrence: splitsAt, zoneId })
  assert.deepEqual([request.occurrence, request.topic, request.participants], [splitsAt, 'Review', ['bob@example.org']])
})
