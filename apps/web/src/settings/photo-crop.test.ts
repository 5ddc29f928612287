import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxZoom, movedBy, squareOf, wholePicture, withinPicture } from './photo-crop.ts'

const wide = { width: 400, height: 200 }

test('at first, a photo is the largest square in the middle of the picture', () => {
  assert.deepEqual(squareOf(wholePicture, wide), { left: 100, top: 0, side: 200 })
  assert.deepEqual(squareOf(wholePicture, { width: 1, height: 3 }), { left: 0, top: 1, side: 1 })
})

test('a section stays within the picture and its enlargement within the limit', () => {
  const corners = [
    [withinPicture({ x: 0, y: 0, zoom: 1 }, wide), { left: 0, top: 0, side: 200 }],
    [withinPicture({ x: 1, y: 1, zoom: 2 }, wide), { left: 300, top: 100, side: 100 }],
    [withinPicture({ x: 0.5, y: 0.5, zoom: 99 }, wide), { left: 175, top: 75, side: 200 / maxZoom }],
    [withinPicture({ x: 0.5, y: 0.5, zoom: 0 }, wide), { left: 100, top: 0, side: 200 }],
  ] as const
  for (const [section, square] of corners) assert.deepEqual(squareOf(section, wide), square)
})

test('a section moves by fractions of its side, as far as the edges', () => {
  assert.deepEqual(squareOf(movedBy(wholePicture, 0.25, 0, wide), wide), { left: 150, top: 0, side: 200 })
  assert.deepEqual(squareOf(movedBy(wholePicture, -9, -9, wide), wide), { left: 0, top: 0, side: 200 })
})
