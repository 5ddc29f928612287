import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches } from './matches.ts'

test('each typed word begins a word of the text, in any order and case', () => {
  assert.ok(matches('Schedule a meeting', 'sched'))
  assert.ok(matches('Schedule a meeting', 'meeting SCHEDULE'))
  assert.ok(matches('Appearance: Dark', 'dark'))
  assert.ok(matches('Stand-up', 'up'))
  assert.ok(matches('اجتماع الفريق', 'الفر'))
  assert.ok(!matches('Schedule a meeting', 'eeting'))
  assert.ok(!matches('Schedule a meeting', 'schedule room'))
  assert.ok(matches('anything', ''))
})
