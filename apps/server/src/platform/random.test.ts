import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom, secureRandom } from './random.ts'

/** Return the given bytes in order, so that a test knows the values. */
function scripted(...draws: readonly string[]) {
  const left = draws.map((hex) => Buffer.from(hex, 'hex'))
  return createRandom((length) => {
    const bytes = left.shift()
    assert.equal(bytes?.length, length)
    return bytes ?? Buffer.alloc(0)
  })
}

test('a UUID carries its time, version 7 and variant 10 (RFC 9562, appendix A.6)', () => {
  const random = createRandom((length) => Buffer.alloc(length, 0xff))
  const id = random.uuid(new Date('2022-02-22T14:22:22-05:00'))
  assert.equal(id, '017f22e2-79b0-77ff-bfff-ffffffffffff')
})

test('a UUID of the first and of the last millisecond that fits', () => {
  assert.match(secureRandom.uuid(new Date(0)), /^00000000-0000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.ok(secureRandom.uuid(new Date(2 ** 48 - 1)).startsWith('ffffffff-ffff-7'))
  assert.throws(() => secureRandom.uuid(new Date(2 ** 48)), RangeError)
  assert.throws(() => secureRandom.uuid(new Date(-1)), RangeError)
  assert.throws(() => secureRandom.uuid(new Date(Number.NaN)), RangeError)
})

test('UUIDs ascend within a millisecond, even when the counter starts at its highest', () => {
  const random = createRandom((length) => Buffer.alloc(length, 0xff))
  const ids = Array.from({ length: 100_000 }, () => random.uuid(new Date(1_000)))
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

test('UUIDs ascend from one millisecond to the next', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => secureRandom.uuid(new Date(1_000 + Math.floor(index / 3))))
  assert.deepEqual(ids.toSorted(), ids)
})

test('writes an earlier time as it is, so that two clocks in one process do not affect each other', () => {
  secureRandom.uuid(new Date('2040-01-01T00:00:00Z'))
  assert.ok(secureRandom.uuid(new Date('2030-01-01T00:00:00Z')).startsWith('01b8dac5-b400-7'))
})

test('below generates again instead of returning a biased value', () => {
  // 2^48 mod 10 is 6: the six highest values are generated again.
  assert.equal(scripted('ffffffffffff', 'fffffffffffa', 'fffffffffff9').below(10), 9)
})

test('below at its bounds', () => {
  assert.equal(secureRandom.below(1), 0)
  assert.equal(scripted('ffffffffffff').below(2 ** 48), 2 ** 48 - 1)
  for (const bound of [0, -1, 1.5, 2 ** 48 + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => secureRandom.below(bound), RangeError)
  }
})

test('below reaches every number, about equally often', () => {
  const counts = new Array<number>(6).fill(0)
  for (let generate = 0; generate < 60_000; generate++) {
    const face = secureRandom.below(6)
    counts[face] = (counts[face] ?? 0) + 1
  }
  // Ten standard deviations of a fair die: a fair one never fails here.
  for (const count of counts) assert.ok(Math.abs(count - 10_000) < 10 * Math.sqrt(60_000 * (5 / 36)))
})
