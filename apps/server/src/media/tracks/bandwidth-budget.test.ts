import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyEstimate,
  applyLoss,
  applyObservation,
  type BandwidthBudget,
  endProbe,
  octetsDue,
  startProbe,
  unlimitedBudget,
} from './bandwidth-budget.ts'

const known = { ...unlimitedBudget, lastEstimate: 1_000_000 }
const sent = 900_000

const estimates = [
  ['rises', 1_100_000, Number.POSITIVE_INFINITY],
  ['wavers', 971_000, Number.POSITIVE_INFINITY],
  ['falls, but not below what is sent', 950_000, Number.POSITIVE_INFINITY],
  ['falls below what is sent', 600_000, 600_000],
  ['falls to nothing', 0, 30_000],
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

test('of reports on losses alone, only heavy loss lowers the limit', () => {
  assert.equal(applyLoss(unlimitedBudget, 0.19, sent, 0), unlimitedBudget)
  assert.equal(applyLoss(unlimitedBudget, 0.2, sent, 0).limit, 810_000)
  const observed = { ...unlimitedBudget, isObserved: true }
  assert.equal(applyLoss(observed, 0.5, sent, 0), observed)
})

const quiet = { queueMs: 5, lost: 0, loss: 0, bitsPerSecond: 500_000 }
const limitAfter = (seen: object[], budget: BandwidthBudget = unlimitedBudget) =>
  seen.reduce((last: BandwidthBudget, one, at) => applyObservation(last, { ...quiet, ...one }, at * 150), budget).limit

const unlimited = Number.POSITIVE_INFINITY
const observations: [string, object[], number][] = [
  ['nothing in particular', [{}], unlimited],
  ['a client that reads late for a moment', [...Array(3).fill({ queueMs: 150 }), {}, { queueMs: 150 }], unlimited],
  ['a queue that stays', Array(4).fill({ queueMs: 100 }), 450_000],
  ['losses by radio', [{ lost: 4, loss: 0.2 }], unlimited],
  ['losses at a full queue', [{ lost: 4, loss: 0.2, queueMs: 30 }], 450_000],
  ['two lost packets', [{ lost: 2, loss: 0.1, queueMs: 30 }], unlimited],
  ['a router without a queue', [{ lost: 8, loss: 0.4 }], 450_000],
  ['next to nothing', [{ lost: 20, loss: 0.9, bitsPerSecond: 1000 }], 30_000],
  // Packets that were on their way when the limit was lowered.
  ['the same congestion', Array(2).fill({ lost: 8, loss: 0.4, bitsPerSecond: 100_000 }), 90_000],
]
for (const [what, seen, limit] of observations) {
  test(`after ${what} the limit is ${limit}`, () => assert.equal(limitAfter(seen), limit))
}

const congested = applyObservation(unlimitedBudget, { ...quiet, lost: 8, loss: 0.4 }, 0)

test('tries twice the limit at most, two seconds after the congestion, and only while something is missing', () => {
  assert.equal(startProbe(congested, 600_000, 1999), congested)
  assert.equal(startProbe(congested, undefined, 2000), congested)
  assert.equal(startProbe(congested, 400_000, 2000), congested)
  assert.equal(startProbe(congested, 600_000, 2000).probe?.target, 600_000)
  assert.equal(startProbe(congested, 2_000_000, 2000).probe?.target, 900_000)
})

test('a probe grows from the limit to its target', () => {
  const { probe } = startProbe(congested, 900_000, 2000)
  assert.ok(probe !== undefined)
  assert.equal(octetsDue(probe, 2000), 0)
  // The mean of both rates for the first 400 ms, then the target.
  assert.equal(octetsDue(probe, 2400), (675_000 * 400) / 8000)
  assert.equal(octetsDue(probe, 2800), (675_000 * 400 + 900_000 * 400) / 8000)
})

test('a probe that arrives in time raises the limit, and the next one follows a second later', () => {
  const probing = startProbe(congested, 600_000, 2000)
  const seen = [2200, 2400].reduce((last, atMs) => applyObservation(last, quiet, atMs), probing)
  assert.equal(endProbe(seen, 2799), seen)
  const after = endProbe(seen, 2800)
  assert.deepEqual([after.limit, after.probe, after.nextProbeMs], [600_000, undefined, 3800])
})

test('a probe that fills a queue ends before anything is lost, changes no limit, and is repeated less often', () => {
  const intervals = [2000, 4000, 8000, 10_000, 10_000]
  let budget = congested
  for (const intervalMs of intervals) {
    const startMs = budget.nextProbeMs
    const probing = startProbe(budget, 600_000, startMs)
    assert.ok(probing.probe !== undefined)
    const noticed = applyObservation(probing, { ...quiet, queueMs: 50 }, startMs + 200)
    assert.ok(noticed.probe !== undefined)
    budget = applyObservation(noticed, { ...quiet, queueMs: 60 }, startMs + 350)
    assert.deepEqual([budget.limit, budget.probe], [450_000, undefined])
    assert.equal(budget.nextProbeMs - startMs - 350, intervalMs)
  }
})

test('a probe of which the client reports nothing fails', () => {
  const after = endProbe(startProbe(congested, 600_000, 2000), 2800)
  assert.deepEqual([after.limit, after.probe], [450_000, undefined])
})

test('without reports on arrivals, more is tried with video itself', () => {
  const limited = applyLoss(unlimitedBudget, 0.5, 400_000, 0)
  assert.equal(limited.limit, 300_000)
  assert.equal(startProbe(limited, sent, 2000).limit, 450_000)
  assert.equal(startProbe(limited, 310_000, 2000).limit, 310_000)
})
