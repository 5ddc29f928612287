import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolate } from './isolate.ts'

test('a value in the other direction stands for itself in its sentence, every other as it is', () => {
  assert.equal(isolate('en', 'Planner'), 'Planner')
  assert.equal(isolate('en', 'מתכנן 3'), '\u2068מתכנן 3\u2069')
  assert.equal(isolate('de', 'Планер & 会議'), 'Планер & 会議')
  assert.equal(isolate('ar', 'Planner'), '\u2068Planner\u2069')
  assert.equal(isolate('ar', 'مخطِّط'), 'مخطِّط')
  assert.equal(isolate('ar', '3'), '3')
})

test('unclosed isolates of a value are closed', () => {
  assert.equal(isolate('en', '\u2067מתכנן'), '\u2068מתכנן\u2069')
})
