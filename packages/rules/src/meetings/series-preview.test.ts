import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { previewSeries, scheduleWarnings } from './series-preview.ts'

const weekly = (startsAt: string, timeZone: string, more: Partial<Series> = {}): Series => ({
  startsAt: new Date(startsAt),
  durationMs: 30 * 60_000,
  timeZone,
  endsBy: null,
  excluded: [],
  rule: { repeat: 'daily', interval: 7 },
  ...more,
})
const preview = (series: Series, limit = 4) => {
  const { occurrences, moreAvailable, shifts } = previewSeries(series, limit)
  return {
    dates: occurrences.map(({ localStart, utcOffsetMinutes }) => `${localStart} ${utcOffsetMinutes}`),
    moreAvailable,
    shifts: shifts.map((shift) => `${shift.startsAt.toISOString()} ${shift.beforeMinutes} ${shift.afterMinutes}`),
  }
}

test('a clock that is put forward is marked at the first date after it, and shows the same time', () => {
  assert.deepEqual(preview(weekly('2030-03-19T08:00:00Z', 'Europe/Berlin')), {
    dates: ['2030-03-19T09:00:00 60', '2030-03-26T09:00:00 60', '2030-04-02T09:00:00 120', '2030-04-09T09:00:00 120'],
    moreAvailable: true,
    shifts: ['2030-04-02T07:00:00.000Z 60 120'],
  })
})

test('a date in the hour that is left out shows an hour later on the wall', () => {
  const series = weekly('2030-03-24T01:30:00Z', 'Europe/Berlin')
  assert.deepEqual(preview(series, 3).dates, [
    '2030-03-24T02:30:00 60',
    '2030-03-31T03:30:00 120',
    '2030-04-07T02:30:00 120',
  ])
})

test('a zone without changes has none, and an offset of half an hour is one', () => {
  const { dates, shifts } = preview(weekly('2030-03-24T03:30:00Z', 'Asia/Kolkata'), 2)
  assert.deepEqual([dates, shifts], [['2030-03-24T09:00:00 330', '2030-03-31T09:00:00 330'], []])
})

test('a series with an end is listed completely, with nothing more available', () => {
  const series = weekly('2030-01-07T09:00:00Z', 'UTC', { endsBy: new Date('2030-01-21T09:00:00Z') })
  assert.deepEqual([preview(series, 2).moreAvailable, preview(series, 3).moreAvailable], [true, false])
  assert.equal(preview({ ...series, rule: { repeat: 'none' } }).dates.length, 1)
})

test('cancelled dates are marked, and past dates are left out on request', () => {
  const excluded = [new Date('2030-01-14T09:00:00Z')]
  const series = weekly('2030-01-07T09:00:00Z', 'UTC', { excluded })
  const startsFrom = (from: string) =>
    previewSeries(series, 2, new Date(from)).occurrences.map(
      ({ localStart, excluded: isCancelled }) => `${localStart.slice(0, 10)} ${isCancelled}`,
    )
  assert.deepEqual(startsFrom('2030-01-07T09:29:59Z'), ['2030-01-07 false', '2030-01-14 true'])
  assert.deepEqual(startsFrom('2030-01-07T09:30:00Z'), ['2030-01-14 true', '2030-01-21 false'])
})

test('a start in the past is warned of, and so is a meeting that is over', () => {
  const once = weekly('2030-01-07T09:00:00Z', 'UTC', { rule: { repeat: 'none' } })
  const series = weekly('2030-01-07T09:00:00Z', 'UTC')
  const at = (time: string) => new Date(`2030-01-07T${time}Z`)
  assert.deepEqual(scheduleWarnings(once, at('09:00:00')), [])
  assert.deepEqual(scheduleWarnings(once, at('09:00:01')), ['starts_in_past'])
  assert.deepEqual(scheduleWarnings(once, at('09:29:59')), ['starts_in_past'])
  assert.deepEqual(scheduleWarnings(once, at('09:30:00')), ['starts_in_past', 'over'])
  assert.deepEqual(scheduleWarnings(series, at('09:30:00')), ['starts_in_past'])
})
