import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogLineLimit } from './log-line-limit.ts'

test('logs one line a second for each kind, with the number of those left out', () => {
  let nowMs = 5
  const limit = createLogLineLimit({ now: () => nowMs })
  assert.deepEqual(limit.admit('send-mail'), { unlogged: 0 })
  assert.equal(limit.admit('send-mail'), undefined)
  assert.deepEqual(limit.admit('check-page'), { unlogged: 0 })
  nowMs += 999
  assert.equal(limit.admit('send-mail'), undefined)
  nowMs += 1
  assert.deepEqual(limit.admit('send-mail'), { unlogged: 2 })
  assert.equal(limit.admit('send-mail'), undefined)
  nowMs += 1_000
  assert.deepEqual(limit.admit('send-mail'), { unlogged: 1 })
})
