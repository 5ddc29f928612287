import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysOfLayouts } from './shortcut-scope.ts'

test('a sign is a shortcut with and without Shift, a letter only as it is said', () => {
  assert.deepEqual(keysOfLayouts('/'), ['/', 'shift+/'])
  assert.deepEqual(keysOfLayouts('shift+?'), ['?', 'shift+?'])
  assert.deepEqual(keysOfLayouts('n'), ['n'])
  assert.deepEqual(keysOfLayouts('shift+n'), ['shift+n'])
  assert.deepEqual(keysOfLayouts('space'), ['space'])
})
