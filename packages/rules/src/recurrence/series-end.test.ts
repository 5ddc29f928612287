import assert from 'node:assert/strict'
import { test } from 'node:test'
import { occurrences, type RecurrenceRule } from './recurrence.ts'
import { endAfterOccurrences, withEnd } from './series-end.ts'

const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const series = (startsAt: string, rule: RecurrenceRule, timeZone = 'Europe/Berlin') => ({
  startsAt: new Date(startsAt),
  durationMs: 1_800_000,
  timeZone,
  rule,
  cancelled: [],
  changed: [],
})
const late = new Date('2040-01-01T00:00:00Z')
const endOf = (...[from, count, latest = late]: [ReturnType<typeof series>, number, Date?]) =>
  endAfterOccurrences(from, count, latest)?.toISOString()

test('the end is the last second of the last occurrence’s day in the series’ zone', () => {
  const weekly = series('2030-03-18T08:00:00Z', mondays)
  assert.equal(endOf(weekly, 1), '2030-03-18T22:59:59.000Z')
  // Summer time has begun on 31 March.
  assert.equal(endOf(weekly, 3), '2030-04-01T21:59:59.000Z')
  const auckland = series('2030-01-06T20:00:00Z', mondays, 'Pacific/Auckland')
  assert.equal(endOf(auckland, 1), '2030-01-07T10:59:59.000Z')
})

test('with that end the series has exactly the count of occurrences, even at another time of day', () => {
  const rules: RecurrenceRule[] = [
    mondays,
    { repeat: 'daily', interval: 99 },
    { repeat: 'weekly', interval: 2, daysOfWeek: [1, 1, 0, 0, 0, 0, 1] },
    { repeat: 'monthly', interval: 1, on: { kind: 'date', dateInMonth: 31 } },
    { repeat: 'monthly', interval: 1, on: { kind: 'last-day' } },
  ]
  for (const rule of rules) {
    for (const startsAt of ['2030-01-07T00:00:00Z', '2030-01-08T22:59:59Z', '2030-01-08T23:00:00Z']) {
      const from = series(startsAt, rule)
      for (const count of [1, 2, 7, 30]) {
        const endsBy = endAfterOccurrences(from, count, late)
        assert.ok(endsBy)
        assert.equal([...occurrences({ ...from, endsBy })].length, count, `${rule.repeat} ${startsAt} ${count}`)
      }
    }
  }
  const early = { ...series('2030-01-07T05:00:00Z', mondays), endsBy: null }
  const endsBy = endAfterOccurrences(early, 4, late) ?? null
  const evening = { ...early, startsAt: new Date('2030-01-07T20:00:00Z'), endsBy }
  assert.equal([...occurrences(evening)].length, 4)
})

test('a start in a repeated last hour of a day is kept', () => {
  // The clock goes back at midnight, from 00:00 to 23:00.
  const from = series('2030-04-07T02:30:00Z', { repeat: 'daily', interval: 1 }, 'America/Santiago')
  const endsBy = endAfterOccurrences(from, 1, late)
  assert.ok(endsBy && endsBy >= from.startsAt)
  assert.equal([...occurrences({ ...from, endsBy })].length, 1)
})

test('there is no end when fewer occurrences, or none, fit before the latest end', () => {
  const weekly = series('2030-03-18T08:00:00Z', mondays)
  assert.equal(endOf(weekly, 2, new Date('2030-03-25T08:00:00Z')), '2030-03-25T22:59:59.000Z')
  assert.equal(endOf(weekly, 2, new Date('2030-03-25T07:59:59Z')), undefined)
  const never: RecurrenceRule = { repeat: 'monthly', interval: 12, on: { kind: 'date', dateInMonth: 31 } }
  assert.equal(endOf(series('2030-02-01T08:00:00Z', never), 1), undefined)
})

test('setting another end removes the count', () => {
  const counted = {
    ...series('2030-03-18T08:00:00Z', { ...mondays, count: 2 }),
    endsBy: new Date('2030-03-25T23:00:00Z'),
  }
  const { rule, endsBy } = withEnd(counted, late)
  assert.deepEqual([rule.repeat, rule.count, endsBy], ['weekly', undefined, late])
})
