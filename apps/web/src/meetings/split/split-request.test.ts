import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type SingleMeetingReply } from '@parley/contract'
import { splitDraft, splitRequest } from './split-request.ts'

const zoneId = 'Europe/London'
const series = (rule: object = {}) =>
  ({
    topic: 'Stand-up',
    description: '',
    location: '',
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
const occurrence = '2030-04-08T08:00:00.000Z'

test('the form begins at this date, with the time of day of the series and the dates that are left', () => {
  const plain = splitDraft(series(), { occurrence, countBefore: 13 })
  assert.deepEqual([plain.date, plain.time], ['2030-04-08', '09:00'])
  const counted = splitDraft(series({ count: 20 }), { occurrence, countBefore: 13 })
  assert.deepEqual([counted.repeat.ends, counted.repeat.count], ['count', 7])
})

const was = splitDraft(series(), { occurrence, countBefore: 13 })
for (const [what, changes, sent] of [
  ['nothing of the times and the rule', {}, []],
  ['a topic', { topic: 'Review' }, []],
  ['the time of day', { time: '10:00' }, ['startTime', 'endTime']],
  ['the length', { durationMs: 60 * 60_000 }, ['startTime', 'endTime']],
  ['the rule', { repeat: { ...was.repeat, interval: 2 } }, ['repeatOptions']],
  ['the time zone', { timeZone: 'Europe/Paris' }, ['startTime', 'endTime', 'repeatOptions']],
] as const)
  test(`of times and rule, only what was touched is sent: ${what}`, () => {
    const request: object = splitRequest({ ...was, ...changes }, { was, occurrence, zoneId })
    const timed = ['startTime', 'endTime', 'repeatOptions'].filter((field) => field in request)
    assert.deepEqual(timed, sent)
  })

test('a split names its first date, and sends the people and options of the form', () => {
  const request = splitRequest({ ...was, topic: ' Review ' }, { was, occurrence, zoneId })
  assert.deepEqual(
    [request.occurrence, request.topic, request.participants],
    [occurrence, 'Review', ['bob@example.org']],
  )
})
