import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupFiles } from './test-groups.ts'

const files = (count: number) => Array.from({ length: count }, (_, index) => `${index}.test.ts`)
const sizes = (count: number) => groupFiles(files(count), 8, 4).map(({ length }) => length)

test('each file is in one group, in the order of the files', () => {
  assert.deepEqual(groupFiles(files(100), 8, 4).flat(), files(100))
})

test('a group has eight files at most, and a short run uses every process', () => {
  assert.deepEqual(sizes(0), [])
  assert.deepEqual(sizes(1), [1])
  assert.deepEqual(sizes(4), [1, 1, 1, 1])
  assert.deepEqual(sizes(5), [1, 1, 1, 2])
  assert.deepEqual(sizes(32), [8, 8, 8, 8])
  assert.deepEqual(sizes(33), [6, 7, 6, 7, 7])
})
