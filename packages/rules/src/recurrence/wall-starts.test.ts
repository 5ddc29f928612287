import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from './recurrence.ts'
import { findAmbiguousStarts, wallStartOf } from './wall-starts.ts'

const hourMs = 3_600_000

/** Half an hour each Sunday, from a Sunday in the first week of the year. */
const sundays = (startsAt: string, changes: Partial<Series> = {}): Series => ({
  startsAt: new Date(startsAt),
  durationMs: hourMs / 2,
  timeZone: 'America/New_York',
  rule: { repeat: 'weekly', interval: 1, daysOfWeek: [1, 0, 0, 0, 0, 0, 0] },
  endsBy: null,
  cancelled: [],
  changed: [],
  ...changes,
})

function ambiguousIn(series: Series, from = '2026-01-01', until = '2026-12-31'): string[] {
  return findAmbiguousStarts(series, new Date(from), new Date(until)).map(
    ({ wallMs, startsAt }) => `${wall(wallMs)} ${startsAt?.toISOString().slice(0, 16) ?? 'with the next'}`,
  )
}

const wall = (ms: number) => new Date(ms).toISOString().slice(0, 16)

test('lists an occurrence at a skipped time by its planned time', () => {
  const series = sundays('2026-01-04T07:30:00Z')
  assert.deepEqual(ambiguousIn(series), ['2026-03-08T02:30 2026-03-08T07:30'])
  assert.equal(wall(wallStartOf(series, new Date('2026-03-08T07:30:00Z'))), '2026-03-08T02:30')
  assert.equal(wall(wallStartOf(series, new Date('2026-03-15T06:30:00Z'))), '2026-03-15T02:30')
})

test('a repeated time is ambiguous, and means its first instant', () => {
  assert.deepEqual(ambiguousIn(sundays('2026-01-04T06:30:00Z', { durationMs: hourMs / 4 })), [
    '2026-11-01T01:30 2026-11-01T05:30',
  ])
})

test('the first occurrence may be the second instant of a repeated time', () => {
  const series = sundays('2026-11-01T06:30:00Z')
  assert.deepEqual(ambiguousIn(series), ['2026-11-01T01:30 2026-11-01T06:30'])
  assert.equal(wall(wallStartOf(series, series.startsAt)), '2026-11-01T01:30')
})

test('a repeated end and a clock change during an occurrence are ambiguous', () => {
  const endsInOverlap = sundays('2026-01-04T05:45:00Z', { durationMs: hourMs })
  assert.deepEqual(ambiguousIn(endsInOverlap), ['2026-11-01T00:45 2026-11-01T04:45'])
  const throughTheNight = sundays('2026-01-04T04:00:00Z', {
    durationMs: 8 * hourMs,
    rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 0, 0, 0, 0, 0, 1] },
  })
  assert.deepEqual(ambiguousIn(throughTheNight), [
    '2026-03-07T23:00 2026-03-08T04:00',
    '2026-10-31T23:00 2026-11-01T03:00',
  ])
})

test('an occurrence that is moved past midnight belongs to the day before', () => {
  const series = sundays('2026-01-03T01:15:00Z', { timeZone: 'America/Nuuk', rule: { repeat: 'daily', interval: 1 } })
  assert.deepEqual(ambiguousIn(series, '2026-03-01', '2026-04-15'), ['2026-03-28T23:15 2026-03-29T01:15'])
  assert.equal(wall(wallStartOf(series, new Date('2026-03-29T01:15:00Z'))), '2026-03-28T23:15')
})

test('an occurrence on a skipped day coincides with that of the next day, if there is one', () => {
  // Samoa had no 30 December 2011, a Friday.
  const daily = sundays('2011-12-25T19:00:00Z', { timeZone: 'Pacific/Apia', rule: { repeat: 'daily', interval: 1 } })
  assert.deepEqual(ambiguousIn(daily, '2011-12-01', '2012-01-31'), ['2011-12-30T09:00 with the next'])
  const fridays = { repeat: 'weekly' as const, interval: 1, daysOfWeek: [0, 0, 0, 0, 0, 1, 0] }
  const weekly = sundays('2011-12-23T19:00:00Z', { timeZone: 'Pacific/Apia', rule: fridays })
  assert.deepEqual(ambiguousIn(weekly, '2011-12-01', '2012-01-31'), ['2011-12-30T09:00 2011-12-30T19:00'])
})

test('lists only dates of the rule within the series and the range', () => {
  const series = sundays('2026-01-04T07:30:00Z')
  assert.deepEqual(
    ambiguousIn({ ...series, rule: { repeat: 'weekly', interval: 2, daysOfWeek: [1, 0, 0, 0, 0, 0, 0] } }),
    [],
  )
  assert.deepEqual(ambiguousIn({ ...series, endsBy: new Date('2026-03-08T07:29:59Z') }), [])
  assert.deepEqual(ambiguousIn({ ...series, endsBy: new Date('2026-03-08T07:30:00Z') }).length, 1)
  assert.deepEqual(ambiguousIn(series, '2026-04-01'), [])
  assert.deepEqual(ambiguousIn({ ...series, rule: { repeat: 'none' } }), [])
})
