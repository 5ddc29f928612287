import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../ui/date-time/days.ts'
import { minimalDaysOf, weekNumberOf } from './week-numbers.ts'

test('a week from Monday has the number of ISO 8601, also at the ends of years', () => {
  const iso = (start: string) => weekNumberOf(start, minimalDaysOf(1, 'en-US'))
  // 2026 begins on a Thursday, and has 53 weeks.
  assert.equal(iso('2025-12-29'), 1)
  assert.equal(iso('2025-12-22'), 52)
  assert.equal(iso('2026-12-28'), 53)
  assert.equal(iso('2027-01-04'), 1)
  // 2027 begins on a Friday, in the last week of 2026; 2028 on a Saturday.
  assert.equal(iso('2027-12-27'), 52)
  assert.equal(iso('2028-01-03'), 1)
  // Leap years, and weeks around changes of clocks.
  assert.equal(iso('2020-12-28'), 53)
  assert.equal(iso('2024-12-30'), 1)
  assert.equal(iso('2026-03-23'), 13)
  assert.equal(iso('2026-03-30'), 14)
  assert.equal(iso('2026-11-23'), 48)
})

test('a week from Sunday or Saturday with the first of January is the first one', () => {
  assert.equal(weekNumberOf('2025-12-28', 1), 1)
  assert.equal(weekNumberOf('2026-12-20', 1), 52)
  assert.equal(weekNumberOf('2026-12-27', 1), 1)
  assert.equal(weekNumberOf('2027-01-03', 1), 2)
  assert.equal(weekNumberOf('2026-12-26', 1), 1)
  assert.equal(weekNumberOf('2022-12-25', 1), 53)
  assert.equal(weekNumberOf('2023-01-01', 1), 1)
})

test('the numbers of following weeks grow by one, or begin again', () => {
  for (const minimalDays of [1, 4, 7]) {
    for (let start = '2019-12-30'; start < '2032-01-01'; start = addDays(start, 7)) {
      const [number, next] = [weekNumberOf(start, minimalDays), weekNumberOf(addDays(start, 7), minimalDays)]
      assert.ok(next === number + 1 || (next === 1 && (number === 52 || number === 53)), start)
    }
  }
})

test('Monday counts as ISO 8601 does, other days as is usual in the region', () => {
  assert.equal(minimalDaysOf(1, 'ar-EG'), 4)
  assert.equal(minimalDaysOf(0, 'en-US'), 1)
  assert.equal(minimalDaysOf(6, 'ar-EG'), 1)
})
