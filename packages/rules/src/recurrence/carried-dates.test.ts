import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { carryCancellations, compareDates, maxChangedDates, maxDroppedDates, stillDropped } from './carried-dates.ts'
import { occurrences, type RecurrenceRule, type Series } from './recurrence.ts'

const on = (...days: number[]): Extract<RecurrenceRule, { repeat: 'weekly' }> => ({
  repeat: 'weekly',
  interval: 1,
  daysOfWeek: [0, 1, 2, 3, 4, 5, 6].map((day) => (days.includes(day) ? 1 : 0)),
})
const [mondays, fridays, thursdays] = [on(1), on(5), on(4)]
const once: RecurrenceRule = { repeat: 'none' }

/** Fridays at 09:00 in Berlin from 27 November 2026; UTC+1 in winter, UTC+2 from 28 March 2027. */
const series = (changes: Partial<Series> = {}): Series => ({
  startsAt: new Date('2026-11-27T08:00:00Z'),
  durationMs: 3_600_000,
  timeZone: 'Europe/Berlin',
  rule: fridays,
  endsBy: null,
  cancelled: [],
  changed: [],
  ...changes,
})
const at = (text: string) => new Date(`${text}Z`)
const texts = (dates: readonly Date[]) => dates.map((date) => date.toISOString().slice(0, 16))

type Row = readonly [
  what: string,
  before: Partial<Series>,
  after: Partial<Series>,
  cancelled: string[],
  kept: string[],
  dropped: string[],
]

const rows: readonly Row[] = [
  ['nothing changed', {}, {}, ['2026-12-04T08:00'], ['2026-12-04T08:00'], []],
  ['an hour later', {}, { startsAt: at('2026-11-27T09:00') }, ['2026-12-04T08:00'], ['2026-12-04T09:00'], []],
  [
    'an hour later, on both sides of a clock change',
    {},
    { startsAt: at('2026-11-27T09:00') },
    ['2027-03-26T08:00', '2027-04-02T07:00'],
    ['2027-03-26T09:00', '2027-04-02T08:00'],
    [],
  ],
  [
    'into the skipped hour of a clock change',
    { rule: on(0) },
    { rule: on(0), startsAt: at('2026-11-29T01:30') },
    ['2027-03-28T07:00'],
    ['2027-03-28T01:30'],
    [],
  ],
  [
    'out of the skipped hour of a clock change',
    { rule: on(0), startsAt: at('2026-11-29T01:30') },
    { rule: on(0) },
    ['2027-03-28T01:30'],
    ['2027-03-28T07:00'],
    [],
  ],
  [
    'from late at night to early in the morning of the same date',
    { startsAt: at('2026-11-27T22:30') },
    { startsAt: at('2026-11-26T23:15') },
    ['2026-12-04T22:30'],
    ['2026-12-03T23:15'],
    [],
  ],
  ['to another weekday', {}, { rule: thursdays }, ['2026-12-04T08:00'], [], ['2026-12-04']],
  ['to two weekdays', {}, { rule: on(4, 5) }, ['2026-12-04T08:00'], ['2026-12-04T08:00'], []],
  [
    'to every day at another time',
    {},
    { startsAt: at('2026-11-27T13:00'), rule: { repeat: 'daily', interval: 1 } as const },
    ['2026-12-04T08:00'],
    ['2026-12-04T13:00'],
    [],
  ],
  [
    'to every second week, with one cancelled date left and one not',
    {},
    { rule: { ...fridays, interval: 2 } },
    ['2026-12-04T08:00', '2026-12-11T08:00'],
    ['2026-12-11T08:00'],
    ['2026-12-04'],
  ],
  ['an end on the day itself', {}, { endsBy: at('2026-12-04T08:00') }, ['2026-12-04T08:00'], ['2026-12-04T08:00'], []],
  [
    'an end a second before its day',
    {},
    { endsBy: at('2026-12-04T07:59:59') },
    ['2026-12-04T08:00'],
    [],
    ['2026-12-04'],
  ],
  [
    'a later start, on the day itself',
    {},
    { startsAt: at('2026-12-04T08:00') },
    ['2026-12-04T08:00'],
    ['2026-12-04T08:00'],
    [],
  ],
  ['a later start, after the day', {}, { startsAt: at('2026-12-11T08:00') }, ['2026-12-04T08:00'], [], ['2026-12-04']],
  [
    'to a single meeting on that date',
    {},
    { rule: once, startsAt: at('2026-12-04T08:00') },
    ['2026-12-04T08:00'],
    [],
    ['2026-12-04'],
  ],
  [
    'the same time of day in another zone: the same date there',
    {},
    { timeZone: 'America/New_York', startsAt: at('2026-11-27T14:00') },
    ['2026-12-04T08:00'],
    ['2026-12-04T14:00'],
    [],
  ],
  [
    'the same instants in another zone, where it is another date',
    { timeZone: 'America/New_York', startsAt: at('2026-11-28T04:00'), rule: { repeat: 'daily', interval: 1 } },
    { timeZone: 'UTC', startsAt: at('2026-11-28T04:00'), rule: { repeat: 'daily', interval: 1 } },
    ['2026-12-05T04:00'],
    ['2026-12-05T04:00'],
    [],
  ],
  [
    'a date that the series did not have before',
    {},
    { startsAt: at('2026-11-27T09:00') },
    ['2026-12-04T09:00'],
    [],
    ['2026-12-04'],
  ],
]

