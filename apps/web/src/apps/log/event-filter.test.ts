import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventFilter, fitsFilter } from './event-filter.ts'

const events = [
  { kind: 'token_refused', cause: 'The code has expired.', requestId: 'one', sandbox: true },
  { kind: 'refresh_replayed', cause: 'A refresh token was used twice.', requestId: 'two', sandbox: false },
  { kind: 'consent_given', cause: 'A user allowed user:read.', requestId: 'three', sandbox: false },
  { kind: 'grant_revoked', cause: 'A user disconnected the app.', requestId: 'four', sandbox: false },
  { kind: 'secret_created', cause: 'The secret "Laptop" was made.', requestId: 'five', sandbox: true },
  { kind: 'app_submitted', cause: 'Revision 1 was submitted for review.', requestId: 'six', sandbox: false },
]
const found = (filter: Partial<EventFilter>) =>
  events
    .filter((event) => fitsFilter(event, { group: 'all', environment: 'both', words: '', ...filter }))
    .map(({ requestId }) => requestId)

test('filters the log by group', () => {
  assert.deepEqual(found({}), ['one', 'two', 'three', 'four', 'five', 'six'])
  assert.deepEqual(found({ group: 'problems' }), ['one', 'two'])
  assert.deepEqual(found({ group: 'consents' }), ['three', 'four'])
  assert.deepEqual(found({ group: 'app' }), ['five', 'six'])
})

test('filters the log by environment', () => {
  assert.deepEqual(found({ environment: 'sandbox' }), ['one', 'five'])
  assert.deepEqual(found({ environment: 'live' }), ['two', 'three', 'four', 'six'])
})

test('finds text of the cause and request ids, ignoring case', () => {
  assert.deepEqual(found({ words: ' EXPIRED ' }), ['one'])
  assert.deepEqual(found({ words: 'six' }), ['six'])
  assert.deepEqual(found({ words: 'nothing like it' }), [])
})
