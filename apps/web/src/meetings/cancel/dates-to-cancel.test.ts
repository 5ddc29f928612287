import assert from 'node:assert/strict'
import { test } from 'node:test'
import { datesToCancel } from './dates-to-cancel.ts'

const monday = { startTime: '2030-01-07T09:00:00.000Z', endTime: '2030-01-07T09:30:00.000Z' }
const tuesday = { startTime: '2030-01-08T09:00:00.000Z', endTime: '2030-01-08T09:30:00.000Z' }
const ahead = [monday, tuesday]

const cases = [
  ['next', '', '2030-01-07T08:00:00Z', [monday]],
  ['next', '', '2030-01-07T09:10:00Z', [monday]],
  ['one', tuesday.startTime, '2030-01-07T08:00:00Z', [tuesday]],
  ['one', '', '2030-01-07T08:00:00Z', []],
  ['all', '', '2030-01-07T08:59:59Z', [monday, tuesday]],
  ['all', '', '2030-01-07T09:00:00Z', [tuesday]],
] as const

for (const [extent, chosen, now, going] of cases) {
  test(`the dates that cancelling ${extent} at ${now} removes`, () =>
    assert.deepEqual(datesToCancel(ahead, extent, chosen, new Date(now)), going))
}
