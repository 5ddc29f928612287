import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeElapsed } from './elapsed.ts'

const rows = [
  [-5, '0:00'],
  [999, '0:00'],
  [1_000, '0:01'],
  [59_999, '0:59'],
  [60_000, '1:00'],
  [3_599_999, '59:59'],
  [3_600_000, '1:00:00'],
  [37_325_000, '10:22:05'],
] as const

for (const [ms, written] of rows) test(`${ms} ms are ${written}`, () => assert.equal(writeElapsed(ms), written))
