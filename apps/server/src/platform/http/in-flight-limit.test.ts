import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { adaptLimit, maxInFlight, maxLagMs, minInFlight, watchEventLoop } from './in-flight-limit.ts'

test('halves the limit down to the minimum when the event loop is late, and raises it up to the maximum when it is on time', () => {
  assert.equal(adaptLimit(maxInFlight, maxLagMs, maxInFlight), maxInFlight)
  assert.equal(adaptLimit(maxInFlight, maxLagMs + 1, maxInFlight), maxInFlight / 2)
  assert.equal(adaptLimit(minInFlight + 1, maxLagMs + 1, maxInFlight), minInFlight)
  assert.equal(adaptLimit(minInFlight, 60_000, maxInFlight), minInFlight)
  assert.equal(adaptLimit(minInFlight, 0, maxInFlight), minInFlight + 50)
  assert.equal(adaptLimit(maxInFlight - 1, 0, maxInFlight), maxInFlight)
})

test('keeps a maximum below the minimum', () => {
  assert.equal(adaptLimit(2, 60_000, 2), 2)
  assert.equal(adaptLimit(0, 60_000, 0), 0)
})

test('lowers the limit while the event loop is blocked, and raises it again', async (t) => {
  const { limit, stop } = watchEventLoop(maxInFlight)
  t.after(stop)
  while (limit() === maxInFlight) {
    const untilMs = performance.now() + 3 * maxLagMs
    while (performance.now() < untilMs);
    await sleep(1)
  }
  assert.ok(limit() >= minInFlight)
  while (limit() < maxInFlight) await sleep(10)
})
