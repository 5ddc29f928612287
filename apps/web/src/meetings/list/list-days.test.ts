import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canJoinNow, daysOf } from './list-days.ts'

/** Local time, in any time zone that the test runs in. */
const here = (wallTime: string) => new Date(wallTime).toISOString()
const meeting = (_id: string, start: string, end: string) => ({ _id, startTime: here(start), endTime: here(end) })
const now = new Date('2030-01-07T12:00:00')

test('groups upcoming meetings by day, a series by its next date', () => {
  const series = {
    ...meeting('series', '2027-01-04T09:00:00', '2027-01-04T10:00:00'),
    nextOccurrence: { startTime: here('2030-01-08T09:00:00'), endTime: here('2030-01-08T10:00:00') },
  }
  const days = daysOf(
    [
      meeting('since yesterday', '2030-01-06T22:00:00', '2030-01-07T13:00:00'),
      meeting('later today', '2030-01-07T23:59:00', '2030-01-08T00:30:00'),
      series,
      meeting('after a year', '2031-01-07T09:00:00', '2031-01-07T10:00:00'),
    ],
    now,
  )
  assert.deepEqual(
    days.map(({ day, kind, meetings }) => [day, kind, meetings.map(({ _id }) => _id)]),
    [
      ['2030-01-07', 'today', ['since yesterday', 'later today']],
      ['2030-01-08', 'tomorrow', ['series']],
      ['2031-01-07', 'later', ['after a year']],
    ],
  )
})

test('offers joining from 15 minutes before the start until the end, and while people are inside', () => {
  const review = meeting('review', '2030-01-07T12:15:00', '2030-01-07T13:00:00')
  const at = (wallTime: string) => canJoinNow(review, [], new Date(wallTime))
  assert.deepEqual(
    ['2030-01-07T11:59:59', '2030-01-07T12:00:00', '2030-01-07T12:59:59', '2030-01-07T13:00:00'].map(at),
    [false, true, true, false],
  )
  const dated = { meetingId: 'review', topic: '', startTime: review.startTime, endTime: review.endTime }
  assert.equal(canJoinNow(review, [{ ...dated, room: 'ended' }], now), false)
  assert.equal(canJoinNow(review, [{ ...dated, room: 'occupied' }], new Date('2030-01-07T11:00:00')), true)
  assert.equal(canJoinNow(review, [{ ...dated, meetingId: 'other', room: 'ended' }], now), true)
})
