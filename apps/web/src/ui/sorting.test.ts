import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSorting, sortBy } from './sorting.ts'

test('known search parameters are kept, all others are dropped', () => {
  assert.deepEqual(readSorting(['name', 'size'], { sort: 'size', order: 'desc' }), { sort: 'size', order: 'desc' })
  assert.deepEqual(readSorting(['name', 'size'], { sort: 'colour', order: 'up' }), {})
})

test('a column sorts from its natural end, and then the other way', () => {
  const by = (sorting: Parameters<typeof sortBy<'name' | 'size'>>[0], column: 'name' | 'size') =>
    sortBy(sorting, column, { name: 'asc', size: 'desc' })
  assert.deepEqual(by({}, 'name'), { sort: 'name' })
  assert.deepEqual(by({ sort: 'name' }, 'name'), { sort: 'name', order: 'desc' })
  assert.deepEqual(by({ sort: 'name', order: 'desc' }, 'size'), { sort: 'size', order: 'desc' })
  assert.deepEqual(by({ sort: 'size', order: 'desc' }, 'size'), { sort: 'size' })
})
