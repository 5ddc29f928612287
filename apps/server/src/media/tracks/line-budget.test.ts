import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterEstimate, afterLoss, afterQuiet, untriedLine } from './line-budget.ts'

const known = { ...untriedLine, lastEstimate: 1_000_000 }
const sent = 900_000

const estimates = [
  ['rises', 1_100_000, Number.POSITIVE_INFINITY],
  ['wavers', 971_000, Number.POSITIVE_INFINITY],
  ['falls, but not below what is sent', 950_000, Number.POSITIVE_INFINITY],
  ['falls below what is sent', 600_000, 600_000],
  ['falls to nothing', 0, 60_000],
] as const
for (const [what, estimate, limit] of estimates) {
  test(`an estimate that ${what} leaves a limit of ${limit}`, () => {
    const after = afterEstimate(known, estimate, sent, 0)
    assert.deepEqual([after.limit, after.lastEstimate], [limit, estimate])
  })
}

test('an estimate that is low from the start, and rises, is no reason to send less', () => {
  const first = afterEstimate(untriedLine, 150_000, sent, 0)
  assert.equal(afterEstimate(first, 160_000, sent, 1000).limit, Number.POSITIVE_INFINITY)
})

test('a little loss changes nothing, heavy loss halves itself away', () => {
  assert.equal(afterLoss(untriedLine, 0.09, sent, 0), untriedLine)
  assert.equal(afterLoss(untriedLine, 0.2, sent, 0).limit, 810_000)
})

test('after trouble more is tried, ever more seldom when that fails, and without a limit once all fits', () => {
  const limited = afterLoss(untriedLine, 0.5, 400_000, 0)
  assert.equal(limited.limit, 300_000)
  assert.equal(afterQuiet(limited, sent, 3999), limited)
  const tried = afterQuiet(limited, sent, 4000)
  assert.equal(tried.limit, 450_000)
  const failed = afterLoss(tried, 0.5, 450_000, 5000)
  assert.equal(failed.nextTrialMs - 5000, 8000)
  // The same disturbance, a moment later.
  assert.equal(afterLoss(failed, 0.5, 225_000, 5100).nextTrialMs - 5100, 8000)
  const again = afterQuiet({ ...failed, limit: 1_000_000 }, sent, 20_000)
  assert.equal(again.limit, Number.POSITIVE_INFINITY)
  assert.equal(again.trialIntervalMs, untriedLine.trialIntervalMs)
})
