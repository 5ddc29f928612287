import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxTilesOnAPage, planGrid, planStage, tilesThatFit } from './plan-stage.ts'

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

const desk = { width: 1400, height: 760 }
const phone = { width: 344, height: 640 }

const grids = [
  [0, desk, { columns: 1, rows: 1 }],
  [1, desk, { columns: 1, rows: 1 }],
  [2, desk, { columns: 2, rows: 1 }],
  [3, desk, { columns: 2, rows: 2 }],
  [4, desk, { columns: 2, rows: 2 }],
  [5, desk, { columns: 3, rows: 2 }],
  [9, desk, { columns: 3, rows: 3 }],
  [10, desk, { columns: 4, rows: 3 }],
  [16, desk, { columns: 4, rows: 4 }],
  [2, phone, { columns: 1, rows: 2 }],
  [3, phone, { columns: 1, rows: 3 }],
  [4, phone, { columns: 1, rows: 4 }],
  [6, phone, { columns: 2, rows: 3 }],
  [8, phone, { columns: 2, rows: 4 }],
  // Before the page has been measured.
  [3, { width: 0, height: 0 }, { columns: 1, rows: 3 }],
] as const

for (const [count, area, grid] of grids) {
  test(`lays out ${count} tiles on ${area.width} × ${area.height}`, () => {
    const { columns, rows } = planGrid(count, area)
    assert.deepEqual({ columns, rows }, grid)
  })
}

const fits = [
  [desk, maxTilesOnAPage],
  [phone, 10],
  [{ width: 150, height: 110 }, 1],
  [{ width: 307, height: 110 }, 1],
  [{ width: 308, height: 110 }, 2],
  [{ width: 308, height: 227 }, 2],
  [{ width: 308, height: 228 }, 4],
  [{ width: 0, height: 0 }, 1],
] as const

for (const [area, count] of fits) {
  test(`${area.width} × ${area.height} holds ${count}`, () => assert.equal(tilesThatFit(area), count))
}

test('a tile is at most as wide as a camera’s image, and cuts off at most 15 % of its sides', () => {
  assert.deepEqual(planGrid(1, { width: 2000, height: 900 }).tile, { width: 1600, height: 900 })
  assert.deepEqual(planGrid(1, { width: 400, height: 900 }).tile, { width: 400, height: 264 })
  assert.deepEqual(planGrid(2, { width: 408, height: 100 }).tile, { width: 177, height: 100 })
})
