import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoredAddress, splitAddress } from './kept-fragment.ts'

test('splits an address at its first #', () => {
  assert.deepEqual(splitAddress('/j/1234567890'), { path: '/j/1234567890', fragment: '' })
  assert.deepEqual(splitAddress('/j/1?a=b#pin=12#34'), { path: '/j/1?a=b', fragment: 'pin=12#34' })
  assert.deepEqual(splitAddress('/#pin=12'), { path: '/', fragment: 'pin=12' })
})

const kept = { path: '/add/1234567890?from=mail', fragment: 'pin=123456' }
const cases = [
  ['where she wanted to go', '/add/1234567890', '?from=mail', '', '/add/1234567890?from=mail#pin=123456'],
  ['after a refusal', '/sign-in', '', '', '/sign-in?next=%2Fadd%2F1234567890%3Ffrom%3Dmail#pin=123456'],
  ['another meeting', '/add/1234567891', '?from=mail', '', undefined],
  ['another query', '/add/1234567890', '', '', undefined],
  ['on the way to elsewhere', '/sign-in', '?next=%2Fprofile', '', undefined],
  ['with another PIN', '/add/1234567890', '?from=mail', '#pin=654321', undefined],
] as const
for (const [name, pathname, search, hash, address] of cases) {
  test(`restores the fragment for its own address only: ${name}`, () => {
    assert.equal(restoredAddress(kept, { pathname, search, hash }), address)
  })
}
