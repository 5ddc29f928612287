import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSilent } from './line-watch.ts'

/** Counts every 500 ms, from what arrives in each half second. */
const counted = (...arriving: number[]) =>
  arriving.map((_, at) => ({ atMs: at * 500, packets: arriving.slice(0, at + 1).reduce((sum, one) => sum + one, 0) }))

const cases: [string, number[], boolean][] = [
  ['nothing is known yet', [], false],
  ['nothing has ever arrived', [0, 0, 0, 0, 0, 0, 0], false],
  ['packets arrive', [25, 25, 25, 25, 25], false],
  ['a second is missing', [25, 25, 25, 25, 25, 0, 0], false],
  ['two seconds are missing', [25, 25, 25, 25, 25, 0, 0, 0, 0, 0], true],
  ['only reports arrived before', [0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0], false],
  ['it arrives again', [25, 25, 25, 25, 25, 0, 0, 0, 0, 0, 25], false],
]
for (const [what, arriving, silent] of cases) {
  test(`while ${what}, media is${silent ? '' : ' not'} missing`, () =>
    assert.equal(isSilent(counted(...arriving)), silent))
}
