import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomRuns } from '../../../../test/helpers/random-runs.ts'
import { dayMs, dayOf, dayOfWeek } from './calendar-day.ts'
import { type Observance, observancesOf, type YearlyDay } from './vtimezone.ts'
import { offsetAt, transitionsBetween } from './vtimezone-transitions.ts'

type Change = { atMs: number; offsetMs: number }

/** Evaluate observances as RFC 5545, 3.6.5 defines them, day by day and without shortcuts. */
function changesOf(observances: readonly Observance[], untilMs: number): Change[] {
  const onsets = observances.flatMap(({ firstOnsetWallMs, offsetFromMs, offsetToMs, recurs }) => {
    const walls = recurs.kind === 'at' ? recurs.onsetsWallMs : onsetsBy(recurs.on, firstOnsetWallMs, untilMs)
    if (firstOnsetWallMs < untilMs) assert.equal(walls[0], firstOnsetWallMs, 'The first onset is one of the rule')
    return walls.map((wallMs) => ({ atMs: wallMs - offsetFromMs, offsetMs: offsetToMs }))
  })
  return onsets.filter(({ atMs }) => atMs < untilMs).sort((one, other) => one.atMs - other.atMs)
}

function onsetsBy({ month, weekday, on }: YearlyDay, firstWallMs: number, untilMs: number): number[] {
  const timeOfDayMs = firstWallMs - dayOf(firstWallMs) * dayMs
  const onsets: number[] = []
  for (let day = dayOf(firstWallMs); day * dayMs < untilMs + dayMs; day++) {
    const date = new Date(day * dayMs)
    if (date.getUTCMonth() + 1 !== month || dayOfWeek(day) !== weekday) continue
    const dayOfMonth = date.getUTCDate()
    const isLast = new Date((day + 7) * dayMs).getUTCMonth() + 1 !== month
    const nth = Math.ceil(dayOfMonth / 7)
    if ('nth' in on ? nth === on.nth || (on.nth === -1 && isLast) : on.daysOfMonth.includes(dayOfMonth)) {
      onsets.push(day * dayMs + timeOfDayMs)
    }
  }
  return onsets
}

const starts = ['1951-06-01', '1988-01-15', '2026-11-21'] as const
for (const start of starts) {
  test(`the observances of each zone from ${start} are its transitions, for 59 years`, () => {
    const from = new Date(start)
    const untilMs = Date.UTC(from.getUTCFullYear() + 59, 0)
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      const [first, ...changes] = changesOf(observancesOf(timeZone, from, null), untilMs)
      assert.ok(first !== undefined && first.atMs < from.getTime() - dayMs, `${timeZone} is known before the start`)
      assert.equal(first.offsetMs, offsetAt(timeZone, from.getTime() - 2 * dayMs), timeZone)
      const transitions = transitionsBetween(timeZone, from.getTime() - 2 * dayMs + 1, untilMs)
      assert.deepEqual(
        changes,
        transitions.map(({ atMs, offsetToMs }) => ({ atMs, offsetMs: offsetToMs })),
        timeZone,
      )
    }
  })
}

test('a rule without an end matches the zone beyond the examined years', () => {
  const from = new Date('2026-11-21')
  const untilMs = Date.UTC(2199, 0)
  for (const timeZone of ['Europe/London', 'Africa/Cairo', 'America/Nuuk', 'Australia/Lord_Howe', 'America/Santiago']) {
    const [, ...changes] = changesOf(observancesOf(timeZone, from, null), untilMs)
    assert.equal(changes.length, transitionsBetween(timeZone, from.getTime(), untilMs).length)
    for (const { atMs, offsetMs } of changes) {
      assert.equal(offsetAt(timeZone, atMs), offsetMs)
      assert.notEqual(offsetAt(timeZone, atMs - 1), offsetMs)
    }
  }
})

test('the offset at any instant of a bounded span is that of the zone', () => {
  const instants = fc.integer({ min: Date.UTC(1930, 0) / 1000, max: Date.UTC(2090, 0) / 1000 })
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), '+05:30', '-12:00')
  const sameOffset = fc.property(zones, instants, fc.integer({ min: 0, max: 4000 }), (timeZone, startS, days) => {
    const from = new Date(startS * 1000)
    const until = new Date(from.getTime() + days * dayMs)
    const changes = changesOf(observancesOf(timeZone, from, until), until.getTime() + dayMs)
    for (let ms = from.getTime(); ms <= until.getTime(); ms += Math.ceil((days + 1) / 20) * dayMs) {
      const inEffect = changes.findLast(({ atMs }) => atMs <= ms)
      assert.equal(inEffect?.offsetMs, offsetAt(timeZone, ms))
    }
  })
  fc.assert(sameOffset, randomRuns(60))
})

