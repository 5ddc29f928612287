import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piecesOf } from './grid-events.ts'
import type { CalendarDate } from './move/calendar-date.ts'

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