for (const [what, before, after, cancelled, kept, dropped] of rows) {
  test(`cancelled dates when the series changes: ${what}`, () => {
    const was = series({ ...before, cancelled: cancelled.map(at) })
    const carried = carryCancellations(was, series(after))
    assert.deepEqual(texts(carried.kept.map(({ to }) => to)), kept)
    assert.deepEqual(
      carried.dropped.map(({ localDate }) => localDate),
      dropped,
    )
    assert.equal(carried.kept.length + carried.dropped.length, cancelled.length)
  })
}

test('a change of the time of day keeps the days that take place', () => {
  const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 })
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC')
  const chosen = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 10 })
  fc.assert(
    fc.property(minutes, minutes, zones, chosen, (from, to, timeZone, cancelled) => {
      const startOf = (minute: number) =>
        new Date(
          Temporal.PlainDateTime.from('2027-02-26T00:00').add({ minutes: minute }).toZonedDateTime(timeZone)
            .epochMilliseconds,
        )
      const rule = { repeat: 'daily', interval: 1 } as const
      const whole = series({ timeZone, rule, startsAt: startOf(from) })
      const dates = [...occurrences(whole).take(40)].map(({ startsAt }) => startsAt)
      const before = { ...whole, cancelled: dates.filter((_, place) => cancelled.includes(place)) }
      const after = series({ timeZone, rule, startsAt: startOf(to) })
      const { kept } = carryCancellations(before, after)
      const placesOf = (one: Series) =>
        [...occurrences(one).take(40)].flatMap(({ cancelled }, place) => (cancelled ? [place] : []))
      assert.deepEqual(
        placesOf({ ...after, cancelled: kept.map(({ to: start }) => start) }),
        cancelled.toSorted((one, other) => one - other),
      )
    }),
  )
})

type Comparison = readonly [
  what: string,
  before: Partial<Series>,
  after: Partial<Series>,
  droppedDates: string[],
  restored: string[],
  removed: string[],
  isMoved: boolean,
]
const now = at('2026-11-22T12:00')
const until = { endsBy: at('2026-12-18T08:00') } // 27 November, 4, 11, 18 December
const cancelled = { ...until, cancelled: [at('2026-12-04T08:00')] }
const all = ['2026-11-27T08:00', '2026-12-04T08:00', '2026-12-11T08:00', '2026-12-18T08:00']

const comparisons: readonly Comparison[] = [
  ['nothing changed', cancelled, cancelled, [], [], [], false],
  [
    'an hour later, the cancellation kept',
    cancelled,
    { ...until, startsAt: at('2026-11-27T09:00'), cancelled: [at('2026-12-04T09:00')], endsBy: at('2026-12-18T09:00') },
    [],
    [],
    [],
    false,
  ],
  [
    'an hour later, the cancellation lost',
    cancelled,
    { startsAt: at('2026-11-27T09:00'), endsBy: at('2026-12-18T09:00') },
    [],
    ['2026-12-04T09:00'],
    [],
    false,
  ],
  [
    'to a single meeting on a cancelled date',
    cancelled,
    { rule: once, startsAt: at('2026-12-04T08:00') },
    [],
    ['2026-12-04T08:00'],
    ['2026-11-27T08:00', '2026-12-11T08:00', '2026-12-18T08:00'],
    true,
  ],
  [
    'every second week',
    until,
    { ...until, rule: { ...fridays, interval: 2 } },
    [],
    [],
    ['2026-12-04T08:00', '2026-12-18T08:00'],
    false,
  ],
  [
    'back to every week, after a cancellation was dropped',
    { ...until, rule: { ...fridays, interval: 2 } },
    until,
    ['2026-12-04'],
    ['2026-12-04T08:00'],
    [],
    false,
  ],
  [
    'a dropped date that has taken place again since',
    until,
    { ...until, durationMs: 60_000 },
    ['2026-12-04'],
    [],
    [],
    false,
  ],
  [
    'a dropped date that the series does not have',
    until,
    { ...until, durationMs: 60_000 },
    ['2026-12-03'],
    [],
    [],
    false,
  ],
  ['to other days', until, { startsAt: at('2026-11-30T08:00'), rule: mondays }, [], [], all, true],
  ['an earlier end', until, { endsBy: at('2026-12-11T08:00') }, [], [], ['2026-12-18T08:00'], false],
  [
    'an end that lies in the past',
    { ...until, startsAt: at('2026-11-06T08:00') },
    { startsAt: at('2026-11-06T08:00'), endsBy: at('2026-11-20T08:00') },
    [],
    [],
    all,
    false,
  ],
  [
    'a single meeting to another day',
    { rule: once },
    { rule: once, startsAt: at('2026-11-30T08:00') },
    [],
    [],
    [],
    true,
  ],
  [
    'a single meeting to a series without that date',
    { rule: once },
    { rule: mondays, startsAt: at('2026-11-30T08:00') },
    [],
    [],
    ['2026-11-27T08:00'],
    true,
  ],
  ['the same instants in another zone', until, { ...until, timeZone: 'UTC' }, [], [], [], false],
]

