import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { nextReminder } from './reminders.ts'

/** Mondays at 09:00 in Berlin, over the change to summer time on 31 March 2030. */
const series: Series = {
  startsAt: new Date('2030-03-25T08:00:00Z'),
  durationMs: 1_800_000,
  timeZone: 'Europe/Berlin',
  rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  endsBy: new Date('2030-04-08T23:59:59Z'),
  cancelled: [],
  changed: [],
}
const skipped = [new Date('2030-04-01T07:00:00Z')]

const cases: [string, Series, number, string, string | undefined][] = [
  ['before the first date', series, 15, '2030-01-01T00:00:00Z', '2030-03-25T07:45:00.000Z'],
  ['a second before it is due', series, 15, '2030-03-25T07:44:59Z', '2030-03-25T07:45:00.000Z'],
  ['at the moment when one is due', series, 15, '2030-03-25T07:45:00Z', '2030-04-01T06:45:00.000Z'],
  ['while the meeting runs', series, 15, '2030-03-25T08:10:00Z', '2030-04-01T06:45:00.000Z'],
  ['before a skipped date', { ...series, cancelled: skipped }, 15, '2030-03-26T00:00:00Z', '2030-04-08T06:45:00.000Z'],
  ['after the last date', series, 15, '2030-04-08T06:45:00Z', undefined],
  ['without reminders', series, 0, '2030-01-01T00:00:00Z', undefined],
  [
    'for a reminder longer than the time between two dates',
    series,
    20_160,
    '2030-03-20T00:00:00Z',
    '2030-03-25T07:00:00.000Z',
  ],
  [
    'for a meeting that begins too soon',
    { ...series, rule: { repeat: 'none' } },
    15,
    '2030-03-25T07:50:00Z',
    undefined,
  ],
]
for (const [name, of, minutes, after, dueAt] of cases) {
  test(`the next reminder, ${name}: ${dueAt}`, () => {
    assert.equal(nextReminder(of, minutes, new Date(after))?.dueAt.toISOString(), dueAt)
  })
}

test('a reminder states the start of its date, in the zone of the meeting', () => {
  const reminder = nextReminder(series, 15, new Date('2030-03-26T00:00:00Z'))
  assert.equal(reminder?.occurrence.toISOString(), '2030-04-01T07:00:00.000Z')
})