const list = (timeZone: string, from = '2026-06-01', until: string | null = null) =>
  observancesOf(timeZone, new Date(from), until === null ? null : new Date(until)).map(
    ({ kind, firstOnsetWallMs, recurs }) =>
      `${kind} ${new Date(firstOnsetWallMs).toISOString().slice(0, 16)} ${
        recurs.kind === 'at' ? recurs.onsetsWallMs.length : `${JSON.stringify(recurs.on)}`
      }`,
  )

const zones = [
  [
    'two rules a year',
    'America/New_York',
    [
      'daylight 2026-03-08T02:00 {"month":3,"weekday":0,"on":{"nth":2}}',
      'standard 2026-11-01T02:00 {"month":11,"weekday":0,"on":{"nth":1}}',
    ],
  ],
  [
    'winter is standard time, although the law says otherwise',
    'Europe/Dublin',
    [
      'daylight 2026-03-29T01:00 {"month":3,"weekday":0,"on":{"nth":-1}}',
      'standard 2026-10-25T02:00 {"month":10,"weekday":0,"on":{"nth":-1}}',
    ],
  ],
  [
    'the Saturday before the last Sunday, as a range of days of the month',
    'America/Nuuk',
    [
      'daylight 2026-03-28T23:00 {"month":3,"weekday":6,"on":{"daysOfMonth":[24,25,26,27,28,29,30]}}',
      'standard 2026-10-25T00:00 {"month":10,"weekday":0,"on":{"nth":-1}}',
    ],
  ],
  [
    'the midnight after the last Thursday of October, which may fall in November',
    'Africa/Cairo',
    [
      'daylight 2026-04-24T00:00 {"month":4,"weekday":5,"on":{"nth":-1}}',
      'standard 2026-10-30T00:00 {"month":10,"weekday":5,"on":{"daysOfMonth":[26,27,28,29,30,31]}}',
      'standard 2030-11-01T00:00 {"month":11,"weekday":5,"on":{"daysOfMonth":[1]}}',
    ],
  ],
  ['a clock without changes since 1945', 'Asia/Kolkata', ['standard 1945-10-15T00:00 1']],
  ['a fixed offset', '+05:30', ['standard 1970-01-01T00:00 1']],
] as const
for (const [what, timeZone, observances] of zones) {
  test(`${timeZone}: ${what}`, () => assert.deepEqual(list(timeZone), observances))
}

test('lists summer time of half an hour on the southern hemisphere', () => {
  const [spring, autumn] = observancesOf('Australia/Lord_Howe', new Date('2026-01-01'), null)
  assert.deepEqual([spring?.kind, spring?.offsetFromMs, spring?.offsetToMs], ['daylight', 37_800_000, 39_600_000])
  assert.deepEqual([autumn?.kind, autumn?.offsetFromMs, autumn?.offsetToMs], ['standard', 39_600_000, 37_800_000])
})

test('lists a rule that has ended as dates within the span', () => {
  assert.deepEqual(list('America/New_York', '2000-01-01', '2002-01-01'), [
    'standard 1999-10-31T02:00 3',
    'daylight 2000-04-02T02:00 2',
  ])
})

test('lists dates without a rule up to the end of the span', () => {
  // Morocco stopped its summer time for each Ramadan.
  assert.deepEqual(list('Africa/Casablanca', '2020-01-01', '2021-12-31'), [
    'daylight 2019-06-09T02:00 3',
    'standard 2020-04-19T03:00 2',
  ])
})

test('marks a span of summer time alone as standard time', () => {
  assert.deepEqual(list('Africa/Casablanca', '2026-04-01', '2026-05-01'), ['standard 2026-03-22T02:00 1'])
})

test('the first observance lies before a span before 1970', () => {
  const [first] = observancesOf('+01:00', new Date('1900-03-01'), new Date('1900-04-01'))
  assert.equal(new Date(first?.firstOnsetWallMs ?? 0).toISOString(), '1899-01-01T00:00:00.000Z')
})

test('an unknown zone throws a RangeError', () => {
  assert.throws(() => observancesOf('Mars/Olympus', new Date(), null), RangeError)
})
