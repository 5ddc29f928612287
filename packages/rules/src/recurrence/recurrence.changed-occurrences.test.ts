import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { carryChanges } from './carried-dates.ts'
import {
  firstOccurrence,
  lastEnd,
  lastOriginalStart,
  nextOccurrence,
  type OccurrenceChange,
  occurrenceAt,
  occurrenceStartingAt,
  occurrences,
  type Series,
} from './recurrence.ts'

const hourMs = 3_600_000
/** Mondays of January 2030 are the 7th, 14th, 21st and 28th. */
const at = (text: string) => new Date(`2030-01-${text}:00Z`)

/** Mondays at 09:00 in UTC, for an hour. */
const mondays = (changes: Partial<Series> = {}): Series => ({
  startsAt: at('07T09:00'),
  durationMs: hourMs,
  timeZone: 'UTC',
  rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  endsBy: at('28T09:00'),
  cancelled: [],
  changed: [],
  ...changes,
})

const moved = (day: string, startsAt: string, endsAt: string, topic: string | null = null): OccurrenceChange => ({
  originalStart: at(`${day}T09:00`),
  times: { startsAt: at(startsAt), endsAt: at(endsAt) },
  topic,
  description: null,
  location: null,
})
const renamed = (day: string, topic: string): OccurrenceChange => ({
  originalStart: at(`${day}T09:00`),
  times: null,
  topic,
  description: null,
  location: null,
})

/** `07>09T12:00 Topic`: the original day, the start where it differs, the own topic; `x` where it is cancelled. */
const written = (all: Iterable<ReturnType<typeof regular>>) =>
  [...all]
    .map(({ originalStart, startsAt, cancelled, change }) => {
      const day = originalStart.toISOString().slice(8, 10)
      const start = startsAt.getTime() === originalStart.getTime() ? '' : `>${startsAt.toISOString().slice(8, 16)}`
      return `${day}${start}${change?.topic ? ` ${change.topic}` : ''}${cancelled ? ' x' : ''}`
    })
    .join(', ')
const regular = (series: Series) => {
  const found = firstOccurrence(series)
  assert.ok(found)
  return found
}

const expansions: [string, Partial<Series>, string][] = [
  ['nothing changed', {}, '07, 14, 21, 28'],
  ['one moved by hours', { changed: [moved('14', '14T12:00', '14T13:00')] }, '07, 14>14T12:00, 21, 28'],
  ['one renamed', { changed: [renamed('14', 'Review')] }, '07, 14 Review, 21, 28'],
  [
    'two that pass one another',
    { changed: [moved('14', '20T09:00', '20T10:00'), moved('21', '15T09:00', '15T10:00')] },
    '07, 21>15T09:00, 14>20T09:00, 28',
  ],
  [
    'two at once, in the order of their originals',
    { changed: [moved('21', '16T09:00', '16T10:00'), moved('14', '16T09:00', '16T10:00')] },
    '07, 14>16T09:00, 21>16T09:00, 28',
  ],
  ['the last one, moved past the end', { changed: [moved('28', '31T09:00', '31T10:00')] }, '07, 14, 21, 28>31T09:00'],
  [
    'the first one, moved before the start',
    { changed: [moved('07', '05T09:00', '05T10:00')] },
    '07>05T09:00, 14, 21, 28',
  ],
  [
    'a cancelled one keeps its change',
    { changed: [moved('14', '14T12:00', '14T13:00')], cancelled: [at('14T09:00')] },
    '07, 14>14T12:00 x, 21, 28',
  ],
  ['a start that the rule does not give', { changed: [moved('15', '16T12:00', '16T13:00')] }, '07, 14, 21, 28'],
  [
    'a start after the end of the series',
    { changed: [moved('28', '28T12:00', '28T13:00')], endsBy: at('21T09:00') },
    '07, 14, 21',
  ],
]
for (const [name, changes, expected] of expansions) {
  test(`occurrences in the order of their starts: ${name}`, () =>
    assert.equal(written(occurrences(mondays(changes))), expected))
}

