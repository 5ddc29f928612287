import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCalendarSearch } from './calendar-search.ts'

test('keeps a valid view and date, and drops everything else', () => {
  assert.deepEqual(readCalendarSearch({ view: 'week', date: '2030-01-07' }), { view: 'week', date: '2030-01-07' })
  assert.deepEqual(readCalendarSearch({ view: 'year', date: '2030-13-07' }), {})
  assert.deepEqual(readCalendarSearch({ date: 'today' }), {})
  assert.deepEqual(readCalendarSearch({ date: 20300107 }), {})
})
