import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ceremonyErrorOf } from './ceremony-error.ts'

const named = (name: string) => Object.assign(new Error('of the browser'), { name })

for (const [name, kind] of [
  ['NotAllowedError', 'cancelled'],
  ['AbortError', 'cancelled'],
  ['InvalidStateError', 'known'],
  ['ConstraintError', 'unfit'],
  ['SecurityError', 'failed'],
  ['TypeError', undefined],
] as const) {
  test(`classifies ${name} as ${kind}, as the error or its cause`, () => {
    assert.equal(ceremonyErrorOf(named(name)), kind)
    assert.equal(ceremonyErrorOf(new Error('wrapped', { cause: named(name) })), kind)
  })
}

test('does not classify other errors', () => assert.equal(ceremonyErrorOf('NotAllowedError'), undefined))
