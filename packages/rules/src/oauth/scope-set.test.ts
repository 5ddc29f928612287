import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areSame, includesAll, inRegisteredOrder, readScopes } from './scope-set.ts'

test('returns scopes in registered order, each once', () => {
  assert.deepEqual(inRegisteredOrder(['b', 'a', 'c'], ['a', 'a', 'b', 'x']), ['b', 'a'])
})

test('a scope parameter consists of names separated by single spaces (RFC 6749, 3.3)', () => {
  assert.deepEqual(readScopes('a b:c a'), ['a', 'b:c'])
  for (const text of ['', ' ', 'a ', ' a', 'a  b', 'a\nb', 'a"', 'a\\', 'ä'])
    assert.equal(readScopes(text), undefined, text)
})

test('compares sets regardless of their order', () => {
  assert.equal(areSame(['a', 'b'], ['b', 'a']), true)
  assert.equal(areSame(['a', 'b'], ['a']), false)
  assert.equal(includesAll(['a', 'b'], ['b']), true)
  assert.equal(includesAll(['a'], ['a', 'b']), false)
})
