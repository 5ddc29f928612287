import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalendarDate, isMovable } from './calendar-date.ts'

const date: CalendarDate = {
  meetingId: '1',
  svcMeetId: '1234567890',
  topic: 'Stand-up',
  startTime: '2030-01-07T09:00:00.000Z',
  endTime: '2030-01-07T09:30:00.000Z',
  originalStartTime: '2030-01-07T09:00:00.000Z',
  status: 'active',
  recur: false,
  role: 'host',
}

for (const [what, changes, now, expected] of [
  ['one’s own', {}, '09:00', true],
  ['a cohost’s', { role: 'cohost' }, '09:00', true],
  ['one that was changed before', { status: 'changed' }, '09:00', true],
  ['one that still runs', {}, '09:29', true],
  ['one that is over', {}, '09:30', false],
  ['one that was cancelled', { status: 'cancelled' }, '09:00', false],
  ['another person’s', { role: 'participant' }, '09:00', false],
] as const)
  test(`a date can${expected ? '' : 'not'} be moved: ${what}`, () =>
    assert.equal(isMovable({ ...date, ...changes }, new Date(`2030-01-07T${now}:00Z`)), expected))
