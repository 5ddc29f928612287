import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { dayMs, gatheredUntil, gatheringMs, isFirstDay } from './mail-limits.ts'

const now = new Date('2030-01-01T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const seriesIn = (ms: number): Series => ({
  startsAt: new Date(now.getTime() + ms),
  durationMs: 1_800_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
})
const minuteMs = 60_000
const nextWeek = seriesIn(7 * dayMs)

test('the first-day limits apply to accounts less than a day old, but not to administrators', () => {
  const account = (ageMs: number, administrator = false) => ({ createdAt: ago(ageMs), administrator })
  assert.equal(isFirstDay(account(dayMs - 1), now), true)
  assert.equal(isFirstDay(account(dayMs), now), false)
  assert.equal(isFirstDay(account(0, true), now), false)
})

/** Each: the case, when the last mail was sent, the meeting's dates, until when the change waits. */
const rows: [string, Date | null, Series[], Date | undefined][] = [
  ['the first mail of a meeting', null, [nextWeek], undefined],
  ['a second mail right after the first', ago(0), [nextWeek], new Date(now.getTime() + gatheringMs)],
  ['a millisecond before the gathering time ends', ago(gatheringMs - 1), [nextWeek], new Date(now.getTime() + 1)],
  ['when the gathering time ends', ago(gatheringMs), [nextWeek], undefined],
  ['the meeting begins in 15 minutes', ago(0), [nextWeek, seriesIn(15 * minuteMs)], undefined],
  [
    'the meeting begins in 15 minutes and a millisecond',
    ago(0),
    [nextWeek, seriesIn(15 * minuteMs + 1)],
    new Date(now.getTime() + gatheringMs),
  ],
  ['the meeting is running', ago(0), [seriesIn(-minuteMs)], undefined],
  ['the meeting is over', ago(0), [seriesIn(-31 * minuteMs)], new Date(now.getTime() + gatheringMs)],
  ['the server clock was put back', ago(-dayMs), [nextWeek], new Date(now.getTime() + gatheringMs)],
]
for (const [name, lastMailAt, series, expected] of rows) {
  test(`how long a change is gathered: ${name}`, () =>
    assert.deepEqual(gatheredUntil(lastMailAt, series, now), expected))
}
