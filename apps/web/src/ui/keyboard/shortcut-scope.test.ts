import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysOfLayouts } from './shortcut-scope.ts'

test('a character such as / is a shortcut with and without Shift, a letter only as listed', () => {
  assert.deepEqual(keysOfLayouts('/'), ['/', 'shift+/'])
  assert.deepEqual(keysOfLayouts('shift+?'), ['?', 'shift+?'])
  assert.deepEqual(keysOfLayouts('n'), ['n'])
  assert.deepEqual(keysOfLayouts('shift+n'), ['shift+n'])
  assert.deepEqual(keysOfLayouts('space'), ['space'])
})
