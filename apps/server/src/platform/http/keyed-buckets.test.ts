import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyedBuckets } from './keyed-buckets.ts'

const rate = { perSecond: 1, burst: 2 }

test('gives each key its own bucket; reading it takes nothing', () => {
  const buckets = new KeyedBuckets(rate, 10)
  assert.deepEqual([buckets.has('alice', 0), buckets.size], [true, 0])
  assert.deepEqual([buckets.take('alice', 0), buckets.take('alice', 0), buckets.take('alice', 0)], [true, true, false])
  assert.deepEqual([buckets.has('alice', 0), buckets.has('bob', 0), buckets.take('bob', 0)], [false, true, true])
  assert.deepEqual([buckets.has('alice', 1000), buckets.take('alice', 1000)], [true, true])
})

test('keeps a bounded number of keys, evicts full ones first, and keeps the one in use', () => {
  const buckets = new KeyedBuckets(rate, 3)
  for (const key of ['alice', 'bob', 'carol']) buckets.take(key, 0)
  // Carol uses hers up meanwhile; the others have recovered.
  for (let times = 0; times < 3; times++) buckets.take('carol', 1000)
  buckets.take('dave', 1000)
  assert.equal(buckets.size, 2)
  assert.equal(buckets.take('carol', 1000), false)
})

test('evicts the first key when every key is in use', () => {
  const buckets = new KeyedBuckets(rate, 2)
  for (const key of ['alice', 'bob', 'carol']) buckets.take(key, 0)
  assert.equal(buckets.size, 2)
})
