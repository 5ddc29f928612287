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
  excluded: [],
})
const minuteMs = 60_000
const nextWeek = seriesIn(7 * dayMs)

test('an account has its first day until it is a day old, unless it administers the service', () => {
  const account = (ageMs: number, administrator = false) => ({ createdAt: ago(ageMs), administrator })
  assert.equal(isFirstDay(account(dayMs - 1), now), true)
  assert.equal(isFirstDay(account(dayMs), now), false)
  assert.equal(isFirstDay(account(0, true), now), false)
})

/** Each: what it is about, when the last mail was sent, what takes place, until when the change waits. */
const rows: [string, Date | null, Series[], Date | undefined][] = [
  ['the first mail of a meeting', null, [nextWeek], undefined],
  ['a moment after it', ago(0), [nextWeek], new Date(now.getTime() + gatheringMs)],
  ['just within the time', ago(gatheringMs - 1), [nextWeek], new Date(now.getTime() + 1)],
  ['at the end of it', ago(gatheringMs), [nextWeek], undefined],
  ['it begins in a quarter of an hour', ago(0), [nextWeek, seriesIn(15 * minuteMs)], undefined],
  ['it begins a moment later', ago(0), [nextWeek, seriesIn(15 * minuteMs + 1)], new Date(now.getTime() + gatheringMs)],
  ['it is running', ago(0), [seriesIn(-minuteMs)], undefined],
  ['it is over', ago(0), [seriesIn(-31 * minuteMs)], new Date(now.getTime() + gatheringMs)],
  ['a clock that was put back', ago(-dayMs), [nextWeek], new Date(now.getTime() + gatheringMs)],
]
for (const [name, lastMailAt, series, expected] of rows) {
  test(`gathered: ${name}`, () => assert.deepEqual(gatheredUntil(lastMailAt, series, now), expected))
}
