import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDateOrder, readMinutes, readTableTime } from './table-times.ts'

const rows: readonly (readonly [text: string, instant: string | undefined])[] = [
  ['2030-01-07T09:00:00Z', '2030-01-07T09:00'],
  ['2030-01-07T09:00:00.000Z', '2030-01-07T09:00'],
  ['2030-01-07 09:00:00+01:00', '2030-01-07T08:00'],
  ['2030-01-07 09:00', '2030-01-07T08:00'],
  ['2030-07-01T09:00', '2030-07-01T07:00'],
  ['01/07/2030 9:00 AM', '2030-01-07T08:00'],
  ['01/07/2030 12:30 PM', '2030-01-07T11:30'],
  ['01/07/2030 12:30 am', '2030-01-06T23:30'],
  ['Jan 7, 2030 09:00:00 PM', '2030-01-07T20:00'],
  ['Monday, January 7, 2030 at 09:00', '2030-01-07T08:00'],
  ['02/30/2030 09:00', undefined],
  ['01/07/2030', undefined],
  ['01/07/2030 25:00', undefined],
  ['01/07/2030 13:00 PM', undefined],
  ['tomorrow', undefined],
]
for (const [text, instant] of rows)
  test(`${text} in Berlin is ${instant ?? 'no time'}`, () => {
    const read = readTableTime(text, 'Europe/Berlin', 'month-first')
    assert.equal(read?.toISOString().slice(0, 16), instant)
  })

test('the day comes first where a date of the table says it', () => {
  assert.equal(findDateOrder(['03/04/2030', '13/04/2030']), 'day-first')
  assert.equal(findDateOrder(['03/04/2030', '04/13/2030']), 'month-first')
  assert.equal(findDateOrder(['07.01.2030 09:00']), 'day-first')
  assert.equal(findDateOrder(['03/04/2030', '2030-04-13']), undefined)
  assert.equal(readTableTime('07.01.2030 09:00', 'UTC', 'day-first')?.toISOString(), '2030-01-07T09:00:00.000Z')
})

test('lengths are read in minutes', () => {
  const read = ['45', '45 min', '1:30', '1 h 30 min', '2 hours', '0', 'long', ''].map(readMinutes)
  assert.deepEqual(read, [45, 45, 90, 90, 120, undefined, undefined, undefined])
})
