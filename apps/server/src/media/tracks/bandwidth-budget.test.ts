import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyEstimate, applyLoss, probeBandwidth, unlimitedBudget } from './bandwidth-budget.ts'

const known = { ...unlimitedBudget, lastEstimate: 1_000_000 }
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
    const after = applyEstimate(known, estimate, sent, 0)
    assert.deepEqual([after.limit, after.lastEstimate], [limit, estimate])
  })
}

test('an estimate that is low from the start, and rises, does not reduce the limit', () => {
  const first = applyEstimate(unlimitedBudget, 150_000, sent, 0)
  assert.equal(applyEstimate(first, 160_000, sent, 1000).limit, Number.POSITIVE_INFINITY)
})

test('a little loss changes nothing, heavy loss halves the limit repeatedly', () => {
  assert.equal(applyLoss(unlimitedBudget, 0.09, sent, 0), unlimitedBudget)
  assert.equal(applyLoss(unlimitedBudget, 0.2, sent, 0).limit, 810_000)
})

test('probes for more after congestion, less often when that fails, and without a limit once all fits', () => {
  const limited = applyLoss(unlimitedBudget, 0.5, 400_000, 0)
  assert.equal(limited.limit, 300_000)
  assert.equal(probeBandwidth(limited, sent, 3999), limited)
  const tried = probeBandwidth(limited, sent, 4000)
  assert.equal(tried.limit, 450_000)
  const failed = applyLoss(tried, 0.5, 450_000, 5000)
  assert.equal(failed.nextProbeMs - 5000, 8000)
  // The same disturbance, a moment later.
  assert.equal(applyLoss(failed, 0.5, 225_000, 5100).nextProbeMs - 5100, 8000)
  const again = probeBandwidth({ ...failed, limit: 1_000_000 }, sent, 20_000)
  assert.equal(again.limit, Number.POSITIVE_INFINITY)
  assert.equal(again.probeIntervalMs, unlimitedBudget.probeIntervalMs)
})
