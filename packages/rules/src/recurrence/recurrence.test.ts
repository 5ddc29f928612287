import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  firstOccurrence,
  lastEnd,
  type MonthlyDay,
  nextOccurrence,
  type Occurrence,
  occurrenceAt,
  occurrenceStarts,
  occurrences,
  type RecurrenceRule,
  type Series,
} from './recurrence.ts'

const hourMs = 3_600_000

const daily = (interval = 1): RecurrenceRule => ({ repeat: 'daily', interval })
const weekly = (daysOfWeek: readonly number[], interval = 1): RecurrenceRule => ({
  repeat: 'weekly',
  interval,
  daysOfWeek,
})
const monthly = (on: MonthlyDay, interval = 1): RecurrenceRule => ({ repeat: 'monthly', interval, on })
const date = (dateInMonth: number): MonthlyDay => ({ kind: 'date', dateInMonth })
const lastDay: MonthlyDay = { kind: 'last-day' }
const weeks = (weeksInMonth: readonly number[], daysOfWeek: readonly number[]): MonthlyDay => ({
  kind: 'weeks',
  weeksInMonth,
  daysOfWeek,
})

const sunday = [1, 0, 0, 0, 0, 0, 0]
const mondayWednesdayFriday = [0, 1, 0, 1, 0, 1, 0]
const friday = [0, 0, 0, 0, 0, 1, 0]
const saturday = [0, 0, 0, 0, 0, 0, 1]

const rules = [
  ['every day', '2026-01-30', daily(), '2026-01-30 2026-01-31 2026-02-01'],
  ['every third day, across a leap day', '2028-02-26', daily(3), '2028-02-26 2028-02-29 2028-03-03'],
  ['every 99th day, across the new year', '2026-12-01', daily(99), '2026-12-01 2027-03-10 2027-06-17'],
  ['every second day, across the start of 1970', '1969-12-28', daily(2), '1969-12-28 1969-12-30 1970-01-01 1970-01-03'],
  [
    'Monday, Wednesday, Friday',
    '2026-01-05',
    weekly(mondayWednesdayFriday),
    '2026-01-05 2026-01-07 2026-01-09 2026-01-12',
  ],
  [
    'weekly, started on another day: begins on the next matching day',
    '2026-01-06',
    weekly(friday),
    '2026-01-09 2026-01-16',
  ],
  ['weekly, started after the last chosen day of the week', '2026-01-10', weekly(friday), '2026-01-16 2026-01-23'],
  [
    'every other week, counted from the week of the start, which includes its Friday',
    '2026-01-04',
    weekly(friday, 2),
    '2026-01-09 2026-01-23',
  ],
  [
    'every other week, started on Saturday: the next week is left out',
    '2026-01-10',
    weekly(friday, 2),
    '2026-01-23 2026-02-06',
  ],
  [
    'every other week, with weeks that begin on Sunday',
    '2026-01-10',
    weekly([1, 0, 0, 0, 0, 0, 1], 2),
    '2026-01-10 2026-01-18 2026-01-24 2026-02-01',
  ],
  ['weekly before 1970', '1969-12-27', weekly(saturday, 1), '1969-12-27 1970-01-03'],
  [
    'the 31st: months without it are skipped',
    '2026-01-31',
    monthly(date(31)),
    '2026-01-31 2026-03-31 2026-05-31 2026-07-31',
  ],
  ['the 30th: February is skipped', '2026-01-30', monthly(date(30)), '2026-01-30 2026-03-30'],
  [
    'the 29th: February counts in a leap year',
    '2027-12-29',
    monthly(date(29)),
    '2027-12-29 2028-01-29 2028-02-29 2028-03-29',
  ],
  [
    'the 29th of February, every 12 months: 2100 has none',
    '2092-02-29',
    monthly(date(29), 12),
    '2092-02-29 2096-02-29 2104-02-29',
  ],
  [
    'a date before that of the start: begins in the next month',
    '2026-01-15',
    monthly(date(10)),
    '2026-02-10 2026-03-10',
  ],
  [
    'every other month, started after the date in January: begins in March',
    '2026-01-15',
    monthly(date(10), 2),
    '2026-03-10 2026-05-10',
  ],
  ['every fifth month, across the new year', '2026-09-30', monthly(date(30), 5), '2026-09-30 2027-07-30 2027-12-30'],
  ['the last day', '2028-01-31', monthly(lastDay), '2028-01-31 2028-02-29 2028-03-31 2028-04-30'],
  ['the last day of every other month', '2026-12-01', monthly(lastDay, 2), '2026-12-31 2027-02-28 2027-04-30'],
  ['the last day before 1970', '1968-02-10', monthly(lastDay), '1968-02-29 1968-03-31'],
  ['the first Friday', '2026-01-01', monthly(weeks([1, 0, 0, 0, 0], friday)), '2026-01-02 2026-02-06 2026-03-06'],
  [
    'the first Friday, from the 1st to the 7th',
    '2026-05-01',
    monthly(weeks([1, 0, 0, 0, 0], friday)),
    '2026-05-01 2026-06-05 2026-07-03 2026-08-07',
  ],
  [
    'the last Friday, in months of four and of five',
    '2026-01-01',
    monthly(weeks([0, 0, 0, 0, 1], friday)),
    '2026-01-30 2026-02-27 2026-03-27 2026-04-24 2026-05-29',
  ],
  [
    'the fourth and the last Friday, once where they are the same',
    '2026-01-01',
    monthly(weeks([0, 0, 0, 1, 1], friday)),
    '2026-01-23 2026-01-30 2026-02-27 2026-03-27',
  ],
  [
    'the second Monday, Wednesday and Friday',
    '2026-01-01',
    monthly(weeks([0, 1, 0, 0, 0], mondayWednesdayFriday)),
    '2026-01-09 2026-01-12 2026-01-14 2026-02-09',
  ],
  [
    'every Sunday of every third month',
    '2026-02-01',
    monthly(weeks([1, 1, 1, 1, 1], sunday), 3),
    '2026-02-01 2026-02-08 2026-02-15 2026-02-22 2026-05-03',
  ],
] as const

