import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxTesters } from '@parley/rules/oauth-apps/app-limits'
import { addAddresses } from './tester-addresses.ts'

test('adds the addresses of a pasted list, each once', () => {
  assert.deepEqual(addAddresses(['bob@example.org'], 'carol@example.org, BOB@example.org;\n dan@example.org '), {
    kind: 'added',
    testers: ['bob@example.org', 'carol@example.org', 'dan@example.org'],
  })
})

test('adds no address when one is invalid, and reports it', () => {
  assert.deepEqual(addAddresses([], 'carol@example.org dan'), { kind: 'wrong', address: 'dan' })
  assert.deepEqual(addAddresses([], ' \n'), { kind: 'empty' })
})

test(`accepts ${maxTesters} addresses, and not one more`, () => {
  const testers = Array.from({ length: maxTesters - 1 }, (_, index) => `person${index}@example.org`)
  assert.equal(addAddresses(testers, 'last@example.org').kind, 'added')
  assert.equal(addAddresses(testers, 'last@example.org more@example.org').kind, 'tooMany')
})