for (const [what, before, after, droppedDates, restored, removed, isMoved] of comparisons) {
  test(`dates that a change restores or removes: ${what}`, () => {
    const changed = compareDates(series(before), series(after), droppedDates, now)
    assert.deepEqual(texts(changed.restored.map(({ startsAt }) => startsAt)), restored)
    assert.deepEqual(texts(changed.removed.map(({ startsAt }) => startsAt)), removed)
    assert.equal(changed.isMoved, isMoved)
  })
}

test('drops only cancellations of future dates that the former series had and the changed one lacks', () => {
  const droppedBy = (after: Partial<Series>, cancelled: string[], moment = now) =>
    texts(compareDates(series({ cancelled: cancelled.map(at) }), series(after), [], moment).dropped)
  const biweekly = { rule: { ...fridays, interval: 2 } }
  const cancelled = ['2026-12-04T08:00', '2026-12-11T08:00', '2026-12-11T09:30']
  assert.deepEqual(droppedBy(biweekly, cancelled), ['2026-12-04T08:00'])
  assert.deepEqual(droppedBy(biweekly, cancelled, at('2026-12-04T08:00')), [])
  assert.deepEqual(droppedBy({ startsAt: at('2026-11-27T09:00') }, cancelled), [])
})

test('a date that has begun is neither removed nor restored', () => {
  const ended = series({ endsBy: at('2026-11-26T08:00') })
  const removedAt = (moment: string) => compareDates(series(until), ended, [], at(moment)).removed.length
  assert.equal(removedAt('2026-11-27T07:59:59'), 4)
  assert.equal(removedAt('2026-11-27T08:00'), 3)
  const restoredAt = (moment: string) => compareDates(series(cancelled), series(until), [], at(moment)).restored.length
  assert.equal(restoredAt('2026-12-04T07:59:59'), 1)
  assert.equal(restoredAt('2026-12-04T08:00'), 0)
})

test('lists at most a hundred dates, and compares a thousand of a series without an end', () => {
  const daily = series({ rule: { repeat: 'daily', interval: 1 } })
  const { removed } = compareDates(daily, series({ rule: { repeat: 'daily', interval: 2 } }), [], now)
  assert.equal(removed.length, maxChangedDates)
  const endsAfter = (days: number) =>
    series({ ...daily, endsBy: new Date(daily.startsAt.getTime() + days * 86_400_000) })
  assert.equal(compareDates(daily, endsAfter(998), [], now).removed.length, 1)
  assert.equal(compareDates(daily, endsAfter(1000), [], now).removed.length, 0)
})

test('carries the maximum of cancelled dates within a second', () => {
  const daily = series({ rule: { repeat: 'daily', interval: 1 } })
  const cancelled = [...occurrences(daily).take(3660)].map(({ startsAt }) => startsAt)
  const after = { ...daily, startsAt: new Date(daily.startsAt.getTime() + 60_000) }
  assert.equal(carryCancellations({ ...daily, cancelled }, after).kept.length, 3660)
})

test('keeps a dropped date until the series has it again, and at most maxDroppedDates of them', () => {
  assert.deepEqual(stillDropped(['2026-12-10', '2026-12-04', '2026-12-03'], series()), ['2026-12-03', '2026-12-10'])
  const saturdays = Array.from({ length: maxDroppedDates + 1 }, (_, week) =>
    new Date(Date.parse('2026-11-28') + week * 7 * 86_400_000).toISOString().slice(0, 10),
  )
  assert.deepEqual(stillDropped(saturdays, series()), saturdays.slice(1))
})