const at9 = (day: string) => new Date(`${day}T09:00:00Z`)

/** At 9:00 for an hour, in UTC, without an end. */
const series = (startsOn: string, rule: RecurrenceRule): Series => ({
  startsAt: at9(startsOn),
  durationMs: hourMs,
  timeZone: 'UTC',
  rule,
  endsBy: null,
  cancelled: [],
  changed: [],
})

/** The occurrence of a day as the rule gives it. */
const regular = (day: string): Occurrence => ({
  originalStart: at9(day),
  startsAt: at9(day),
  endsAt: new Date(`${day}T10:00:00Z`),
  cancelled: false,
  change: null,
})
const daysOf = (found: Iterable<{ startsAt: Date }>) =>
  [...found].map((occurrence) => occurrence.startsAt.toISOString().replace('T09:00:00.000Z', '')).join(' ')

for (const [name, startsOn, rule, expected] of rules) {
  test(`lists ${name}`, () => {
    const howMany = expected.split(' ').length
    assert.equal(daysOf(occurrences(series(startsOn, rule)).take(howMany)), expected)
  })
}

const standup = series('2026-01-05', daily())
const second = at9('2026-01-06').getTime()
const oneDay = regular('2026-01-06')

const ends = [
  ['a second before an occurrence', -1000, '2026-01-05'],
  ['with an occurrence', 0, '2026-01-05 2026-01-06'],
  ['a second after an occurrence', 1000, '2026-01-05 2026-01-06'],
] as const

for (const [name, besideMs, expected] of ends) {
  test(`a series that ends ${name}`, () => {
    const bounded = { ...standup, endsBy: new Date(second + besideMs) }
    assert.equal(daysOf(occurrences(bounded)), expected)
    assert.deepEqual(lastEnd(bounded), new Date(`${expected.slice(-10)}T10:00:00Z`))
  })
}

