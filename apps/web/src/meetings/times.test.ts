import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differsAt, rhythmOf } from './times.ts'

test('zones differ if their local times differ, not if only their names do', () => {
  assert.equal(differsAt('2030-01-07T09:00:00Z', 'Europe/London', 'Africa/Abidjan'), false)
  assert.equal(differsAt('2030-07-07T09:00:00Z', 'Europe/London', 'Africa/Abidjan'), true)
  assert.equal(differsAt('2030-01-07T09:00:00Z', 'Europe/London', 'Asia/Kolkata'), true)
  assert.equal(differsAt('2030-01-07T09:00:00Z', 'Asia/Kolkata', 'Asia/Calcutta'), false)
})

test('calls a daily or weekly recurrence by its name, and all others `other`', () => {
  assert.equal(rhythmOf({ repeatOptions: { repeat: 'weekly', interval: null } }), 'weekly')
  assert.equal(rhythmOf({ repeatOptions: { repeat: 'daily', interval: 1 } }), 'daily')
  assert.equal(rhythmOf({ repeatOptions: { repeat: 'daily', interval: 2 } }), 'other')
  assert.equal(rhythmOf({ repeatOptions: { repeat: 'yearly', interval: 1 } }), 'other')
})
