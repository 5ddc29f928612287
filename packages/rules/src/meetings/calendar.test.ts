import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { occurrences, type Series } from '../recurrence/recurrence.ts'
import { type CalendarSeries, compareOccurrences, firstOccurrences, lastOccurrences } from './calendar.ts'

const hourMs = 60 * 60 * 1000
const monday = Date.UTC(2030, 0, 7)
const at = (hours: number) => new Date(monday + hours * hourMs)

const daily = (id: string, hour: number, more: Partial<Series> = {}): CalendarSeries => ({
  id,
  series: {
    startsAt: at(hour),
    durationMs: hourMs,
    timeZone: 'UTC',
    rule: { repeat: 'daily', interval: 1 },
    endsBy: null,
    cancelled: [],
    changed: [],
    ...more,
  },
  cancelledAt: null,
})
const week = { from: at(0), to: at(7 * 24), limit: 500, withCancelled: false }
const list = (all: readonly CalendarSeries[], query: Partial<typeof week> = {}) =>
  firstOccurrences(all, { ...week, ...query }).map(
    ({ id, startsAt, status }) => `${id}${(startsAt.getTime() - monday) / hourMs}${status === 'active' ? '' : ' x'}`,
  )

test('lists the dates of several series by start, and by id where the start is the same', () => {
  assert.deepEqual(list([daily('b', 9), daily('a', 9), daily('c', 8)], { to: at(34) }), [
    'c8',
    'a9',
    'b9',
    'c32',
    'a33',
    'b33',
  ])
})

test('includes a date that overlaps the span by a millisecond at either end', () => {
  const overlapping = (from: number, to: number) => list([daily('a', 9)], { from: new Date(from), to: new Date(to) })
  const [start, end] = [at(9).getTime(), at(10).getTime()]
  assert.deepEqual(overlapping(end - 1, end), ['a9'])
  assert.deepEqual(overlapping(end, end + 1), [])
  assert.deepEqual(overlapping(start - 1, start), [])
  assert.deepEqual(overlapping(start, start + 1), ['a9'])
})

test('lists skipped dates and those after a cancellation only on request', () => {
  const skipped = daily('a', 9, { cancelled: [at(33)] })
  assert.deepEqual(list([skipped], { to: at(72) }), ['a9', 'a57'])
  assert.deepEqual(list([skipped], { to: at(72), withCancelled: true }), ['a9', 'a33 x', 'a57'])
  const cancelled = { ...daily('a', 9), cancelledAt: at(33) }
  assert.deepEqual(list([cancelled], { to: at(72) }), ['a9', 'a33'], 'the one that ran is held to its end')
  assert.deepEqual(list([cancelled], { to: at(72), withCancelled: true }), ['a9', 'a33', 'a57 x'])
})

test('lists the first `limit` dates', () => {
  assert.deepEqual(list([daily('a', 9), daily('b', 8)], { limit: 3 }), ['b8', 'a9', 'b32'])
  assert.deepEqual(list([daily('b', 9), daily('a', 9)], { limit: 1 }), ['a9'])
  assert.deepEqual(list([], { limit: 3 }), [])
})

test('returns a prefix of all dates in order, for any series and any limit', () => {
  const anySeries = fc.record({
    hour: fc.integer({ min: 0, max: 200 }),
    interval: fc.integer({ min: 1, max: 5 }),
    cancelled: fc.option(fc.integer({ min: 0, max: 200 })),
  })
  const property = fc.property(
    fc.array(anySeries, { maxLength: 30 }),
    fc.integer({ min: 1, max: 20 }),
    fc.boolean(),
    (generated, limit, withCancelled) => {
      const all = generated.map(({ hour, interval, cancelled }, index) => ({
        ...daily(`s${index}`, hour, { rule: { repeat: 'daily', interval } }),
        cancelledAt: cancelled === null ? null : at(cancelled),
      }))
      const naive = all.flatMap(({ id, series, cancelledAt }) => {
        const dates = []
        for (const { originalStart, startsAt, endsAt } of occurrences(series, week.from)) {
          if (startsAt >= week.to) break
          const active = cancelledAt === null || startsAt <= cancelledAt
          if (active || withCancelled) {
            const status = active ? ('active' as const) : ('cancelled' as const)
            dates.push({ id, originalStart, startsAt, endsAt, status, topic: null })
          }
        }
        return dates
      })
      const expected = naive.toSorted(compareOccurrences).slice(0, limit)
      assert.deepEqual(firstOccurrences(all, { ...week, limit, withCancelled }), expected)
    },
  )
  fc.assert(property, { numRuns: 300 })
})

test('continues after the end of a page, without an end of the list', () => {
  const series = [daily('b', 9), daily('a', 9)]
  const page = (after?: { at: Date; id: string }) =>
    firstOccurrences(series, { from: at(0), limit: 3, withCancelled: false, after }).map(
      ({ id, startsAt }) => `${id}${(startsAt.getTime() - monday) / hourMs}`,
    )
  assert.deepEqual(page(), ['a9', 'b9', 'a33'])
  assert.deepEqual(page({ at: at(33), id: 'a' }), ['b33', 'a57', 'b57'])
})

test('lists the last dates that took place, latest first and page by page', () => {
  const cancelled = { ...daily('c', 12), cancelledAt: at(13) }
  const series = [daily('a', 9, { cancelled: [at(33)] }), daily('b', 9, { endsBy: at(40) }), cancelled]
  const page = (limit: number, before?: { at: Date; id: string }) =>
    lastOccurrences(series, { endedBy: at(58), limit, before }).map(
      ({ id, startsAt }) => `${id}${(startsAt.getTime() - monday) / hourMs}`,
    )
  assert.deepEqual(page(9), ['a57', 'b33', 'c12', 'b9', 'a9'])
  assert.deepEqual(page(2), ['a57', 'b33'])
  assert.deepEqual(page(2, { at: at(33), id: 'b' }), ['c12', 'b9'])
  assert.deepEqual(page(2, { at: at(9), id: 'b' }), ['a9'])
  assert.deepEqual(lastOccurrences(series, { endedBy: at(9.5), limit: 9 }), [])
})

test('finds the last dates of a series that began long ago, wherever a change has moved them', () => {
  const longAgo = new Date(monday - 300 * 24 * hourMs)
  const series = daily('a', 9, {
    startsAt: new Date(longAgo.getTime() + 9 * hourMs),
    changed: [
      {
        originalStart: at(33),
        times: { startsAt: at(-99), endsAt: at(-98) },
        topic: 'Moved',
        description: null,
        location: null,
      },
    ],
  })
  const all = [...occurrences(series.series)]
    .values()
    .take(310)
    .filter(({ endsAt }) => endsAt <= at(70))
    .toArray()
    .toReversed()
  const found = lastOccurrences([series], { endedBy: at(70), limit: 500 })
  assert.deepEqual(
    found.map(({ startsAt }) => startsAt.getTime()),
    all.map(({ startsAt }) => startsAt.getTime()),
  )
  assert.deepEqual(
    found.filter(({ topic }) => topic !== null).map(({ topic, status }) => [topic, status]),
    [['Moved', 'changed']],
  )
})
