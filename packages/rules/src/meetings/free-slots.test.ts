import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFreeSlots } from './free-slots.ts'

const hourMs = 3_600_000
const at = (text: string) => new Date(`2027-${text}:00Z`)
const busy = (from: string, to: string) => ({ startsAt: at(from), endsAt: at(to) })
const whole = { dayStartMs: 0, dayEndMs: 24 * hourMs, timeZone: 'UTC', minDurationMs: hourMs }
const find = (taken: { startsAt: Date; endsAt: Date }[], from: string, to: string, more: object = {}) =>
  findFreeSlots(taken, { ...whole, startsAt: at(from), endsAt: at(to), ...more }).map(({ startsAt, endsAt }) =>
    [startsAt, endsAt].map((one) => one.toISOString().slice('2027-'.length, '2027-01-01T09:00'.length)),
  )

const cases = [
  ['nothing taken', [], [['01-04T09:00', '01-04T12:00']]],
  [
    'a meeting in the middle',
    [busy('01-04T10:00', '01-04T10:30')],
    [
      ['01-04T09:00', '01-04T10:00'],
      ['01-04T10:30', '01-04T12:00'],
    ],
  ],
  ['a gap one minute too short', [busy('01-04T09:59', '01-04T11:01')], []],
  ['a gap of exactly the length', [busy('01-04T10:00', '01-04T11:30')], [['01-04T09:00', '01-04T10:00']]],
  [
    'overlapping and unordered meetings',
    [busy('01-04T10:15', '01-04T10:20'), busy('01-04T08:00', '01-04T09:30'), busy('01-04T09:00', '01-04T11:00')],
    [['01-04T11:00', '01-04T12:00']],
  ],
  [
    'a meeting before and one after',
    [busy('01-04T08:00', '01-04T09:00'), busy('01-04T12:00', '01-04T13:00')],
    [['01-04T09:00', '01-04T12:00']],
  ],
  ['all of it taken', [busy('01-04T08:00', '01-04T13:00')], []],
] as const

for (const [what, taken, slots] of cases) {
  test(`between 09:00 and 12:00, ${what}`, () => {
    assert.deepEqual(find([...taken], '01-04T09:00', '01-04T12:00'), slots)
  })
}

test('a window of each day stays at its wall time across a clock change', () => {
  const berlin = { timeZone: 'Europe/Berlin', dayStartMs: 9 * hourMs, dayEndMs: 17 * hourMs }
  assert.deepEqual(find([busy('03-28T07:00', '03-28T13:00')], '03-26T23:00', '03-29T22:00', berlin), [
    ['03-27T08:00', '03-27T16:00'],
    ['03-28T13:00', '03-28T15:00'],
    ['03-29T07:00', '03-29T15:00'],
  ])
})

test('begins and ends inside a window where the search does', () => {
  const office = { dayStartMs: 9 * hourMs, dayEndMs: 17 * hourMs }
  assert.deepEqual(find([], '01-04T15:30', '01-05T10:30', office), [
    ['01-04T15:30', '01-04T17:00'],
    ['01-05T09:00', '01-05T10:30'],
  ])
})
