import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waysOn } from './ways-on.ts'

const rows = [
  ['left', ['rejoin']],
  ['elsewhere', ['rejoin']],
  ['lost', ['rejoin']],
  ['too_much_sent', ['rejoin']],
  ['removed', ['ask']],
  ['ended', []],
  ['cancelled', []],
] as const

for (const [reason, ways] of rows) {
  test(`after ${reason}`, () => {
    assert.deepEqual(waysOn(reason, true), [...ways, 'meetings'])
    assert.deepEqual(waysOn(reason, false), [...ways, 'close'])
  })
}