test('a series that ends before it starts has no occurrence', () => {
  const bounded = { ...standup, endsBy: new Date(standup.startsAt.getTime() - 1000) }
  assert.equal(daysOf(occurrences(bounded)), '')
  assert.equal(firstOccurrence(bounded), undefined)
  assert.equal(lastEnd(bounded), undefined)
})

const moments = [
  ['at a second before an occurrence', '2026-01-06T08:59:59Z', '2026-01-06'],
  ['at the start of an occurrence', '2026-01-06T09:00:00Z', '2026-01-06'],
  ['at the last second of an occurrence', '2026-01-06T09:59:59Z', '2026-01-06'],
  ['at the end of an occurrence', '2026-01-06T10:00:00Z', '2026-01-07'],
  ['at a time before the series', '2020-01-01T00:00:00Z', '2026-01-05'],
  ['at a time a thousand years later', '3026-01-06T10:00:00Z', '3026-01-07'],
] as const

for (const [name, now, next] of moments) {
  test(`the next occurrence ${name}`, () => {
    assert.equal(nextOccurrence(standup, new Date(now))?.startsAt.toISOString(), at9(next).toISOString())
    assert.equal(daysOf(occurrences(standup, new Date(now)).take(1)), next)
  })
}

test('an cancelled occurrence is listed and marked, and is never the next one', () => {
  const skipping = { ...standup, cancelled: [at9('2026-01-06')] }
  const [, marked] = occurrences(skipping)
  assert.deepEqual(marked, { ...oneDay, cancelled: true })
  assert.equal(nextOccurrence(skipping, at9('2026-01-06'))?.startsAt.toISOString(), at9('2026-01-07').toISOString())
})

test('an exclusion that names no occurrence has no effect', () => {
  const skipping = { ...standup, cancelled: [new Date(second + 1000), at9('2026-01-04')] }
  assert.deepEqual([...occurrences(skipping).take(5)], [...occurrences(standup).take(5)])
})

test('a series with all occurrences cancelled has no first, next or last one', () => {
  const skipping = { ...standup, endsBy: at9('2026-01-06'), cancelled: [at9('2026-01-05'), at9('2026-01-06')] }
  assert.equal(firstOccurrence(skipping), undefined)
  assert.equal(nextOccurrence(skipping, standup.startsAt), undefined)
  assert.equal(lastEnd(skipping), undefined)
})

test('the last end ignores cancelled occurrences, even years of them', () => {
  const yearly = series('2020-02-29', monthly(date(29), 12))
  assert.deepEqual(lastEnd({ ...yearly, endsBy: at9('2029-12-31') }), new Date('2028-02-29T10:00:00Z'))
  const cancelled = [at9('2028-02-29'), at9('2024-02-29')]
  assert.deepEqual(lastEnd({ ...yearly, endsBy: at9('2029-12-31'), cancelled }), new Date('2020-02-29T10:00:00Z'))
})

test('a series without an end has the last end `never`', () => assert.equal(lastEnd(standup), 'never'))

const instants = [
  ['the start of an occurrence', '2026-01-06T09:00:00Z', oneDay],
  ['a second after that', '2026-01-06T09:00:01Z', undefined],
  ['a second before that', '2026-01-06T08:59:59Z', undefined],
  ['a time before the series', '2026-01-04T09:00:00Z', undefined],
] as const

for (const [name, instant, expected] of instants) {
  test(`the occurrence that starts at ${name}`, () =>
    assert.deepEqual(occurrenceAt(standup, new Date(instant)), expected))
}

test('no occurrence starts after the end of the series', () => {
  assert.equal(occurrenceAt({ ...standup, endsBy: new Date(second - 1000) }, at9('2026-01-06')), undefined)
})

