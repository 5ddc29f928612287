import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planStage } from './plan-stage.ts'

const rows = [
  ['a desk', { width: 1400, height: 760 }, { strip: 'beside', rest: { width: 308, height: 760 }, pageSize: 6 }],
  ['a phone', { width: 344, height: 640 }, { strip: 'below', rest: { width: 344, height: 140 }, pageSize: 2 }],
  [
    'a phone on its side',
    { width: 640, height: 300 },
    { strip: 'beside', rest: { width: 160, height: 300 }, pageSize: 2 },
  ],
  ['a square', { width: 500, height: 500 }, { strip: 'below', rest: { width: 500, height: 112 }, pageSize: 3 }],
] as const

for (const [name, area, plan] of rows) {
  test(`splits the area for a large tile on ${name}`, () => assert.deepEqual(planStage(area, true), plan))
}

test('gives the whole area to the small tiles when there is no large one', () => {
  assert.equal(planStage({ width: 344, height: 640 }, false).pageSize, 10)
})
