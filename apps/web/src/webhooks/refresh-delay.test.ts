import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshDelay } from './refresh-delay.ts'

const now = '2030-01-07T09:00:00Z'
const delayWith = (...deliveries: [state: string, nextAttemptOn: string | null][]) =>
  refreshDelay(
    deliveries.map(([state, nextAttemptOn]) => ({ state, nextAttemptOn })),
    Date.parse(now),
  )

test('a log in which nothing waits is not read again', () => {
  assert.equal(delayWith(), false)
  assert.equal(delayWith(['delivered', null], ['failed', null], ['withheld', null]), false)
})

test('it is read often while an attempt is near or overdue, and seldom before', () => {
  assert.equal(delayWith(['waiting', '2030-01-07T09:01:00Z']), 2_000)
  assert.equal(delayWith(['waiting', '2030-01-07T08:59:00Z']), 2_000)
  assert.equal(delayWith(['waiting', '2030-01-07T09:01:01Z']), 30_000)
  assert.equal(delayWith(['waiting', '2030-01-07T12:00:00Z'], ['waiting', '2030-01-07T09:00:05Z']), 2_000)
})

test('an event that waits for an earlier one has no time, and does not hasten the reading', () => {
  assert.equal(delayWith(['waiting', null], ['waiting', '2030-01-07T12:00:00Z']), 30_000)
  // The earlier one is on a page that is not loaded.
  assert.equal(delayWith(['waiting', null]), 30_000)
})
