import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate } from './isolate.ts'

test('isolates a value in the other writing direction, and leaves others unchanged', () => {
  assert.equal(isolate('en', 'Planner'), 'Planner')
  assert.equal(isolate('en', 'מתכנן 3'), '\u2068מתכנן 3\u2069')
  assert.equal(isolate('de', 'Планер & 会議'), 'Планер & 会議')
  assert.equal(isolate('ar', 'Planner'), '\u2068Planner\u2069')
  assert.equal(isolate('ar', 'مخطِّط'), 'مخطِّط')
  assert.equal(isolate('ar', '3'), '3')
})

test('closes unclosed isolates of a value', () => {
  assert.equal(isolate('en', '\u2067מתכנן'), '\u2068מתכנן\u2069')
})
