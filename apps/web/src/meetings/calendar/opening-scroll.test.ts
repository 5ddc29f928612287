import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstHourInSight } from './opening-scroll.ts'

const at = (hour: number) => new Date(2030, 0, 7, hour, 30)

test('a day opens at eight, and today where the current time is in view', () => {
  assert.equal(firstHourInSight(9, undefined), 8)
  assert.equal(firstHourInSight(9, at(8)), 8)
  assert.equal(firstHourInSight(9, at(6)), 6)
  assert.equal(firstHourInSight(9, at(0)), 0)
  // The range 8:00 to 17:00 is in view: 15:30 with an hour after it, 16:30 only from 9:00 on.
  assert.equal(firstHourInSight(9, at(15)), 8)
  assert.equal(firstHourInSight(9, at(16)), 9)
  assert.equal(firstHourInSight(9, at(23)), 16)
})
