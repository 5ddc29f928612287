import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advancedOptionDefaults, type SingleMeetingReply } from '@parley/contract'
import {
  followingMoveRequest,
  mayMoveSeries,
  moveTimes,
  resizeTimes,
  seriesMoveRequest,
  shiftOfKey,
  snapMinutes,
  spanBetween,
  stepLength,
  stepToQuarter,
} from './moves.ts'

/** Local time, in any time zone that the test runs in. */
const here = (wallTime: string) => new Date(`2030-01-${wallTime}:00`).toISOString()
const times = { startTime: here('10T08:38'), endTime: here('10T10:00') }

for (const [by, from, to] of [
  [{ days: 0, minutes: 0 }, '10T08:38', '10T10:00'],
  [{ days: 1, minutes: 0 }, '11T08:38', '11T10:00'],
  [{ days: -10, minutes: 22 }, '00', '00'],
  [{ days: 0, minutes: 22 }, '10T09:00', '10T10:22'],
  [{ days: 0, minutes: 16 * 60 }, '11T00:38', '11T02:00'],
] as const)
  test(`a date moved by ${by.days} days and ${by.minutes} minutes keeps its length`, () => {
    const moved = moveTimes(times, by)
    assert.equal(Date.parse(moved.endTime) - Date.parse(moved.startTime), 82 * 60_000)
    if (from !== '00') assert.deepEqual(moved, { startTime: here(from), endTime: here(to) })
    else assert.equal(moved.startTime, new Date('2029-12-31T09:00:00').toISOString())
  })

for (const [start, dragged, moved] of [
  ['10T09:00', 7, 0],
  ['10T09:00', 8, 15],
  ['10T09:00', -8, -15],
  ['10T08:38', 7, 0],
  ['10T08:38', 10, 7],
  ['10T08:38', -10, -8],
  ['10T09:00', -10 * 60, -9 * 60],
  ['10T23:00', 5 * 60, 45],
] as const)
  test(`a date at ${start} that is dragged by ${dragged} minutes moves by ${moved}`, () =>
    assert.equal(snapMinutes(here(start), dragged), moved))

for (const [start, direction, moved] of [
  ['10T09:00', 1, 15],
  ['10T09:00', -1, -15],
  ['10T08:38', 1, 7],
  ['10T08:38', -1, -8],
] as const)
  test(`the arrow key moves a date at ${start} by ${moved} minutes`, () =>
    assert.equal(stepToQuarter(here(start), direction), moved))

const [inWeek, inMonth, inArabic] = [
  { isMonth: false, isRightToLeft: false },
  { isMonth: true, isRightToLeft: false },
  { isMonth: false, isRightToLeft: true },
]
for (const [key, where, expected] of [
  ['ArrowDown', inWeek, { days: 0, minutes: 15 }],
  ['ArrowUp', inWeek, { days: 0, minutes: -15 }],
  ['ArrowDown', inMonth, { days: 7, minutes: 0 }],
  ['ArrowUp', inMonth, { days: -7, minutes: 0 }],
  ['ArrowRight', inWeek, { days: 1, minutes: 0 }],
  ['ArrowLeft', inWeek, { days: -1, minutes: 0 }],
  ['ArrowRight', inArabic, { days: -1, minutes: 0 }],
  ['ArrowLeft', inArabic, { days: 1, minutes: 0 }],
  ['m', inWeek, undefined],
] as const)
  test(`${key} moves a date in its direction on the screen: ${JSON.stringify(where)}`, () =>
    assert.deepEqual(shiftOfKey(key, { startTime: here('10T09:00'), ...where }), expected))

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

test('a dragged span has at least the pressed half hour, and grows by quarters on both sides, within its day', () => {
  const span = (pressed: number, minute: number) => {
    const { startTime, endTime } = spanBetween('2030-01-07', pressed, minute)
    return [startTime, endTime].map((time) => new Date(time).toTimeString().slice(0, 5)).join('-')
  }
  assert.equal(span(9 * 60 + 10, 9 * 60 + 12), '09:00-09:30')
  assert.equal(span(9 * 60 + 40, 11 * 60 + 1), '09:30-11:15')
  assert.equal(span(9 * 60 + 40, 8 * 60 + 20), '08:15-10:00')
  assert.equal(span(23 * 60 + 40, 25 * 60), '23:30-00:00')
  assert.equal(span(10, -40), '00:00-00:30')
})

for (const [start, end, dragged, expected] of [
  ['10T09:00', '10T09:30', 7, '10T09:30'],
  ['10T09:00', '10T09:30', 8, '10T09:45'],
  ['10T09:00', '10T09:40', 10, '10T09:45'],
  ['10T09:00', '10T10:00', -45, '10T09:15'],
  ['10T09:00', '10T10:00', -46, '10T09:15'],
  ['10T09:00', '10T10:00', -300, '10T09:15'],
  ['10T22:00', '10T23:30', 60, '11T00:30'],
  ['10T09:00', '11T08:45', 15, '11T09:00'],
  ['10T09:00', '11T08:45', 30, '11T09:00'],
] as const)
  test(`a date from ${start} to ${end} whose end is dragged by ${dragged} minutes ends at ${expected}`, () => {
    const resized = resizeTimes({ startTime: here(start), endTime: here(end) }, dragged)
    assert.deepEqual(resized, { startTime: here(start), endTime: here(expected) })
  })

for (const [start, end, direction, expected] of [
  ['10T09:00', '10T09:30', 1, '10T09:45'],
  ['10T09:00', '10T09:40', -1, '10T09:30'],
  ['10T09:00', '10T09:15', -1, '10T09:15'],
  ['10T09:00', '10T09:10', -1, '10T09:10'],
  ['10T09:00', '11T09:00', 1, '11T09:00'],
  ['10T09:00', '11T08:45', 1, '11T09:00'],
] as const)
  test(`a key changes the end of a date from ${start} to ${end} by a step of ${direction} to ${expected}`, () => {
    const resized = stepLength({ startTime: here(start), endTime: here(end) }, direction)
    assert.deepEqual(resized, { startTime: here(start), endTime: here(expected) })
  })
