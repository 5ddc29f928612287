import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { previewSeries, scheduleWarnings } from './series-preview.ts'

const weekly = (startsAt: string, timeZone: string, more: Partial<Series> = {}): Series => ({
  startsAt: new Date(startsAt),
  durationMs: 30 * 60_000,
  timeZone,
  endsBy: null,
  cancelled: [],
  changed: [],
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

test('marks the start of summer time at the first date after it, which keeps its local time', () => {
  assert.deepEqual(preview(weekly('2030-03-19T08:00:00Z', 'Europe/Berlin')), {
    dates: ['2030-03-19T09:00:00 60', '2030-03-26T09:00:00 60', '2030-04-02T09:00:00 120', '2030-04-09T09:00:00 120'],
    moreAvailable: true,
    shifts: ['2030-04-02T07:00:00.000Z 60 120'],
  })
})

test('shows a date in the skipped hour an hour later', () => {
  const series = weekly('2030-03-24T01:30:00Z', 'Europe/Berlin')
  assert.deepEqual(preview(series, 3).dates, [
    '2030-03-24T02:30:00 60',
    '2030-03-31T03:30:00 120',
    '2030-04-07T02:30:00 120',
  ])
})

test('marks no change in a zone without clock changes, even with an offset of half an hour', () => {
  const { dates, shifts } = preview(weekly('2030-03-24T03:30:00Z', 'Asia/Kolkata'), 2)
  assert.deepEqual([dates, shifts], [['2030-03-24T09:00:00 330', '2030-03-31T09:00:00 330'], []])
})

test('lists a series with an end completely, and says that there is no more', () => {
  const series = weekly('2030-01-07T09:00:00Z', 'UTC', { endsBy: new Date('2030-01-21T09:00:00Z') })
  assert.deepEqual([preview(series, 2).moreAvailable, preview(series, 3).moreAvailable], [true, false])
  assert.equal(preview({ ...series, rule: { repeat: 'none' } }).dates.length, 1)
})

test('marks cancelled dates, and omits past dates on request', () => {
  const cancelled = [new Date('2030-01-14T09:00:00Z')]
  const series = weekly('2030-01-07T09:00:00Z', 'UTC', { cancelled })
  const startsFrom = (from: string) =>
    previewSeries(series, 2, new Date(from)).occurrences.map(
      ({ localStart, cancelled: isCancelled }) => `${localStart.slice(0, 10)} ${isCancelled}`,
    )
  assert.deepEqual(startsFrom('2030-01-07T09:29:59Z'), ['2030-01-07 false', '2030-01-14 true'])
  assert.deepEqual(startsFrom('2030-01-07T09:30:00Z'), ['2030-01-14 true', '2030-01-21 false'])
})

test('warns of a start in the past, and of a meeting that is over', () => {
  const once = weekly('2030-01-07T09:00:00Z', 'UTC', { rule: { repeat: 'none' } })
  const series = weekly('2030-01-07T09:00:00Z', 'UTC')
  const at = (time: string) => new Date(`2030-01-07T${time}Z`)
  assert.deepEqual(scheduleWarnings(once, at('09:00:00')), [])
  assert.deepEqual(scheduleWarnings(once, at('09:00:01')), ['starts_in_past'])
  assert.deepEqual(scheduleWarnings(once, at('09:29:59')), ['starts_in_past'])
  assert.deepEqual(scheduleWarnings(once, at('09:30:00')), ['starts_in_past', 'over'])
  assert.deepEqual(scheduleWarnings(series, at('09:30:00')), ['starts_in_past'])
})
