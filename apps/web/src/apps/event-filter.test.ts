import assert from 'node:assert/strict'
import { test } from 'node:test'
import { everyEvent, historyKinds, isProblem, toQuery } from './event-filter.ts'

const now = new Date('2030-01-07T09:00:00Z')

test('asks the server for every event, or for those that fit', () => {
  assert.deepEqual(toQuery(everyEvent, now), {})
  assert.deepEqual(toQuery({ group: 'consents', environment: 'sandbox', age: 'day', words: ' expired ' }, now), {
    kind: 'consent_given,consent_denied,grant_revoked',
    sandbox: true,
    fromDate: '2030-01-06T09:00:00.000Z',
    search: 'expired',
  })
  assert.deepEqual(toQuery({ ...everyEvent, environment: 'live' }, now), { sandbox: false })
})

test('knows refusals, and what has happened to the app itself', () => {
  assert.deepEqual(['token_refused', 'refresh_replayed', 'consent_given', 'app_rejected'].map(isProblem), [
    true,
    true,
    false,
    false,
  ])
  assert.ok(historyKinds.includes('app_on_hold'))
  assert.equal(historyKinds.includes('secret_created'), false)
})
