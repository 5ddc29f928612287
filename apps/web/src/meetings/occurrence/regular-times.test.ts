import assert from 'node:assert/strict'
import { test } from 'node:test'
import { regularTimesOf } from './regular-times.ts'

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
