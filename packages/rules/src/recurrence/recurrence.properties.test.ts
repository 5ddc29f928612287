import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { randomRuns } from '../../../../test/helpers/random-runs.ts'
import {
  firstOccurrence,
  lastEnd,
  type MonthlyDay,
  nextOccurrence,
  type Occurrence,
  occurrenceAt,
  occurrences,
  type RecurrenceRule,
  type Series,
} from './recurrence.ts'

// The oracle is deliberately naive: it tests each calendar day against the rule, and calls Temporal for each instant.

function matches(rule: RecurrenceRule, anchor: Temporal.PlainDate, date: Temporal.PlainDate): boolean {
  switch (rule.repeat) {
    case 'none':
      return date.equals(anchor)
    case 'daily':
      return anchor.until(date, { largestUnit: 'days' }).days % rule.interval === 0
    case 'weekly': {
      const sunday = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek % 7 })
      const weeks = sunday(anchor).until(sunday(date), { largestUnit: 'days' }).days / 7
      return weeks % rule.interval === 0 && rule.daysOfWeek[date.dayOfWeek % 7] === 1
    }
    case 'monthly': {
      const months = anchor.with({ day: 1 }).until(date.with({ day: 1 }), { largestUnit: 'months' }).months
      return months % rule.interval === 0 && matchesInMonth(rule.on, date)
    }
  }
}

function matchesInMonth(on: MonthlyDay, date: Temporal.PlainDate): boolean {
  switch (on.kind) {
    case 'date':
      return date.day === on.dateInMonth
    case 'last-day':
      return date.add({ days: 1 }).day === 1
    case 'weeks': {
      const isNth = on.weeksInMonth.slice(0, 4).some((chosen, n) => chosen === 1 && Math.ceil(date.day / 7) === n + 1)
      const isLast = on.weeksInMonth[4] === 1 && date.add({ weeks: 1 }).month !== date.month
      return on.daysOfWeek[date.dayOfWeek % 7] === 1 && (isNth || isLast)
    }
  }
}

function everyOccurrence(series: Series, endsBy: Date): Occurrence[] {
  const start = Temporal.Instant.fromEpochMilliseconds(series.startsAt.getTime()).toZonedDateTimeISO(series.timeZone)
  const end = Temporal.Instant.fromEpochMilliseconds(endsBy.getTime()).toZonedDateTimeISO(series.timeZone)
  const anchor = start.toPlainDate()
  const last = end.toPlainDate().add({ days: 2 })
  const starts = new Set<number>()
  for (let date = anchor; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 })) {
    if (!matches(series.rule, anchor, date)) continue
    const moment = date.toZonedDateTime({ timeZone: series.timeZone, plainTime: start.toPlainTime() })
    starts.add(date.equals(anchor) ? series.startsAt.getTime() : moment.epochMilliseconds)
  }
  return [...starts]
    .filter((ms) => ms <= endsBy.getTime())
    .sort((one, other) => one - other)
    .map((ms) => ({
      originalStart: new Date(ms),
      startsAt: new Date(ms),
      endsAt: new Date(ms + series.durationMs),
      cancelled: series.cancelled.some((skipped) => skipped.getTime() === ms),
      change: null,
    }))
}

// Zones with unusual transitions are drawn as often as all others together.
const unusual = [
  'Pacific/Apia',
  'Pacific/Kwajalein',
  'Pacific/Kiritimati',
  'America/Anchorage',
  'Asia/Manila',
  'Africa/Monrovia',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Europe/Dublin',
  'Asia/Kolkata',
  'America/New_York',
  'Antarctica/Troll',
  'Africa/Cairo',
  'Asia/Gaza',
  '+05:30',
  'Etc/GMT+12',
  'Etc/UTC',
]
const timeZones = fc.oneof(fc.constantFrom(...unusual), fc.constantFrom(...Intl.supportedValuesOf('timeZone')))

const yearS = 31_556_952
const hourMs = 3_600_000
const dayMs = 86_400_000

/** Whole seconds from the year 1830 to 2130, half of them within days, and often within an hour, of a transition. */
const startIn = (timeZone: string) =>
  fc
    .oneof(fc.integer({ min: -140 * yearS, max: 160 * yearS }).map((seconds) => new Date(seconds * 1000)))
    .chain((date) => {
      const moment = Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(timeZone)
      const transition = moment.getTimeZoneTransition('next') ?? moment
      const near = fc
        .tuple(fc.integer({ min: -40, max: 2 }), fc.integer({ min: -7200, max: 7200 }))
        .map(([days, seconds]) => new Date(transition.epochMilliseconds + days * dayMs + seconds * 1000))
      return fc.oneof(fc.constant(date), near)
    })

const interval = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 99 }))
const bits = (length: number) => fc.array(fc.constantFrom(0, 1), { minLength: length, maxLength: length })
const monthlyDay: fc.Arbitrary<MonthlyDay> = fc.oneof(
  fc.record({ kind: fc.constant('date' as const), dateInMonth: fc.integer({ min: 1, max: 31 }) }),
  fc.record({ kind: fc.constant('last-day' as const) }),
  fc.record({ kind: fc.constant('weeks' as const), weeksInMonth: bits(5), daysOfWeek: bits(7) }),
)
const rules: fc.Arbitrary<RecurrenceRule> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ repeat: fc.constant('none' as const) }) },
  { weight: 5, arbitrary: fc.record({ repeat: fc.constant('daily' as const), interval }) },
  { weight: 5, arbitrary: fc.record({ repeat: fc.constant('weekly' as const), interval, daysOfWeek: bits(7) }) },
  { weight: 5, arbitrary: fc.record({ repeat: fc.constant('monthly' as const), interval, on: monthlyDay }) },
)

