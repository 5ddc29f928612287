import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxAbusiveSeconds, maxDroppedPerSecond, PeerBudget, peerRates } from './peer-budget.ts'

/** Drops so many datagrams in each of these seconds; whether any of them was one too many. */
function dropIn(budget: PeerBudget, seconds: readonly number[], perSecond: number): boolean {
  let isAbuse = false
  for (const second of seconds) {
    for (let count = 0; count < perSecond; count++) isAbuse = budget.drop(second * 1000) || isAbuse
  }
  return isAbuse
}

const inARow = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at)

test('far beyond the budget for five seconds in a row, and still, is abuse', () => {
  const perSecond = maxDroppedPerSecond + 1
  assert.equal(dropIn(new PeerBudget(0), inARow(maxAbusiveSeconds), perSecond), false)
  assert.equal(dropIn(new PeerBudget(0), inARow(maxAbusiveSeconds + 1), perSecond), true)
})

test('losses of a line that is tried out are no abuse, however long, nor is a burst with a pause in it', () => {
  assert.equal(dropIn(new PeerBudget(0), inARow(60), maxDroppedPerSecond), false)
  const budget = new PeerBudget(0)
  for (let round = 0; round < 5; round++) {
    assert.equal(dropIn(budget, inARow(maxAbusiveSeconds, round * 10), maxDroppedPerSecond + 1), false)
  }
})

test('while messages are owed no data is taken, and with time it is', () => {
  const budget = new PeerBudget(0)
  budget.messages.charge(peerRates.messages.burst + 50, 0)
  assert.equal(budget.takeData(0), false)
  assert.equal(budget.takeData(499), false)
  assert.equal(budget.takeData(510), true)
})
