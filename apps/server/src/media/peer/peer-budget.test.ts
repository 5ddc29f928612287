import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxAbusiveSeconds, maxDroppedPerSecond, PeerBudget, peerRates } from './peer-budget.ts'

/** Drop the given number of datagrams in each of these seconds; returns whether any of them was one too many. */
function dropIn(budget: PeerBudget, seconds: readonly number[], perSecond: number): boolean {
  let isAbuse = false
  for (const second of seconds) {
    for (let count = 0; count < perSecond; count++) isAbuse = budget.drop(second * 1000) || isAbuse
  }
  return isAbuse
}

const inARow = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at)

test('treats traffic far beyond the budget for five seconds in a row as abuse', () => {
  const perSecond = maxDroppedPerSecond + 1
  assert.equal(dropIn(new PeerBudget(0), inARow(maxAbusiveSeconds), perSecond), false)
  assert.equal(dropIn(new PeerBudget(0), inARow(maxAbusiveSeconds + 1), perSecond), true)
})

test('treats losses of a probed link, however long, and a burst with a pause as no abuse', () => {
  assert.equal(dropIn(new PeerBudget(0), inARow(60), maxDroppedPerSecond), false)
  const budget = new PeerBudget(0)
  for (let round = 0; round < 5; round++) {
    assert.equal(dropIn(budget, inARow(maxAbusiveSeconds, round * 10), maxDroppedPerSecond + 1), false)
  }
})

test('accepts no data while messages are owed, and accepts it again with time', () => {
  const budget = new PeerBudget(0)
  budget.messages.charge(peerRates.messages.burst + 50, 0)
  assert.equal(budget.takeData(0), false)
  assert.equal(budget.takeData(499), false)
  assert.equal(budget.takeData(510), true)
})
