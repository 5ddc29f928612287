import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraRatio, largeTileRatios, mayFill, narrowestTileRatio } from './fit-video.ts'

const boxes = [
  { box: '16:9', ratio: 16 / 9, camera: true, square: false, upright: false },
  { box: 'a main view that is wider than a camera', ratio: 2.16, camera: false, square: false, upright: false },
  { box: '2:1', ratio: 2, camera: true, square: false, upright: false },
  { box: '3:2', ratio: 1.52, camera: true, square: true, upright: false },
  { box: '4:3', ratio: 4 / 3, camera: false, square: true, upright: false },
  { box: 'a phone held upright', ratio: 9 / 16, camera: false, square: false, upright: true },
]

for (const { box, ratio, camera, square, upright } of boxes)
  test(`fills ${box} with a video only where at most 15 % of a side is cut off`, () => {
    assert.equal(mayFill(16 / 9, ratio), camera, 'a camera of 16:9')
    assert.equal(mayFill(4 / 3, ratio), square, 'a camera of 4:3')
    assert.equal(mayFill(9 / 16, ratio), upright, 'a phone held upright')
  })

test('tiles between the narrowest and 16:9 are filled by a camera of 16:9', () => {
  assert.ok(mayFill(cameraRatio, narrowestTileRatio))
  assert.ok(!mayFill(cameraRatio, narrowestTileRatio - 0.02))
})

test('a large tile never cuts off the top of a video', () => {
  const { widest, narrowest } = largeTileRatios(9 / 16)
  assert.equal(widest, 9 / 16)
  assert.ok(mayFill(9 / 16, narrowest))
})
