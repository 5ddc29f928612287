import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAgainInMs } from './entry-query.ts'

const now = new Date('2030-01-07T08:40:00Z')

test('does not refetch while waiting for a host', () => {
  for (const state of ['waiting', 'waiting_for_host'] as const) assert.equal(askAgainInMs({ state }, now), false)
})

test('refetches at the opening, and once a minute before it because the meeting may be moved', () => {
  const opensAt = (time: string) => askAgainInMs({ state: 'too_early', opensAt: `2030-01-07T${time}Z` }, now)
  assert.equal(opensAt('08:45:00'), 60_000)
  assert.equal(opensAt('08:40:20'), 21_000)
  assert.equal(opensAt('08:39:00'), 1_000)
})

test('never resends a wrong PIN automatically', () => {
  for (const state of ['pin_wrong', 'pin_required', 'slow_down', 'cancelled', 'denied', 'admitted'] as const)
    assert.equal(askAgainInMs({ state }, now), false, state)
})
