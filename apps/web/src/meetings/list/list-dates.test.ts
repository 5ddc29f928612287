import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canJoinNow, currentDates, daysOf, isOver, monthsOf } from './list-dates.ts'

/** Local time, in any time zone that the test runs in. */
const here = (wallTime: string) => new Date(wallTime).toISOString()
const dated = (topic: string, start: string, end: string) => ({ topic, startTime: here(start), endTime: here(end) })
const now = new Date('2030-01-07T12:00:00')

test('groups upcoming dates by day', () => {
  const days = daysOf(
    [
      dated('since yesterday', '2030-01-06T22:00:00', '2030-01-07T13:00:00'),
      dated('later today', '2030-01-07T23:59:00', '2030-01-08T00:30:00'),
      dated('tomorrow', '2030-01-08T09:00:00', '2030-01-08T10:00:00'),
      dated('after a year', '2031-01-07T09:00:00', '2031-01-07T10:00:00'),
    ],
    now,
  )
  assert.deepEqual(
    days.map(({ day, kind, dates }) => [day, kind, dates.map(({ topic }) => topic)]),
    [
      ['2030-01-07', 'today', ['since yesterday', 'later today']],
      ['2030-01-08', 'tomorrow', ['tomorrow']],
      ['2031-01-07', 'later', ['after a year']],
    ],
  )
})

test('groups past dates by month', () => {
  const months = monthsOf([
    dated('january', '2030-01-01T00:00:00', '2030-01-01T00:30:00'),
    dated('new year’s eve', '2029-12-31T23:59:00', '2030-01-01T00:30:00'),
    dated('december', '2029-12-01T09:00:00', '2029-12-01T10:00:00'),
  ])
  assert.deepEqual(
    months.map(({ month, dates }) => [month, dates.map(({ topic }) => topic)]),
    [
      ['2030-01', ['january']],
      ['2029-12', ['new year’s eve', 'december']],
    ],
  )
})

test('offers joining from 15 minutes before the start until the end, and while people are inside', () => {
  const review = dated('review', '2030-01-07T12:15:00', '2030-01-07T13:00:00')
  const at = (wallTime: string) => canJoinNow(review, new Date(wallTime))
  assert.deepEqual(
    ['2030-01-07T11:59:59', '2030-01-07T12:00:00', '2030-01-07T12:59:59', '2030-01-07T13:00:00'].map(at),
    [false, true, true, false],
  )
  assert.equal(canJoinNow({ ...review, room: 'ended' }, now), false)
  assert.equal(canJoinNow({ ...review, room: 'occupied' }, new Date('2030-01-07T11:00:00')), true)
})

test('a date is over at its end, unless a person is inside', () => {
  const review = dated('review', '2030-01-07T11:00:00', '2030-01-07T12:00:00')
  assert.equal(isOver(review, new Date(now.getTime() - 1)), false)
  assert.equal(isOver(review, now), true)
  assert.equal(isOver({ ...review, room: 'occupied' }, now), false)
})

const halfPastNine = new Date('2030-01-07T09:30:00Z')
const inRoom = (topic: string, from: string, to: string, room?: 'occupied' | 'ended') => ({
  topic,
  startTime: `2030-01-07T${from}:00Z`,
  endTime: `2030-01-07T${to}:00Z`,
  ...(room !== undefined && { room }),
})
const early = inRoom('early', '08:00', '08:30')
const runsOver = inRoom('runs over', '08:00', '09:00', 'occupied')
const running = inRoom('running', '09:00', '10:00', 'occupied')
const ended = inRoom('ended', '09:00', '10:00', 'ended')
const quiet = inRoom('quiet', '09:00', '10:00')
const startsNow = inRoom('starts now', '09:30', '10:00')
const endsNow = inRoom('ends now', '09:00', '09:30')
const later = inRoom('later', '11:00', '12:00')
const startedEarly = inRoom('started early', '12:00', '13:00', 'occupied')

const rows: [string, ReturnType<typeof inRoom>[], Record<string, string[]>][] = [
  ['without meetings', [], {}],
  ['when all are over or ahead', [early, endsNow, later], {}],
  ['when a host has ended one', [ended, later], {}],
  ['when one should run and its room is empty', [quiet, later], { scheduled: ['quiet'] }],
  ['when one starts at this moment', [startsNow], { scheduled: ['starts now'] }],
  [
    'with several running, all of them',
    [running, inRoom('second', '09:10', '10:00', 'occupied')],
    { running: ['running', 'second'] },
  ],
  ['when of two that should run one is empty', [quiet, running], { running: ['running'], scheduled: ['quiet'] }],
  ['when one overruns', [runsOver, later], { running: ['runs over'] }],
  ['when one was started early', [later, startedEarly], { running: ['started early'] }],
]

for (const [name, dates, groups] of rows) {
  test(`the dates to join now ${name}`, () => {
    const found = currentDates(dates, halfPastNine).map(({ kind, dates: ofKind }) => [
      kind,
      ofKind.map(({ topic }) => topic),
    ])
    assert.deepEqual(Object.fromEntries(found), groups)
  })
}
