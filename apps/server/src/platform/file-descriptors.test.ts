import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptorWarning, neededDescriptors, readDescriptorLimit } from './file-descriptors.ts'

test('the start warns of a limit below what an instance promises, and of none above', () => {
  assert.equal(descriptorWarning(neededDescriptors), undefined)
  assert.equal(descriptorWarning(undefined), undefined)
  assert.match(
    descriptorWarning(neededDescriptors - 1) ?? '',
    /^This process may open 10499 files and connections \(ulimit -n\)/,
  )
})

test('the limit is read of this process', () => {
  const limit = readDescriptorLimit()
  assert.ok(limit === undefined || (Number.isInteger(limit) && limit > 10), String(limit))
})
