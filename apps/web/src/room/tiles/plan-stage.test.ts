import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planGrid, planStage, tilesThatFit } from './plan-stage.ts'

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
  test(`splits the area for a large tile on ${name}`, () => assert.deepEqual(planStage(area, true, 49), plan))
}

test('gives the whole area to the small tiles when there is no large one', () => {
  assert.equal(planStage({ width: 344, height: 640 }, false, 49).pageSize, 10)
})

test('puts at most as many tiles on a page as the person wants', () => {
  assert.equal(planStage(desk, false, 49).pageSize, 49)
  assert.equal(planStage(desk, false, 16).pageSize, 16)
  assert.equal(planStage(desk, true, 4).pageSize, 6)
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
  [49, desk, { columns: 7, rows: 7 }],
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
    const { columns, rows } = planGrid(Array(count).fill(16 / 9), area)
    assert.deepEqual({ columns, rows }, grid)
  })
}

const upright = 9 / 16
const fourToThree = 4 / 3
const byPictures = [
  [
    'three phones held upright',
    [upright, upright, upright],
    phone,
    { columns: 2, rows: 2, tile: { width: 168, height: 254 } },
  ],
  ['five portraits', Array(5).fill(undefined), phone, { columns: 2, rows: 3, tile: { width: 168, height: 208 } }],
  [
    'a phone among portraits',
    [undefined, upright, undefined],
    phone,
    { columns: 2, rows: 2, tile: { width: 168, height: 254 } },
  ],
  [
    'a phone and two cameras',
    [16 / 9, upright, 16 / 9],
    phone,
    { columns: 1, rows: 3, tile: { width: 344, height: 208 } },
  ],
  ['three phones', [upright, upright, upright], desk, { columns: 3, rows: 1, tile: { width: 461, height: 698 } }],
  ['three old cameras', Array(3).fill(fourToThree), desk, { columns: 2, rows: 2, tile: { width: 668, height: 376 } }],
  ['two portraits', Array(2).fill(undefined), desk, { columns: 2, rows: 1, tile: { width: 696, height: 460 } }],
] as const

for (const [name, ratios, area, plan] of byPictures) {
  test(`lays out ${name} on ${area.width} × ${area.height}`, () => assert.deepEqual(planGrid(ratios, area), plan))
}

const fits = [
  [phone, 10],
  [{ width: 150, height: 84 }, 1],
  [{ width: 307, height: 110 }, 1],
  [{ width: 308, height: 84 }, 2],
  [{ width: 308, height: 175 }, 2],
  [{ width: 308, height: 176 }, 4],
  [{ width: 308, height: 345 }, 4],
  [{ width: 308, height: 346 }, 6],
  [{ width: 0, height: 0 }, 1],
] as const

for (const [area, count] of fits) {
  test(`${area.width} × ${area.height} holds ${count}`, () => assert.equal(tilesThatFit(area), count))
}

test('a tile is at most as wide as a camera’s image, and cuts off at most 15 % of its sides', () => {
  assert.deepEqual(planGrid([16 / 9], { width: 2000, height: 900 }).tile, { width: 1600, height: 900 })
  assert.deepEqual(planGrid([16 / 9], { width: 400, height: 900 }).tile, { width: 400, height: 264 })
  assert.deepEqual(planGrid([16 / 9, undefined], { width: 408, height: 100 }).tile, { width: 177, height: 100 })
})
