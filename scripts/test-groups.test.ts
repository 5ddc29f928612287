import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupFiles } from './test-groups.ts'

const files = (count: number) => Array.from({ length: count }, (_, index) => `${index}.test.ts`)
const sizes = (count: number) => groupFiles(files(count), 8, 4).map(({ length }) => length)

test('puts each file into one group, and adjacent files into different groups', () => {
  assert.deepEqual(groupFiles(files(100), 8, 4).flat().sort(), files(100).sort())
  assert.deepEqual(groupFiles(['a', 'b', 'c', 'd', 'e'], 2, 2), [['a', 'd'], ['b', 'e'], ['c']])
})

test('puts at most eight files into a group, and uses every process for a short run', () => {
  assert.deepEqual(sizes(0), [])
  assert.deepEqual(sizes(1), [1])
  assert.deepEqual(sizes(4), [1, 1, 1, 1])
  assert.deepEqual(sizes(5), [2, 1, 1, 1])
  assert.deepEqual(sizes(32), [8, 8, 8, 8])
  assert.deepEqual(sizes(33), [7, 7, 7, 6, 6])
})
