import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differsAt, regularTimesOf, rhythmOf } from './times.ts'

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

const halfAnHourMs = 30 * 60_000
const at = (time: string) => `2030-01-14T${time}:00.000Z`
const regular = { startTime: at('09:00'), endTime: at('09:30') }

for (const [what, startTime, endTime, expected] of [
  ['a regular date has none', at('09:00'), at('09:30'), undefined],
  ['a moved date', at('12:00'), at('12:30'), regular],
  ['a date that only lasts longer', at('09:00'), at('09:31'), regular],
  ['a date that begins later and ends as usual', at('09:10'), at('09:30'), regular],
] as const)
  test(`the times that the series gives: ${what}`, () => {
    assert.deepEqual(regularTimesOf({ startTime, endTime, originalStartTime: at('09:00') }, halfAnHourMs), expected)
  })
