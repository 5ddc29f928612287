import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveTimes, shiftOfKey, snapMinutes, stepToQuarter } from './moved-times.ts'

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
