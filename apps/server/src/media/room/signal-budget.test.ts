import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddTrackRequest, SessionDescription, SignalRequest } from '@livekit/protocol'
import { maxDebt, SignalBudget, signalRate } from './signal-budget.ts'

test('reads the burst without a pause, delays one more, and refuses far more', () => {
  const budget = new SignalBudget(0)
  for (let count = 0; count < signalRate.burst; count++) budget.chargeOctets(0, 0)
  assert.deepEqual([budget.pauseMs(0), budget.isExhausted(0)], [0, false])
  budget.chargeOctets(0, 0)
  assert.deepEqual([budget.pauseMs(0), budget.isExhausted(0)], [17, false])
  for (let count = 1; count < maxDebt; count++) budget.chargeOctets(0, 0)
  assert.equal(budget.isExhausted(0), false)
  budget.chargeOctets(0, 0)
  assert.equal(budget.isExhausted(0), true)
  assert.equal(budget.pauseMs(6000), 0)
})

test('long messages, and those that are broadcast, cost more', () => {
  const requests: [SignalRequest, number][] = [
    [new SignalRequest({ message: { case: 'ping', value: 1n } }), 1],
    [new SignalRequest({ message: { case: 'addTrack', value: new AddTrackRequest() } }), 3],
    [new SignalRequest({ message: { case: 'offer', value: new SessionDescription() } }), 5],
    [new SignalRequest(), 1],
  ]
  for (const [request, cost] of requests) {
    const budget = new SignalBudget(0)
    for (let count = 0; count < signalRate.burst / cost; count++) {
      budget.chargeOctets(0, 0)
      budget.chargeRequest(request, 0)
    }
    assert.equal(budget.pauseMs(0), 0)
    budget.chargeOctets(0, 0)
    assert.ok(budget.pauseMs(0) > 0)
  }
  const budget = new SignalBudget(0)
  // Twenty offers of 130 KB, as twenty people who join at once cause.
  for (let count = 0; count < 40; count++) budget.chargeOctets(130 * 1024, 0)
  assert.equal(budget.pauseMs(0), 0)
})
