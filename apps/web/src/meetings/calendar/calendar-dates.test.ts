import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CalendarDate, isMovable, piecesOf } from './calendar-dates.ts'

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
  colour: 'teal',
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

const shift: CalendarDate = {
  meetingId: '1',
  svcMeetId: '1234567890',
  topic: 'Shift',
  startTime: '',
  endTime: '',
  originalStartTime: '',
  status: 'active',
  recur: false,
  role: 'host',
  colour: 'teal',
}

/** Local time, in any time zone that the test runs in. */
const here = (wallTime: string) => new Date(wallTime).toISOString()
const piecesBetween = (from: string, to: string) =>
  piecesOf({ ...shift, startTime: here(from), endTime: here(to) }).map(({ start, end }) => [start, end])

test('an event past midnight is on both days, one that ends at midnight on one', () => {
  assert.deepEqual(piecesBetween('2030-01-10T22:00:00', '2030-01-10T23:00:00'), [
    ['2030-01-10 22:00:00', '2030-01-10 23:00:00'],
  ])
  assert.deepEqual(piecesBetween('2030-01-10T22:00:00', '2030-01-11T02:00:00'), [
    ['2030-01-10 22:00:00', '2030-01-10 23:59:59'],
    ['2030-01-11 00:00:00', '2030-01-11 02:00:00'],
  ])
  assert.deepEqual(piecesBetween('2030-01-10T22:00:00', '2030-01-11T00:00:00'), [
    ['2030-01-10 22:00:00', '2030-01-10 23:59:59'],
  ])
})
