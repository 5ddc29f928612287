import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renamed } from './renaming.ts'

test('keeps the first name of a call, whatever changes follow', () => {
  const once = renamed({ name: 'Alice Test', formerName: null }, 'Alice')
  assert.deepEqual(once, { name: 'Alice', formerName: 'Alice Test' })
  assert.deepEqual(renamed(once, 'Ali'), { name: 'Ali', formerName: 'Alice Test' })
  assert.deepEqual(renamed(once, 'Alice'), once)
  assert.deepEqual(renamed(once, 'Alice Test'), { name: 'Alice Test', formerName: null })
})

test('a guest who had no name has no former one', () =>
  assert.deepEqual(renamed({ name: '', formerName: null }, 'Gita'), { name: 'Gita', formerName: null }))
