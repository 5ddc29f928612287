import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type SingleMeetingReply } from '@parley/contract'
import { copiedDraft } from './copied-draft.ts'

const meeting = (changes: object = {}, repeatOptions: object = {}) =>
  ({
    topic: 'Stand-up',
    description: 'Bring numbers.',
    startTime: '2030-01-07T09:00:00.000Z',
    scheduledDuration: 1_800_000,
    participants: [{ email: 'bob@example.org' }],
    cohosts: ['carol@example.org'],
    advancedOptions: { ...advancedOptionDefaults, waitingRoom: true },
    reminderMinutes: 60,
    ...changes,
    repeatOptions: {
      repeat: 'none',
      interval: null,
      dateInMonth: 0,
      lastDayOfMonth: false,
      endDate: null,
      count: null,
      daysOfWeek: [0, 0, 0, 0, 0, 0, 0],
      weeksInMonth: [0, 0, 0, 0, 0],
      timeZone: 'Europe/London',
      timeZoneIana: 'Europe/London',
      ...repeatOptions,
    },
  }) as unknown as SingleMeetingReply

const dateOf = (now: string, copied = meeting()) => copiedDraft(copied, new Date(now)).date

test('copies everything except the date', () => {
  const { topic, description, time, durationMs, participants, cohosts, options, reminderMinutes } = copiedDraft(
    meeting(),
    new Date('2030-03-01T00:00:00Z'),
  )
  assert.deepEqual([topic, description, time, durationMs], ['Stand-up', 'Bring numbers.', '09:00', 1_800_000])
  assert.deepEqual([participants, cohosts], [['bob@example.org'], ['carol@example.org']])
  assert.deepEqual([options.waitingRoom, reminderMinutes], [true, 60])
})

test('keeps a future date, and moves a past one to the next same weekday', () => {
  assert.equal(dateOf('2030-01-07T08:59:59Z'), '2030-01-07')
  assert.equal(dateOf('2030-01-07T09:00:00Z'), '2030-01-14')
  assert.equal(dateOf('2030-01-14T08:59:59Z'), '2030-01-14')
  assert.equal(dateOf('2030-01-14T09:00:00Z'), '2030-01-21')
  // Daylight saving time has begun: 09:00 is an hour earlier than whole weeks later.
  assert.equal(dateOf('2030-04-01T08:30:00Z'), '2030-04-08')
  assert.equal(dateOf('2040-01-01T00:00:00Z'), '2040-01-02')
})

test('moves the end of a series with its start', () => {
  const weekly = {
    repeat: 'weekly',
    interval: 1,
    daysOfWeek: [0, 1, 0, 0, 0, 0, 0],
    endDate: '2030-01-28T23:59:59.000Z',
  }
  const { date, repeat } = copiedDraft(meeting({}, weekly), new Date('2030-02-01T00:00:00Z'))
  assert.deepEqual([date, repeat.endDate, repeat.ends], ['2030-02-04', '2030-02-25', 'date'])
})
