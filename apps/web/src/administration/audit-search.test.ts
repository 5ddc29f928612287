import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditFilters, readAuditSearch } from './audit-search.ts'

const id = '0199a3c4-7d10-7abc-8def-0123456789ab'

test('known search parameters are kept, all others are dropped', () => {
  const search = { action: 'app.suspended', actor: id, subject: 'everybody', from: '2030-01-07', to: '2030-99-99' }
  assert.deepEqual(readAuditSearch(search), { action: 'app.suspended', actor: id, from: '2030-01-07' })
  assert.deepEqual(readAuditSearch({ order: 'asc' }), { order: 'asc' })
  assert.deepEqual(readAuditSearch({ action: 'app.eaten', from: 7, order: 'desc' }), {})
})

test('both dates are included: the range ends at the next midnight', () => {
  const {
    fromDate = '',
    toDate = '',
    action,
  } = auditFilters({
    action: 'app.held',
    from: '2030-01-31',
    to: '2030-01-31',
  })
  assert.equal(action, 'app.held')
  assert.deepEqual(new Date(fromDate), new Date(2030, 0, 31))
  assert.deepEqual(new Date(toDate), new Date(2030, 1, 1))
  assert.deepEqual(auditFilters({ order: 'asc' }), {})
})