test('occurrences of 24 hours do not overlap: at the start of one, the one before has ended', () => {
  const whole = { ...standup, durationMs: 24 * hourMs }
  assert.equal(daysOf(occurrences(whole, new Date(second - 1)).take(2)), '2026-01-05 2026-01-06')
  assert.equal(daysOf(occurrences(whole, new Date(second)).take(2)), '2026-01-06 2026-01-07')
})

test('a meeting of 24 hours still runs when the next one begins on a day of 23 hours', () => {
  const whole = { ...standup, durationMs: 24 * hourMs, timeZone: 'Europe/London', startsAt: at9('2026-03-27') }
  const now = new Date('2026-03-29T08:30:00Z') // 9:30 of the 29th; that of the 28th ends at 10:00
  const running = [...occurrences(whole, now).take(2)].map((occurrence) => occurrence.startsAt.toISOString())
  assert.deepEqual(running, ['2026-03-28T09:00:00.000Z', '2026-03-29T08:00:00.000Z'])
})

test('a meeting that does not repeat has one occurrence, and its end date and zone are ignored', () => {
  const once: Series = { ...standup, rule: { repeat: 'none' }, endsBy: at9('2020-01-01') }
  const only = regular('2026-01-05')
  assert.deepEqual([...occurrences(once)], [only])
  assert.deepEqual(nextOccurrence(once, new Date('2026-01-05T09:59:59Z')), only)
  assert.equal(nextOccurrence(once, new Date('2026-01-05T10:00:00Z')), undefined)
  assert.deepEqual(occurrenceAt(once, only.startsAt), only)
  assert.deepEqual(lastEnd(once), only.endsAt)
  assert.equal(lastEnd({ ...once, cancelled: [only.startsAt] }), undefined)
})

test('a series without an end stops in the year 9999, so that every end has a four-digit year', () => {
  const long = { ...standup, durationMs: 24 * hourMs }
  assert.equal(daysOf(occurrences(long, new Date('9999-12-29T09:00:00Z'))), '9999-12-29 9999-12-30')
})

const impossible = [
  ['a date that no month of the rule has', monthly(date(31), 12)],
  ['no day of the week', weekly([0, 0, 0, 0, 0, 0, 0])],
  ['no week of the month', monthly(weeks([0, 0, 0, 0, 0], friday))],
] as const

for (const [name, rule] of impossible) {
  test(`a rule with ${name} has no occurrence, and the search ends`, () => {
    const never = series('2026-02-15', rule)
    assert.equal(firstOccurrence(never), undefined)
    assert.equal(nextOccurrence(never, at9('2026-03-01')), undefined)
    assert.equal(occurrenceAt(never, at9('2026-02-15')), undefined)
    assert.equal(lastEnd(never), undefined)
    assert.equal(lastEnd({ ...never, endsBy: at9('2036-01-01') }), undefined)
  })
}

for (const interval of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
  test(`an interval of ${interval} throws a RangeError`, () => {
    assert.throws(() => firstOccurrence(series('2026-01-01', daily(interval))), RangeError)
  })
}

test('for an invalid date, no occurrence is found at it or after it', () => {
  const invalid = new Date(Number.NaN)
  const lastDays = series('2026-01-31', monthly(date(31)))
  assert.equal(nextOccurrence(lastDays, invalid), undefined)
  assert.equal(occurrenceAt(lastDays, invalid), undefined)
  assert.equal(firstOccurrence({ ...lastDays, endsBy: invalid }), undefined)
  assert.equal(lastEnd({ ...lastDays, endsBy: invalid }), undefined)
  assert.equal(firstOccurrence({ ...lastDays, startsAt: invalid }), undefined)
})

test('the starts are those of the occurrences, including cancelled ones', () => {
  const skipping = { ...standup, cancelled: [at9('2026-01-06')] }
  const now = new Date('2026-01-05T09:30:00Z')
  assert.deepEqual(
    [...occurrenceStarts(skipping, now).take(3)],
    ['2026-01-05', '2026-01-06', '2026-01-07'].map((day) => at9(day).getTime()),
  )
})
