import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs, firstDayOfMonth, monthOf } from './calendar-day.ts'

test('months begin on the same day as with Date, over eight thousand years', () => {
  for (let year = 1600; year <= 9999; year++) {
    for (let month = 0; month < 12; month++) {
      const counted = (year - 1970) * 12 + month
      const day = firstDayOfMonth(counted)
      assert.equal(day, Date.UTC(year, month) / dayMs, `${year}-${month + 1}`)
      assert.deepEqual([monthOf(day - 1), monthOf(day)], [counted - 1, counted])
    }
  }
})
