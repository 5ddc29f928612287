import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shownCounts } from './shown-counts.ts'

test('shows counts in one order, without zeros', () => {
  assert.deepEqual(shownCounts({ none: 2, declined: 1, tentative: 0, accepted: 3 }), [
    { answer: 'accepted', count: 3 },
    { answer: 'declined', count: 1 },
    { answer: 'none', count: 2 },
  ])
  assert.deepEqual(shownCounts({ none: 0, declined: 0, tentative: 0, accepted: 0 }), [])
})
