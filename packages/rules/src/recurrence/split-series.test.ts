import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { occurrences, type RecurrenceRule, type Series } from './recurrence.ts'
import { splitSeries } from './split-series.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const at = (text: string) => new Date(text)
const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const daily: RecurrenceRule = { repeat: 'daily', interval: 1 }

const series = (changes: Partial<Series> = {}): Series => ({
  startsAt: at('2030-01-07T09:00:00Z'),
  durationMs: hourMs,
  timeZone: 'Europe/London',
  rule: mondays,
  endsBy: null,
  cancelled: [],
  changed: [],
  ...changes,
})

const startsOf = (of: Series | undefined, count: number) =>
  of &&
  [...occurrences(of).take(count)].map(
    ({ startsAt, cancelled }) => startsAt.toISOString().slice(5, 16) + (cancelled ? ' cancelled' : ''),
  )

type Parts = { before: string[]; until: string; rest: string[]; from: string; endsBy: string | null; counts: unknown[] }
const table: [string, Series, string, Parts][] = [
  [
    'a series without an end',
    series(),
    '2030-01-21T09:00:00Z',
    {
      before: ['01-07T09:00', '01-14T09:00'],
      until: '2030-01-14T23:59:59.000Z',
      rest: ['01-21T09:00', '01-28T09:00', '02-04T09:00'],
      from: '2030-01-21T09:00:00.000Z',
      endsBy: null,
      counts: [undefined, undefined],
    },
  ],
  [
    'a series with an end, split at its last occurrence',
    series({ endsBy: at('2030-01-21T09:00:00Z') }),
    '2030-01-21T09:00:00Z',
    {
      before: ['01-07T09:00', '01-14T09:00'],
      until: '2030-01-14T23:59:59.000Z',
      rest: ['01-21T09:00'],
      from: '2030-01-21T09:00:00.000Z',
      endsBy: '2030-01-21T09:00:00.000Z',
      counts: [undefined, undefined],
    },
  ],
  [
    'a count is divided, cancelled occurrences included',
    series({
      rule: { ...mondays, count: 5 },
      endsBy: at('2030-02-04T23:59:59Z'),
      cancelled: [at('2030-01-14T09:00:00Z'), at('2030-01-28T09:00:00Z')],
    }),
    '2030-01-21T09:00:00Z',
    {
      before: ['01-07T09:00', '01-14T09:00 cancelled'],
      until: '2030-01-14T23:59:59.000Z',
      rest: ['01-21T09:00', '01-28T09:00 cancelled', '02-04T09:00'],
      from: '2030-01-21T09:00:00.000Z',
      endsBy: '2030-02-04T23:59:59.000Z',
      counts: [2, 3],
    },
  ],
  [
    'every second week keeps its weeks',
    series({ rule: { ...mondays, interval: 2, daysOfWeek: [0, 1, 0, 1, 0, 0, 0] } }),
    '2030-01-09T09:00:00Z',
    {
      before: ['01-07T09:00'],
      until: '2030-01-07T23:59:59.000Z',
      rest: ['01-09T09:00', '01-21T09:00', '01-23T09:00'],
      from: '2030-01-09T09:00:00.000Z',
      endsBy: null,
      counts: [undefined, undefined],
    },
  ],
  [
    'across a clock change, both have the time of day',
    series({ startsAt: at('2030-03-25T09:00:00Z') }),
    '2030-04-01T08:00:00Z',
    {
      before: ['03-25T09:00'],
      until: '2030-03-25T23:59:59.000Z',
      rest: ['04-01T08:00', '04-08T08:00', '04-15T08:00'],
      from: '2030-04-01T08:00:00.000Z',
      endsBy: null,
      counts: [undefined, undefined],
    },
  ],
  [
    // The clock goes from 01:00 to 02:00 on 31 March.
    'an occurrence in a skipped hour: the continuation begins a day earlier, at the time of day of the series',
    series({ startsAt: at('2030-03-29T01:30:00Z'), rule: { ...daily, count: 4 }, endsBy: at('2030-04-01T22:59:59Z') }),
    '2030-03-31T01:30:00Z',
    {
      before: ['03-29T01:30', '03-30T01:30'],
      until: '2030-03-30T23:59:59.000Z',
      rest: ['03-30T01:30 cancelled', '03-31T01:30', '04-01T00:30'],
      from: '2030-03-30T01:30:00.000Z',
      endsBy: '2030-04-01T22:59:59.000Z',
      counts: [2, 3],
    },
  ],
  [
    // The clock goes back from 02:00 to 01:00 on 27 October.
    'an occurrence in a repeated hour is the first of the two',
    series({ startsAt: at('2030-10-26T00:30:00Z'), rule: daily }),
    '2030-10-27T00:30:00Z',
    {
      before: ['10-26T00:30'],
      until: '2030-10-26T22:59:59.000Z',
      rest: ['10-27T00:30', '10-28T01:30', '10-29T01:30'],
      from: '2030-10-27T00:30:00.000Z',
      endsBy: null,
      counts: [undefined, undefined],
    },
  ],
  [
    // In Nuuk the clock goes from 23:00 to 24:00: the start shows the next day, on which the next one starts as well.
    'an occurrence that a clock change moves past midnight stays the last one before',
    series({ startsAt: at('2030-03-30T01:30:00Z'), rule: daily, timeZone: 'America/Nuuk' }),
    '2030-04-01T00:30:00Z',
    {
      before: ['03-30T01:30', '03-31T01:30'],
      until: '2030-04-01T00:29:59.000Z',
      rest: ['04-01T00:30', '04-02T00:30', '04-03T00:30'],
      from: '2030-04-01T00:30:00.000Z',
      endsBy: null,
      counts: [undefined, undefined],
    },
  ],
]
for (const [name, of, occurrence, expected] of table) {
  test(`splits ${name}`, () => {
    const { before, rest } = splitSeries(of, at(occurrence)) ?? {}
    assert.deepEqual(
      {
        before: startsOf(before, 9),
        until: before?.endsBy?.toISOString(),
        rest: startsOf(rest, 3),
        from: rest?.startsAt.toISOString(),
        endsBy: rest?.endsBy?.toISOString() ?? null,
        counts: [before?.rule.count, rest?.rule.count],
      },
      expected,
    )
  })
}

