import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notZoomed, pan, zoomAt } from './zoom.ts'

const size = { width: 400, height: 200 }
const middle = { x: 0, y: 0 }

test('enlarges what is between the fingers in place', () => {
  assert.deepEqual(zoomAt(notZoomed, 2, middle, size), { scale: 2, x: 0, y: 0 })
  assert.deepEqual(zoomAt(notZoomed, 2, { x: 100, y: 50 }, size), { scale: 2, x: -100, y: -50 })
  assert.deepEqual(zoomAt({ scale: 2, x: -100, y: -50 }, 0.5, { x: 100, y: 50 }, size), notZoomed)
})

test('stays between the whole picture and six times its size', () => {
  assert.deepEqual(zoomAt(notZoomed, 0.2, { x: 50, y: 0 }, size), { scale: 1, x: 0, y: 0 })
  assert.equal(zoomAt(notZoomed, 100, middle, size).scale, 6)
})

test('moves no edge of the picture into its area', () => {
  assert.deepEqual(pan({ scale: 2, x: 0, y: 0 }, { x: 1000, y: -1000 }, size), { scale: 2, x: 200, y: -100 })
  assert.deepEqual(pan(notZoomed, { x: 30, y: 30 }, size), notZoomed)
  // Reduced beside an edge, it covers the area again.
  assert.deepEqual(zoomAt({ scale: 3, x: 400, y: 0 }, 0.5, { x: -200, y: 0 }, size), { scale: 1.5, x: 100, y: 0 })
})
