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
  test(`${name} is ${kind}, itself and as a cause`, () => {
    assert.equal(ceremonyErrorOf(named(name)), kind)
    assert.equal(ceremonyErrorOf(new Error('wrapped', { cause: named(name) })), kind)
  })
}

test('other errors are not classified', () => assert.equal(ceremonyErrorOf('NotAllowedError'), undefined))
