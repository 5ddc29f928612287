import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, addMonths, dayFrom, namesOfWeekdays, startOfWeek } from './days.ts'

test('steps by calendar days and months, even across clock changes', () => {
  assert.equal(addDays('2030-03-30', 2), '2030-04-01')
  assert.equal(addDays('2030-10-28', -2), '2030-10-26')
  assert.equal(addMonths('2030-01-31', 1), '2030-02-28')
  assert.equal(addMonths('2030-03-31', -1), '2030-02-28')
  assert.equal(addMonths('2030-12-15', 1), '2031-01-15')
})

test('a week begins on the reader’s first day', () => {
  // A Sunday.
  assert.equal(startOfWeek('2030-01-06', 1), '2029-12-31')
  assert.equal(startOfWeek('2030-01-06', 0), '2030-01-06')
  assert.equal(startOfWeek('2030-01-06', 6), '2030-01-05')
  assert.deepEqual(
    namesOfWeekdays('en').map(({ short }) => short),
    ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  )
  assert.equal(namesOfWeekdays('ar')[0]?.weekday, 6)
})

test('a date of numbers is one of the calendar', () => {
  assert.equal(dayFrom(2028, 2, 29), '2028-02-29')
  assert.equal(dayFrom(2030, 2, 29), undefined)
  assert.equal(dayFrom(2030, 13, 1), undefined)
  assert.equal(dayFrom(2030, 1, 0), undefined)
})
