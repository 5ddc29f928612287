import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextActions } from './next-actions.ts'

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
  test(`the actions after a visit that ended with ${reason}`, () => {
    assert.deepEqual(nextActions(reason, true), [...ways, 'meetings'])
    assert.deepEqual(nextActions(reason, false), [...ways, 'close'])
  })
}
