import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyDeviceError } from './device-error.ts'

const rows = [
  ['NotAllowedError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'unknown'],
] as const

for (const [name, trouble] of rows) {
  test(`${name} is ${trouble}`, () => assert.equal(classifyDeviceError(new DOMException('', name), true), trouble))
}

test('classifies every error as insecure without HTTPS', () => {
  assert.equal(classifyDeviceError(new TypeError('mediaDevices is undefined'), false), 'insecure')
})

test('classifies values that are not errors as unknown', () => {
  for (const thrown of [undefined, null, 'refused']) assert.equal(classifyDeviceError(thrown, true), 'unknown')
})
