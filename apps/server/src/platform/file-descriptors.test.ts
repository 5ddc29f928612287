import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptorWarning, neededDescriptors, readDescriptorLimit } from './file-descriptors.ts'

test("warns at the start of a limit below an instance's needs, and of none above", () => {
  assert.equal(descriptorWarning(neededDescriptors), undefined)
  assert.equal(descriptorWarning(undefined), undefined)
  assert.match(
    descriptorWarning(neededDescriptors - 1) ?? '',
    /^This process may open 10499 files and connections \(ulimit -n\)/,
  )
})

test('reads the limit of this process', () => {
  const limit = readDescriptorLimit()
  assert.ok(limit === undefined || (Number.isInteger(limit) && limit > 10), String(limit))
})
