import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyResponse } from './delivery-outcome.ts'

const now = new Date('2030-01-01T00:00:00Z')
const refused = (retryAfterMs?: number) => ({ kind: 'refused', retryAfterMs })

for (const [status, expected] of [
  [199, refused()],
  [200, { kind: 'taken' }],
  [204, { kind: 'taken' }],
  [299, { kind: 'taken' }],
  [300, refused()],
  [302, refused()],
  [400, refused()],
  [404, refused()],
  [409, refused()],
  [410, { kind: 'gone' }],
  [411, refused()],
  [500, refused()],
] as const) {
  test(`${status}: ${expected.kind}`, () => assert.deepEqual(classifyResponse(status, undefined, now), expected))
}

for (const [retryAfter, ms] of [
  ['0', 0],
  ['120', 120_000],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60_000],
  ['Mon, 31 Dec 2029 23:59:00 GMT', 0],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['9999999999', undefined],
  ['2030-01-01T00:01:00Z', undefined],
] as const) {
  test(`Retry-After: ${retryAfter} is ${ms} ms`, () =>
    assert.deepEqual(classifyResponse(503, retryAfter, now), refused(ms)))
}
