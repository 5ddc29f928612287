import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backOffMs } from './back-off.ts'

const cases: [failures: number, random: number, ms: number][] = [
  [0, 0, 250],
  [1, 0, 250],
  [1, 1, 500],
  [2, 1, 1000],
  [5, 1, 8000],
  [6, 1, 15_000],
  [6, 0, 7500],
  [1000, 0.5, 11_250],
]
for (const [failures, random, ms] of cases) {
  test(`after ${failures} failures, with the random number ${random}: ${ms} ms`, () => {
    assert.equal(backOffMs(failures, random), ms)
  })
}

test('a shorter longest pause replaces the usual one', () => {
  assert.equal(backOffMs(2, 1, 3000), 1000)
  assert.equal(backOffMs(6, 1, 3000), 3000)
  assert.equal(backOffMs(6, 0, 3000), 1500)
})
