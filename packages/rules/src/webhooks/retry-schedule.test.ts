import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttempt, refusalsInOrder, retryForMs } from './retry-schedule.ts'

const start = new Date('2030-01-01T00:00:00Z')
const minuteMs = 60_000

/** Refuse an event until it is given up, and tell when it was sent. */
function attemptsOf(random: number) {
  const attempts = [{ afterMs: 0, outOfOrder: false }]
  let now = start
  for (let refusals = 1; ; refusals += 1) {
    const next = nextAttempt({ refusals, firstAttemptAt: start, now, retryAfterMs: undefined, random })
    if (next.kind === 'give-up') return attempts
    now = next.at
    attempts.push({ afterMs: now.getTime() - start.getTime(), outOfOrder: next.outOfOrder })
  }
}

for (const random of [0, 0.999]) {
  test(`an event goes out of order after six refusals, some 35 minutes, and is given up after three days: ${random}`, () => {
    const attempts = attemptsOf(random)
    const sixth = attempts[refusalsInOrder - 1]
    assert.ok(sixth && sixth.afterMs >= 33 * minuteMs && sixth.afterMs <= 41 * minuteMs, String(sixth?.afterMs))
    assert.deepEqual(
      attempts.map(({ outOfOrder }) => outOfOrder),
      attempts.map((_, index) => index >= refusalsInOrder),
    )
    const last = attempts.at(-1)?.afterMs ?? 0
    assert.ok(last <= retryForMs && last > retryForMs - 10 * 60 * minuteMs, String(last))
  })
}

test('waits longer each time', () => {
  const times = attemptsOf(0).map(({ afterMs }) => afterMs)
  const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  assert.deepEqual(
    waits,
    waits.toSorted((a, b) => a - b),
  )
})

const first = { refusals: 1, firstAttemptAt: start, now: start, random: 0 }

for (const [what, retryAfterMs, afterMs] of [
  ['absent', undefined, 5_000],
  ['shorter than the wait', 4_000, 5_000],
  ['longer', 90_000, 90_000],
  ['a day', 86_400_000, 86_400_000],
  ['more than a day', 86_400_001, 86_400_000],
] as const) {
  test(`Retry-After ${what}: sent after ${afterMs} ms`, () => {
    const next = nextAttempt({ ...first, retryAfterMs })
    assert.deepEqual(next, { kind: 'retry', at: new Date(start.getTime() + afterMs), outOfOrder: false })
  })
}

test('an attempt exactly three days after the first is made, a later one is not', () => {
  const now = new Date(start.getTime() + retryForMs - 3_600_000)
  const late = { ...first, refusals: 6, now, retryAfterMs: undefined }
  assert.deepEqual(nextAttempt(late), {
    kind: 'retry',
    at: new Date(start.getTime() + retryForMs),
    outOfOrder: true,
  })
  assert.deepEqual(nextAttempt({ ...late, now: new Date(now.getTime() + 1) }), { kind: 'give-up' })
})
