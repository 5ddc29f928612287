import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoadWatch, pictureBudgetMs, slowForMs } from './load-watch.ts'

/** Let pictures arrive each 100 ms, and return after how many milliseconds the machine counts as slow. */
function slowAfterMs(tookMs: (atMs: number) => number, untilMs: number): number | undefined {
  const watch = createLoadWatch(0, pictureBudgetMs)
  for (let atMs = 0; atMs <= untilMs; atMs += 100) if (watch.add(atMs, tookMs(atMs))) return atMs
  return undefined
}

test('a machine is slow once pictures have taken longer than the budget for five seconds', () => {
  assert.equal(
    slowAfterMs(() => pictureBudgetMs + 1, 20_000),
    3_000 + slowForMs,
  )
})

test('a machine that keeps the budget is never slow', () => {
  assert.equal(
    slowAfterMs(() => pictureBudgetMs, 60_000),
    undefined,
  )
})

test('a slow start and a short peak pass', () => {
  assert.equal(
    slowAfterMs((atMs) => (atMs < 3_000 ? 500 : 20), 60_000),
    undefined,
  )
  assert.equal(
    slowAfterMs((atMs) => (atMs > 20_000 && atMs < 21_000 ? 200 : 20), 60_000),
    undefined,
  )
})

test('a machine that becomes slow later is slow', () => {
  const slow = slowAfterMs((atMs) => (atMs < 30_000 ? 20 : 200), 60_000)
  assert.ok(slow !== undefined && slow > 30_000 && slow <= 30_000 + 2 * slowForMs)
})