test('only what ends later is generated, wherever a change has moved it', () => {
  const series = mondays({ changed: [moved('07', '10T09:00', '10T10:00'), moved('14', '08T09:00', '08T10:00')] })
  assert.equal(written(occurrences(series, at('08T09:59'))), '14>08T09:00, 07>10T09:00, 21, 28')
  assert.equal(written(occurrences(series, at('08T10:00'))), '07>10T09:00, 21, 28')
  assert.equal(written(occurrences(series, at('10T10:00'))), '21, 28')
  const next = nextOccurrence(series, at('07T00:00'))
  assert.deepEqual(next?.originalStart, at('14T09:00'))
})

test('a longer occurrence runs to its own end', () => {
  const series = mondays({ changed: [moved('14', '14T09:00', '14T15:00')] })
  assert.equal(written(occurrences(series, at('14T14:59')).take(1)), '14')
  assert.equal(written(occurrences(series, at('14T15:00')).take(1)), '21')
})

test('an occurrence is found by its original start, and by the start that it has', () => {
  const series = mondays({ changed: [moved('14', '15T12:00', '15T13:00', 'Review')], cancelled: [at('21T09:00')] })
  assert.equal(
    written([occurrenceAt(series, at('14T09:00'))].filter((found) => found !== undefined)),
    '14>15T12:00 Review',
  )
  assert.equal(occurrenceAt(series, at('15T12:00')), undefined)
  assert.deepEqual(occurrenceStartingAt(series, at('15T12:00'))?.originalStart, at('14T09:00'))
  assert.equal(occurrenceStartingAt(series, at('14T09:00')), undefined, 'it has moved')
  assert.equal(occurrenceStartingAt(series, at('21T09:00')), undefined, 'it is cancelled')
  assert.deepEqual(occurrenceStartingAt(series, at('28T09:00'))?.originalStart, at('28T09:00'))
})

const ends: [string, Partial<Series>, Date | 'never' | undefined, Date | 'never' | undefined][] = [
  ['unchanged', {}, at('28T10:00'), at('28T09:00')],
  ['the last one moved', { changed: [moved('28', '30T12:00', '30T13:00')] }, at('30T13:00'), at('28T09:00')],
  ['the last one moved forward', { changed: [moved('28', '22T12:00', '22T13:00')] }, at('22T13:00'), at('28T09:00')],
  ['the last but one ends last', { changed: [moved('21', '28T08:00', '28T12:00')] }, at('28T12:00'), at('28T09:00')],
  [
    'the moved one is cancelled',
    { changed: [moved('28', '30T12:00', '30T13:00')], cancelled: [at('28T09:00')] },
    at('21T10:00'),
    at('21T09:00'),
  ],
  ['without an end', { endsBy: null, changed: [moved('28', '30T12:00', '30T13:00')] }, 'never', 'never'],
  [
    'the only one moved',
    { endsBy: at('07T09:00'), changed: [moved('07', '09T12:00', '09T13:00')] },
    at('09T13:00'),
    at('07T09:00'),
  ],
]
for (const [name, changes, end, start] of ends) {
  test(`the end of a series: ${name}`, () => {
    assert.deepEqual(lastEnd(mondays(changes)), end)
    assert.deepEqual(lastOriginalStart(mondays(changes)), start)
  })
}

test('a moved occurrence keeps its instant across a change of the clock, the others their time of day', () => {
  // Berlin changes from UTC+1 to UTC+2 on 31 March 2030.
  const series = mondays({
    startsAt: new Date('2030-03-25T08:00:00Z'),
    timeZone: 'Europe/Berlin',
    endsBy: new Date('2030-04-08T07:00:00Z'),
    changed: [
      {
        originalStart: new Date('2030-04-01T07:00:00Z'),
        times: { startsAt: new Date('2030-03-31T08:00:00Z'), endsAt: new Date('2030-03-31T09:00:00Z') },
        topic: null,
        description: null,
        location: null,
      },
    ],
  })
  assert.deepEqual(
    [...occurrences(series)].map(({ startsAt }) => startsAt.toISOString().slice(5, 16)),
    ['03-25T08:00', '03-31T08:00', '04-08T07:00'],
  )
})

