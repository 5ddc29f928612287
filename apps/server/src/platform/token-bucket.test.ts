import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KeyedBuckets, TokenBucket } from './token-bucket.ts'

const rate = { perSecond: 10, burst: 3 }

test('allows the burst at once, then the rate, and never more than the burst', () => {
  const bucket = new TokenBucket(rate, 0)
  assert.deepEqual(
    [0, 0, 0, 0].map((atMs) => bucket.take(1, atMs)),
    [true, true, true, false],
  )
  assert.equal(bucket.take(1, 99), false)
  assert.equal(bucket.take(1, 100), true)
  assert.equal(bucket.take(1, 100), false)
  assert.equal(bucket.take(4, 60_000), false)
  assert.equal(bucket.take(3, 60_000), true)
})

test('owes a charge beyond the burst, and pays it back with time', () => {
  const bucket = new TokenBucket(rate, 0)
  bucket.charge(5, 0)
  assert.equal(bucket.level(0), -2)
  assert.equal(bucket.take(1, 299), false)
  assert.equal(bucket.take(1, 300), true)
})

test('fills credit up to the burst', () => {
  const bucket = new TokenBucket(rate, 0)
  bucket.charge(2, 0)
  bucket.credit(1)
  assert.equal(bucket.level(0), 2)
  bucket.credit(10)
  assert.equal(bucket.level(0), 3)
})

test('ignores a clock that is set back', () => {
  const bucket = new TokenBucket(rate, 10_000)
  bucket.charge(3, 10_000)
  assert.equal(bucket.level(5000), 0)
  assert.equal(bucket.level(5100), 1)
})

const rateOfKey = { perSecond: 1, burst: 2 }

test('gives each key its own bucket; reading it takes nothing', () => {
  const buckets = new KeyedBuckets(rateOfKey, 10)
  assert.deepEqual([buckets.has('alice', 0), buckets.size], [true, 0])
  assert.deepEqual([buckets.take('alice', 0), buckets.take('alice', 0), buckets.take('alice', 0)], [true, true, false])
  assert.deepEqual([buckets.has('alice', 0), buckets.has('bob', 0), buckets.take('bob', 0)], [false, true, true])
  assert.deepEqual([buckets.has('alice', 1000), buckets.take('alice', 1000)], [true, true])
})

test('keeps a bounded number of keys, evicts full ones first, and keeps the one in use', () => {
  const buckets = new KeyedBuckets(rateOfKey, 3)
  for (const key of ['alice', 'bob', 'carol']) buckets.take(key, 0)
  // Carol uses hers up meanwhile; the others have recovered.
  for (let times = 0; times < 3; times++) buckets.take('carol', 1000)
  buckets.take('dave', 1000)
  assert.equal(buckets.size, 2)
  assert.equal(buckets.take('carol', 1000), false)
})

test('evicts the first key when every key is in use', () => {
  const buckets = new KeyedBuckets(rateOfKey, 2)
  for (const key of ['alice', 'bob', 'carol']) buckets.take(key, 0)
  assert.equal(buckets.size, 2)
})
