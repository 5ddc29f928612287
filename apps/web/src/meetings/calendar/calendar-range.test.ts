import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownDays, stepFrom } from './calendar-range.ts'

test('a month is shown as six whole weeks, from the first day of the reader’s week', () => {
  // 1 January 2030 is a Tuesday.
  assert.deepEqual(shownDays('month', '2030-01-20', 1), { from: '2029-12-31', to: '2030-02-11' })
  assert.deepEqual(shownDays('month', '2030-01-20', 0), { from: '2029-12-30', to: '2030-02-10' })
  assert.deepEqual(shownDays('month', '2030-01-20', 6), { from: '2029-12-29', to: '2030-02-09' })
  // 1 April 2030 is a Monday: the month begins in the first column.
  assert.equal(shownDays('month', '2030-04-30', 1).from, '2030-04-01')
})

test('shows a week, a day, and the month of an agenda', () => {
  assert.deepEqual(shownDays('week', '2030-01-06', 1), { from: '2029-12-31', to: '2030-01-07' })
  assert.deepEqual(shownDays('week', '2030-01-06', 0), { from: '2030-01-06', to: '2030-01-13' })
  assert.deepEqual(shownDays('day', '2030-12-31', 1), { from: '2030-12-31', to: '2031-01-01' })
  assert.deepEqual(shownDays('agenda', '2030-12-01', 1), { from: '2030-12-01', to: '2031-01-01' })
})

test('an agenda runs on into the next month, for thirty days from the chosen one', () => {
  assert.deepEqual(shownDays('agenda', '2030-12-02', 1), { from: '2030-12-01', to: '2031-01-01' })
  assert.deepEqual(shownDays('agenda', '2030-12-31', 1), { from: '2030-12-01', to: '2031-01-30' })
  assert.deepEqual(shownDays('agenda', '2030-01-31', 1), { from: '2030-01-01', to: '2030-03-02' })
})

test('earlier and later lead to the next day, week or month', () => {
  assert.equal(stepFrom('week', '2030-01-03', -1), '2029-12-27')
  assert.equal(stepFrom('agenda', '2030-01-03', 1), '2030-02-03')
  assert.equal(stepFrom('day', '2030-03-01', -1), '2030-02-28')
})