test('cancelled and changed occurrences belong to the part that has their original start, wherever they were moved', () => {
  const moved = (originalStart: string, start: string) => ({
    originalStart: at(originalStart),
    times: { startsAt: at(start), endsAt: at(start.replace(':00:', ':30:')) },
    topic: null,
    description: null,
    location: null,
  })
  const early = moved('2030-01-21T09:00:00Z', '2030-01-15T10:00:00Z')
  const late = moved('2030-01-14T09:00:00Z', '2030-01-20T10:00:00Z')
  const parts = splitSeries(series({ changed: [early, late] }), at('2030-01-21T09:00:00Z'))
  assert.deepEqual([parts?.before.changed, parts?.rest.changed], [[late], [early]])
})

const none: [string, Series, string][] = [
  ['the first occurrence', series(), '2030-01-07T09:00:00Z'],
  ['a start that the rule does not give', series(), '2030-01-14T09:30:00Z'],
  ['a start after the end', series({ endsBy: at('2030-01-20T00:00:00Z') }), '2030-01-21T09:00:00Z'],
  ['a single meeting', series({ rule: { repeat: 'none' } }), '2030-01-07T09:00:00Z'],
]
for (const [name, of, occurrence] of none) {
  test(`does not split at ${name}`, () => assert.equal(splitSeries(of, at(occurrence)), undefined))
}

/** Zones whose clocks change at unusual times, and starts within an hour of a change. */
const zones = [
  'Europe/London',
  'America/New_York',
  'America/Nuuk',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Beirut',
]
const bits = (length: number) =>
  fc.array(fc.constantFrom(0, 1), { minLength: length, maxLength: length }).filter((some) => some.includes(1))
const interval = fc.constantFrom(1, 1, 2, 3)
const rules: fc.Arbitrary<RecurrenceRule> = fc.oneof(
  fc.record({ repeat: fc.constant('daily' as const), interval }),
  fc.record({ repeat: fc.constant('weekly' as const), interval, daysOfWeek: bits(7) }),
  fc.record({
    repeat: fc.constant('monthly' as const),
    interval: fc.constantFrom(1, 2, 12),
    on: fc.oneof(
      fc.record({ kind: fc.constant('date' as const), dateInMonth: fc.integer({ min: 1, max: 31 }) }),
      fc.record({ kind: fc.constant('weeks' as const), weeksInMonth: bits(5), daysOfWeek: bits(7) }),
    ),
  }),
)
const cases = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    year: fc.integer({ min: 2009, max: 2030 }),
    rule: rules,
    daysBefore: fc.integer({ min: 0, max: 60 }),
    beside: fc.integer({ min: -90, max: 90 }),
    skipped: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
    length: fc.integer({ min: 2, max: 40 }),
    isCounted: fc.boolean(),
    place: fc.nat(),
  })
  .map(({ timeZone, year, rule, daysBefore, beside, skipped, length, isCounted, place }) => {
    const newYear = Temporal.ZonedDateTime.from({ year, month: 1, day: 1, timeZone })
    const change = (newYear.getTimeZoneTransition('next') ?? newYear).epochMilliseconds
    const startsAt = new Date(change - daysBefore * dayMs + beside * 60_000)
    const open = series({ startsAt, timeZone, rule })
    const all = [...occurrences(open).take(length)]
    const endsBy = all.at(-1)?.startsAt ?? startsAt
    const cancelled = skipped.flatMap((index) => all[index]?.startsAt ?? [])
    const counted = isCounted && rule.repeat !== 'none' ? { ...rule, count: all.length } : rule
    return { of: { ...open, rule: counted, endsBy, cancelled }, all, occurrence: all[place % all.length]?.startsAt }
  })

test('the parts together have exactly the occurrences of the series, and as many as their counts say', () => {
  const written = (some: Iterable<{ startsAt: Date; cancelled: boolean }>) =>
    [...some].map(({ startsAt, cancelled }) => `${startsAt.toISOString()} ${cancelled}`)
  fc.assert(
    fc.property(cases, ({ of, all, occurrence }) => {
      if (occurrence === undefined) return
      const parts = splitSeries(of, occurrence)
      if (parts === undefined) return assert.equal(occurrence, all[0]?.startsAt)
      const [before, rest] = [[...occurrences(parts.before)], [...occurrences(parts.rest)]]
      const continued = rest.filter(({ startsAt }) => startsAt >= occurrence)
      assert.deepEqual(written([...before, ...continued]), written(occurrences(of)))
      assert.ok(rest.filter(({ startsAt }) => startsAt < occurrence).every(({ cancelled }) => cancelled))
      if (of.rule.count === undefined) return
      assert.deepEqual([parts.before.rule.count, parts.rest.rule.count], [before.length, rest.length])
    }),
    { numRuns: 1_500 },
  )
})
