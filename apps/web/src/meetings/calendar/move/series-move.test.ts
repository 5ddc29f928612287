import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type SingleMeetingReply } from '@parley/contract'
import { followingMoveRequest, mayMoveSeries, seriesMoveRequest } from './series-move.ts'

/** From 7 January 2030, 09:00–09:30 in London, weekly unless the rule says otherwise. */
const series = (rule: object = {}) =>
  ({
    topic: 'Stand-up',
    description: '',
    location: '',
    startTime: '2030-01-07T09:00:00.000Z',
    endTime: '2030-01-07T09:30:00.000Z',
    scheduledDuration: 30 * 60_000,
    participants: [{ email: 'bob@example.org' }],
    cohosts: ['carol@example.org'],
    advancedOptions: advancedOptionDefaults,
    reminderMinutes: 15,
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
      timeZoneIana: 'Europe/London',
      ...rule,
    },
  }) as unknown as SingleMeetingReply
const weekdays = { daysOfWeek: [0, 1, 1, 1, 1, 1, 0] }
const to = (originalStartTime: string, startTime: string, endTime: string) => ({
  originalStartTime,
  times: { startTime, endTime },
})

test('a later date moved to another time of day moves all dates, and not the start of the series', () => {
  const move = to('2030-02-04T09:00:00.000Z', '2030-02-04T10:15:00.000Z', '2030-02-04T11:15:00.000Z')
  const request = seriesMoveRequest(series(), move)
  assert.deepEqual([request.startTime, request.endTime], ['2030-01-07T10:15:00.000Z', '2030-01-07T11:15:00.000Z'])
  assert.deepEqual(request.repeatOptions.daysOfWeek, [0, 1, 0, 0, 0, 0, 0])
  assert.deepEqual([request.participants, request.cohosts], [['bob@example.org'], ['carol@example.org']])
  assert.deepEqual([request.reminderMinutes, request.repeatOptions.timeZone], [15, 'BST'])
})

test('the time of day is that of the series’ zone, also on the other side of a clock change', () => {
  const move = to('2030-07-01T08:00:00.000Z', '2030-07-01T09:00:00.000Z', '2030-07-01T09:30:00.000Z')
  assert.equal(seriesMoveRequest(series(), move).startTime, '2030-01-07T10:00:00.000Z')
})

test('a series on one day of the week goes to the other day, with its start and its end', () => {
  const move = to('2030-01-14T09:00:00.000Z', '2030-01-16T09:00:00.000Z', '2030-01-16T09:30:00.000Z')
  const request = seriesMoveRequest(series({ endDate: '2030-02-04T23:59:59.000Z' }), move)
  assert.equal(request.startTime, '2030-01-09T09:00:00.000Z')
  assert.deepEqual(request.repeatOptions.daysOfWeek, [0, 0, 0, 1, 0, 0, 0])
  assert.equal(request.repeatOptions.endDate, '2030-02-06T23:59:59.000Z')
})

for (const [what, rule, minutes, expected] of [
  ['the end of a day stays', { endDate: '2030-02-04T23:59:59.000Z' }, 60, '2030-02-04T23:59:59.000Z'],
  ['an end at the last start moves with it', { endDate: '2030-02-04T09:00:00.000Z' }, 60, '2030-02-04T10:00:00.000Z'],
  ['a count stays', { endDate: '2030-02-04T09:00:00.000Z', count: 5 }, 60, null],
  ['no end stays none', {}, 60, null],
] as const)
  test(`the end of a moved series: ${what}`, () => {
    const moved = (time: string) => new Date(Date.parse(time) + minutes * 60_000).toISOString()
    const move = to('2030-01-14T09:00:00.000Z', moved('2030-01-14T09:00:00Z'), moved('2030-01-14T09:30:00Z'))
    const { repeatOptions } = seriesMoveRequest(series(rule), move)
    assert.deepEqual([repeatOptions.endDate, repeatOptions.count ?? null], [expected, 'count' in rule ? 5 : null])
  })

for (const [what, rule, day, expected] of [
  ['the time of day of any rule', weekdays, 14, true],
  ['the day of a series on one day of the week', {}, 15, true],
  ['the day of a series on several days', weekdays, 15, false],
  ['the day of a daily series', { repeat: 'daily', daysOfWeek: [0, 0, 0, 0, 0, 0, 0] }, 15, false],
] as const)
  test(`a whole series can${expected ? '' : 'not'} be moved by one of its dates: ${what}`, () => {
    const move = to('2030-01-14T09:00:00.000Z', `2030-01-${day}T10:00:00.000Z`, `2030-01-${day}T10:30:00.000Z`)
    assert.equal(mayMoveSeries(series(rule), move), expected)
  })

test('this and all following dates at another time of day keep the rule, and only their times are sent', () => {
  const move = to('2030-02-04T09:00:00.000Z', '2030-02-04T10:00:00.000Z', '2030-02-04T10:30:00.000Z')
  assert.deepEqual(followingMoveRequest(series({ count: 10 }), move, 4), {
    occurrence: '2030-02-04T09:00:00.000Z',
    startTime: '2030-02-04T10:00:00.000Z',
    endTime: '2030-02-04T10:30:00.000Z',
  })
})

test('this and all following dates on another day have the dates that are left', () => {
  const move = to('2030-02-04T09:00:00.000Z', '2030-02-05T09:00:00.000Z', '2030-02-05T09:30:00.000Z')
  const { repeatOptions } = followingMoveRequest(series({ count: 10 }), move, 4)
  assert.deepEqual([repeatOptions?.daysOfWeek, repeatOptions?.count], [[0, 0, 1, 0, 0, 0, 0], 6])
})
