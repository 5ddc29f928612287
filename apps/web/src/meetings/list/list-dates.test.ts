import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DatedMeeting } from '../meeting-queries.ts'
import { canJoinNow, daysOf, nextMeetings } from './list-dates.ts'

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

/** UTC, for the meetings to join first. */
const halfPastNine = new Date('2030-01-07T09:30:00Z')
const dated = (topic: string, from: string, to: string, room?: DatedMeeting['room']): DatedMeeting => ({
  meetingId: topic,
  topic,
  startTime: `2030-01-07T${from}:00Z`,
  endTime: `2030-01-07T${to}:00Z`,
  ...(room !== undefined && { room }),
})
const early = dated('early', '08:00', '08:30')
const runsOver = dated('runs over', '08:00', '09:00', 'occupied')
const running = dated('running', '09:00', '10:00', 'occupied')
const ended = dated('ended', '09:00', '10:00', 'ended')
const quiet = dated('quiet', '09:00', '10:00')
const startsNow = dated('starts now', '09:30', '10:00')
const endsNow = dated('ends now', '09:00', '09:30')
const later = dated('later', '11:00', '12:00')
const startedEarly = dated('started early', '12:00', '13:00', 'occupied')

const rows: [string, DatedMeeting[], Record<string, string[]>][] = [
  ['without meetings', [], { title: [] }],
  ['when all are over', [early, endsNow], { title: [] }],
  ['with several ahead, the next one', [early, later, dated('last', '15:00', '16:00')], { title: ['later'] }],
  ['when a host has ended one, the next one', [ended, later], { title: ['later'] }],
  ['when one should run and its room is empty', [quiet, later], { scheduled: ['quiet'] }],
  ['when one starts at this moment', [startsNow], { scheduled: ['starts now'] }],
  [
    'with several running, all of them',
    [running, dated('second', '09:10', '10:00', 'occupied')],
    { running: ['running', 'second'] },
  ],
  ['when of two that should run one is empty', [quiet, running], { running: ['running'], scheduled: ['quiet'] }],
  ['when one overruns', [runsOver, later], { running: ['runs over'] }],
  ['when one was started early', [later, startedEarly], { running: ['started early'] }],
]

for (const [name, dates, groups] of rows) {
  test(`the meetings to offer ${name}`, () => {
    const found = nextMeetings(dates, halfPastNine).map(({ kind, meetings }) => [
      kind,
      meetings.map(({ topic }) => topic),
    ])
    assert.deepEqual(Object.fromEntries(found), groups)
  })
}
