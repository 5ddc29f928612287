import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultView, readViewChoice } from './view-choice.ts'

const rows = [
  [null, {}],
  ['', {}],
  ['null', {}],
  ['{"view":', {}],
  ['{"view":"speaker","hidesSelf":true}', { view: 'speaker', hidesSelf: true }],
  ['{"view":"cinema","maxTiles":49,"hidesVideoless":true}', { maxTiles: 49, hidesVideoless: true }],
  ['{"maxTiles":48,"hidesSelf":"yes"}', {}],
] as const

for (const [stored, expected] of rows) {
  test(`reads ${stored} as the view`, () => assert.deepEqual(readViewChoice(stored), { ...defaultView, ...expected }))
}
