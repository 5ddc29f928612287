import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryStates } from '@parley/contract'
import { logStates, readWebhookSearch } from './webhook-search.ts'

test('the log has a filter for each state of a delivery', () => {
  assert.deepEqual(logStates, deliveryStates)
})

test('a known state of the address is kept, everything else is dropped', () => {
  assert.deepEqual(readWebhookSearch({ state: 'failed', page: 2 }), { state: 'failed' })
  assert.deepEqual(readWebhookSearch({ state: 'eaten' }), {})
  assert.deepEqual(readWebhookSearch({}), {})
})
