import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecurrenceRule, Series } from '../recurrence/recurrence.ts'
import { type CalendarState, changedDates, changedFields } from './invitation-changes.ts'

const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const first = new Date('2030-01-07T09:00:00Z')
const second = new Date('2030-01-14T09:00:00Z')
const third = new Date('2030-01-21T09:00:00Z')
const once: Series = {
  startsAt: first,
  durationMs: 1_800_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
}
const weekly: Series = { ...once, rule: mondays, endsBy: third }
const meeting: CalendarState = {
  topic: 'Stand-up',
  description: '',
  location: '',
  code: '1234567890',
  pin: 'abc234',
  series: once,
}
const series: CalendarState = { ...meeting, series: weekly }
const counted = (count: number): Series => ({ ...weekly, rule: { ...mondays, count } })
const excluding = (...cancelled: Date[]) => ({ series: { ...weekly, cancelled } })

const rows: [string, CalendarState, Partial<CalendarState>, string][] = [
  ['nothing', meeting, {}, ''],
  ['topic', meeting, { topic: 'Sit-down' }, 'topic'],
  ['description', meeting, { description: 'x' }, 'description'],
  ['location', meeting, { location: 'Room 5' }, 'location'],
  ['PIN', meeting, { pin: 'xyz789' }, 'pin'],
  ['link', meeting, { code: '2345678901' }, 'link'],
  ['start', meeting, { series: { ...once, startsAt: second } }, 'time'],
  ['length', meeting, { series: { ...once, durationMs: 60_000 } }, 'time'],
  ['zone', meeting, { series: { ...once, timeZone: 'Asia/Tokyo' } }, 'time'],
  [
    'the same zone by its current name',
    { ...meeting, series: { ...once, timeZone: 'Asia/Calcutta' } },
    { series: { ...once, timeZone: 'Asia/Kolkata' } },
    '',
  ],
  ['rule', meeting, { series: weekly }, 'rule'],
  ['end of the series', series, { series: { ...weekly, endsBy: second } }, 'rule'],
  [
    'the fields of the rule in another order',
    series,
    { series: { ...weekly, rule: { daysOfWeek: [0, 1, 0, 0, 0, 0, 0], interval: 1, repeat: 'weekly' } } },
    '',
  ],
  ['several', meeting, { topic: 'Sit-down', series: { ...weekly, startsAt: second } }, 'topic time rule'],
  ['a count, with the same last date', series, { series: counted(3) }, ''],
  ['a date in place of a count', { ...series, series: counted(3) }, { series: weekly }, ''],
  ['another count', { ...series, series: counted(3) }, { series: { ...counted(2), endsBy: second } }, 'rule'],
  [
    'an end before that of the count',
    { ...series, series: counted(3) },
    { series: { ...weekly, endsBy: second } },
    'rule',
  ],
  [
    'a later start of as many dates',
    { ...series, series: counted(3) },
    { series: { ...counted(3), startsAt: second, endsBy: new Date('2030-01-28T09:00:00Z') } },
    'time',
  ],
  ['a cancelled date', series, excluding(second), 'dates'],
  ['a restored date', { ...series, ...excluding(second) }, excluding(), 'dates'],
  ['one date for another', { ...series, ...excluding(second) }, excluding(third), 'dates'],
  ['the same dates in another order', { ...series, ...excluding(second, third) }, excluding(third, second), ''],
  ['an exclusion that names no date', series, excluding(new Date('2030-01-15T09:00:00Z')), ''],
  ['an exclusion after the end', series, excluding(new Date('2030-01-28T09:00:00Z')), ''],
]
for (const [name, before, changes, expected] of rows) {
  test(`changed: ${name}`, () => {
    assert.equal(changedFields(before, { ...before, ...changes }).join(' '), expected)
  })
}

test('lists the cancelled and the restored dates in order', () => {
  const before = { ...weekly, cancelled: [third] }
  assert.deepEqual(changedDates(before, { ...weekly, cancelled: [second, first] }), {
    cancelled: [first, second],
    restored: [third],
  })
})
