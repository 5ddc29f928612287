import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysByName } from './days-by-name.ts'

/** A Monday. */
const today = '2030-01-07'

const found = (typed: string, language: string) =>
  daysByName(typed, today, language).map(({ day, view }) => [day, view])

test('a day is found by its name in the language of the pages, and by its date', () => {
  assert.deepEqual(found('tomorrow', 'en'), [['2030-01-08', 'day']])
  assert.deepEqual(found('morgen', 'de'), [['2030-01-08', 'day']])
  assert.deepEqual(found('übermorgen', 'de'), [['2030-01-09', 'day']])
  assert.deepEqual(found('yester', 'en'), [['2030-01-06', 'day']])
  assert.deepEqual(found('friday', 'en'), [['2030-01-11', 'day']])
  assert.deepEqual(found('next week', 'en'), [['2030-01-14', 'week']])
  assert.deepEqual(found('2031-02-03', 'en'), [['2031-02-03', 'day']])
  assert.deepEqual(found('2031-02-33', 'en'), [])
  assert.deepEqual(found('t', 'en'), [])
  assert.deepEqual(found('budget', 'en'), [])
})
