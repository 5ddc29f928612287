import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccountSearch, sortAccountsBy } from './account-search.ts'

test('known search parameters are kept, all others are dropped', () => {
  const search = { q: 7, only: 'disabled', sort: 'meetings', order: 'desc' }
  assert.deepEqual(readAccountSearch(search), { ...search, q: '7' })
  assert.deepEqual(readAccountSearch({ q: '', only: 'robots', sort: 'email', order: 'up' }), {})
})

test('a column sorts from its natural end, and then the other way', () => {
  assert.deepEqual(sortAccountsBy({ q: 'a' }, 'name'), { q: 'a', sort: 'name' })
  assert.deepEqual(sortAccountsBy({ sort: 'name' }, 'name'), { sort: 'name', order: 'desc' })
  assert.deepEqual(sortAccountsBy({ sort: 'name', order: 'desc' }, 'meetings'), { sort: 'meetings', order: 'desc' })
  assert.deepEqual(sortAccountsBy({ sort: 'meetings', order: 'desc' }, 'meetings'), { sort: 'meetings' })
  // The oldest account is first without a choice.
  assert.deepEqual(sortAccountsBy({}, 'createdOn'), { sort: 'createdOn', order: 'desc' })
})
