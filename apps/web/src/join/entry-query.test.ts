import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgainInMs } from './entry-query.ts'

const now = new Date('2030-01-07T08:40:00Z')

test('who waits for a person is told by a stream', () => {
  for (const state of ['waiting', 'waiting_for_host'] as const) assert.equal(askAgainInMs({ state }, now), false)
})

test('who is too early is asked for when it opens, and once a minute, since it may be moved', () => {
  const opensAt = (time: string) => askAgainInMs({ state: 'too_early', opensAt: `2030-01-07T${time}Z` }, now)
  assert.equal(opensAt('08:45:00'), 60_000)
  assert.equal(opensAt('08:40:20'), 21_000)
  assert.equal(opensAt('08:39:00'), 1_000)
})

test('a wrong PIN is never sent again by itself', () => {
  for (const state of ['pin_wrong', 'pin_required', 'slow_down', 'cancelled', 'denied', 'admitted'] as const)
    assert.equal(askAgainInMs({ state }, now), false, state)
})
