import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBucket } from './token-bucket.ts'

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
