import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignTimestamps, RtpRewriter, timestampDifference } from './rtp-rewriter.ts'

const numbersOf = (rewriter: RtpRewriter, incoming: readonly number[]) =>
  incoming.map((one) => rewriter.map(one, 0)?.sequenceNumber)

test('forwards one stream unchanged, in any order and past the end of its sequence numbers', () => {
  const rewriter = new RtpRewriter()
  rewriter.begin(65_533, 0)
  assert.deepEqual(numbersOf(rewriter, [65_533, 65_535, 65_534, 1, 0]), [65_533, 65_535, 65_534, 1, 0])
})

test('does not forward packets from before the beginning', () => {
  const rewriter = new RtpRewriter()
  rewriter.begin(100, 0)
  assert.deepEqual(numbersOf(rewriter, [99, 100, 98, 101]), [undefined, 100, undefined, 101])
})

test('continues another stream where the one before ended, and its lost packet stays lost', () => {
  const rewriter = new RtpRewriter()
  rewriter.begin(10, 0)
  numbersOf(rewriter, [10, 11, 12])
  rewriter.begin(5000, 0)
  assert.deepEqual(numbersOf(rewriter, [5000, 5002, 5001]), [13, 15, 14])
  rewriter.begin(3, 0)
  assert.deepEqual(numbersOf(rewriter, [3, 2, 4]), [16, undefined, 17])
})

test('a skipped packet leaves no gap, also for late packets', () => {
  const rewriter = new RtpRewriter()
  rewriter.begin(1, 0)
  numbersOf(rewriter, [1])
  rewriter.skip(2)
  assert.deepEqual(numbersOf(rewriter, [3]), [2])
  // 4 is late, 5 is skipped, 6 arrives.
  rewriter.skip(5)
  assert.deepEqual(numbersOf(rewriter, [6, 4, 7]), [4, 3, 5])
  // A packet that is skipped late leaves its gap, and moves nothing.
  rewriter.skip(4)
  assert.deepEqual(numbersOf(rewriter, [8]), [6])
})

test('shifts timestamps, which wrap around', () => {
  const rewriter = new RtpRewriter()
  rewriter.begin(1, 10)
  assert.equal(rewriter.map(1, 0xffff_fffb)?.timestamp, 5)
  assert.equal(rewriter.lastTimestamp, 5)
  assert.equal(timestampDifference(5, 0xffff_fffb), 10)
  assert.equal(timestampDifference(0xffff_fffb, 5), -10)
})

const reports = [
  ['the same moment', { ntpSeconds: 100, ntpFraction: 0, rtpTimestamp: 7000 }, -2000],
  ['half a second later', { ntpSeconds: 100, ntpFraction: 2 ** 31, rtpTimestamp: 7000 }, 43_000],
  ['a second earlier', { ntpSeconds: 99, ntpFraction: 0, rtpTimestamp: 7000 }, -92_000],
] as const
for (const [what, next, distance] of reports) {
  test(`a layer whose report is of ${what} uses the same clock`, () => {
    const current = { ntpSeconds: 100, ntpFraction: 0, rtpTimestamp: 5000 }
    assert.equal(alignTimestamps(current, next, 0, 90_000), distance)
    assert.equal(alignTimestamps(current, next, 300, 90_000), distance + 300)
  })
}