type Carried = readonly [string, Partial<Series>, changed: OccurrenceChange[], kept: string, dropped: string]
const carried: Carried[] = [
  ['nothing', {}, [moved('14', '14T12:00', '14T13:00')], '14>14T12:00', ''],
  ['the topic', {}, [renamed('14', 'Review')], '14 Review', ''],
  ['the time of day', { startsAt: at('07T15:00') }, [moved('14', '14T12:00', '14T13:00')], '14>14T12:00', ''],
  [
    'the time of day, and it had a topic only',
    { startsAt: at('07T15:00') },
    [renamed('14', 'Review')],
    '14 Review',
    '',
  ],
  [
    'the weekday',
    { startsAt: at('08T09:00'), rule: { repeat: 'daily', interval: 7 } },
    [renamed('14', 'Review')],
    '',
    '14',
  ],
  ['an earlier end', { endsBy: at('14T09:00') }, [renamed('14', 'One'), renamed('21', 'Two')], '14 One', '21'],
  ['to a single meeting', { rule: { repeat: 'none' } }, [renamed('07', 'Review')], '', '07'],
  [
    'to every day',
    { rule: { repeat: 'daily', interval: 1 } },
    [moved('14', '16T12:00', '16T13:00')],
    '14>16T12:00',
    '',
  ],
]
for (const [name, after, changed, kept, dropped] of carried) {
  test(`changed occurrences stay where the changed series has their original: ${name}`, () => {
    const result = carryChanges(mondays({ changed }), mondays({ endsBy: at('28T15:00'), ...after }))
    const series = mondays({ endsBy: at('28T15:00'), ...after, changed: result.kept.map(({ change }) => change) })
    assert.equal(written([...occurrences(series)].filter(({ change }) => change !== null)), kept)
    assert.equal(result.dropped.map((date) => date.toISOString().slice(8, 10)).join(', '), dropped)
  })
}

test('any series with any changes: every original once, in order, and the latest end is lastEnd', () => {
  const anyChange = fc.record({
    day: fc.nat(20),
    byHours: fc.integer({ min: -60, max: 60 }),
    hours: fc.integer({ min: 1, max: 24 }),
  })
  const property = fc.property(
    fc.uniqueArray(anyChange, { selector: ({ day }) => day, maxLength: 12 }),
    fc.array(fc.nat(20), { maxLength: 5 }),
    (changes, cancelled) => {
      const start = (day: number) => new Date(at('01T09:00').getTime() + day * 24 * hourMs)
      const series = mondays({
        startsAt: start(0),
        rule: { repeat: 'daily', interval: 1 },
        endsBy: start(20),
        cancelled: cancelled.map(start),
        changed: changes.map(({ day, byHours, hours }) => {
          const startsAt = new Date(start(day).getTime() + byHours * hourMs)
          const times = { startsAt, endsAt: new Date(startsAt.getTime() + hours * hourMs) }
          return { originalStart: start(day), times, topic: null, description: null, location: null }
        }),
      })
      const all = [...occurrences(series)]
      assert.deepEqual(new Set(all.map(({ originalStart }) => originalStart.getTime())).size, 21)
      assert.equal(all.length, 21)
      const starts = all.map(({ startsAt }) => startsAt.getTime())
      assert.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      )
      for (const from of [start(3), start(10)]) {
        assert.deepEqual(
          [...occurrences(series, from)],
          all.filter(({ endsAt }) => endsAt > from),
        )
      }
      const taking = all.filter(({ cancelled }) => !cancelled).map(({ endsAt }) => endsAt.getTime())
      assert.deepEqual(lastEnd(series), new Date(Math.max(...taking)))
    },
  )
  fc.assert(property, { numRuns: 200 })
})