/** A bounded series with cancellations, the oracle's result, and an instant in or around it. */
const cases = fc
  .record({ timeZone: timeZones, rule: rules, hours: fc.integer({ min: 1, max: 24 }) })
  .chain(({ timeZone, rule, hours }) => {
    const days = rule.repeat === 'daily' ? 90 * Math.min(rule.interval, 4) : rule.repeat === 'weekly' ? 300 : 800
    return fc.record({
      timeZone: fc.constant(timeZone),
      rule: fc.constant(rule),
      durationMs: fc.constant(hours * hourMs),
      startsAt: startIn(timeZone),
      lengthDays: fc.integer({ min: -1, max: days }),
      // Often exactly an occurrence's start, or a second before or after one.
      endOn: fc.option(fc.record({ place: fc.nat(), beside: fc.constantFrom(-1000, 0, 1000) })),
      exclude: fc.array(fc.nat(), { maxLength: 12 }),
      excludeWrongly: fc.boolean(),
      ask: fc.record({
        place: fc.double({ min: -0.1, max: 1.1, noNaN: true }),
        shift: fc.constantFrom(-1000, 0, 1000),
      }),
    })
  })
  .map(({ lengthDays, endOn, exclude, excludeWrongly, ask, ...generated }) => {
    const bare: Series = { ...generated, cancelled: [], changed: [], endsBy: null }
    const roughEnd = new Date(generated.startsAt.getTime() + lengthDays * dayMs)
    const rough = everyOccurrence(bare, generated.rule.repeat === 'none' ? generated.startsAt : roughEnd)
    const startNo = (place: number) => rough[place % rough.length]?.startsAt.getTime()
    const lastStart = endOn === null ? undefined : startNo(endOn.place)
    const endsBy = lastStart === undefined || endOn === null ? roughEnd : new Date(lastStart + endOn.beside)
    const cancelled = exclude.flatMap((place) => startNo(place) ?? []).map((ms) => new Date(ms))
    const strayMs = generated.startsAt.getTime() + 1000
    const series: Series = {
      ...bare,
      endsBy,
      cancelled: excludeWrongly ? [...cancelled, new Date(strayMs)] : cancelled,
    }
    const expected = everyOccurrence(series, generated.rule.repeat === 'none' ? generated.startsAt : endsBy)
    const spanMs = Math.max(endsBy.getTime() - generated.startsAt.getTime(), dayMs)
    const places = [generated.startsAt.getTime() + Math.floor((ask.place * spanMs) / 1000) * 1000]
    const borders = expected.flatMap(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()])
    const border = borders[Math.floor(Math.abs(ask.place) * borders.length)]
    if (border !== undefined) places.push(border + ask.shift)
    return { series, expected, instants: places.map((ms) => new Date(ms)) }
  })

const holds = (check: (generated: { series: Series; expected: Occurrence[]; instants: Date[] }) => void) =>
  fc.assert(fc.property(cases, check), randomRuns(100))

test('the occurrences are those of the oracle', () => {
  holds(({ series, expected }) => assert.deepEqual([...occurrences(series)], expected))
})

test('from an instant on, the occurrences are those of the oracle, including the running one', () => {
  holds(({ series, expected, instants }) => {
    for (const from of instants) {
      assert.deepEqual(
        [...occurrences(series, from)],
        expected.filter((occurrence) => occurrence.endsAt > from),
      )
    }
  })
})

test('an occurrence starts at an instant if and only if the oracle has it', () => {
  holds(({ series, expected, instants }) => {
    for (const occurrence of expected) assert.deepEqual(occurrenceAt(series, occurrence.startsAt), occurrence)
    for (const instant of instants) {
      const found = expected.find((occurrence) => occurrence.startsAt.getTime() === instant.getTime())
      assert.deepEqual(occurrenceAt(series, instant), found)
    }
  })
})

test('the first, next and last are the first, next and last ones of the oracle that are not cancelled', () => {
  holds(({ series, expected, instants }) => {
    const kept = expected.filter((occurrence) => !occurrence.cancelled)
    assert.deepEqual(firstOccurrence(series), kept[0])
    assert.deepEqual(lastEnd(series), kept.at(-1)?.endsAt)
    for (const now of instants) {
      assert.deepEqual(
        nextOccurrence(series, now),
        kept.find((occurrence) => occurrence.endsAt > now),
      )
    }
  })
})

test('a series without an end begins like the same series with an end', () => {
  holds(({ series, expected }) => {
    const open = { ...series, endsBy: null }
    if (series.rule.repeat !== 'none') assert.deepEqual([...occurrences(open).take(expected.length)], expected)
  })
})

test('starts ascend strictly, even across clock changes', () => {
  holds(({ series }) => {
    const starts = [...occurrences(series)].map((occurrence) => occurrence.startsAt.getTime())
    for (const [index, start] of starts.slice(1).entries()) assert.ok(start > (starts[index] ?? start))
  })
})
