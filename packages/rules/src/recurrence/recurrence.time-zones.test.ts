import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lastEnd, nextOccurrence, occurrenceAt, occurrences, type Series } from './recurrence.ts'

const hourMs = 3_600_000

/** Daily, an hour long, without an end. */
const daily = (timeZone: string, startsAt: string): Series => ({
  startsAt: new Date(startsAt),
  durationMs: hourMs,
  timeZone,
  rule: { repeat: 'daily', interval: 1 },
  endsBy: null,
  cancelled: [],
  changed: [],
})

const starts = (series: Series, howMany: number) =>
  [...occurrences(series).take(howMany)].map((occurrence) => occurrence.startsAt.toISOString().replace(':00.000Z', 'Z'))

// The comments give the wall clock time where it is unusual.
const clocks = [
  {
    name: 'New York keeps 9:00 when summer time begins',
    series: daily('America/New_York', '2026-03-07T14:00Z'),
    starts: ['2026-03-07T14:00Z', '2026-03-08T13:00Z', '2026-03-09T13:00Z'],
  },
  {
    name: 'New York keeps 9:00 when summer time ends',
    series: daily('America/New_York', '2026-10-31T13:00Z'),
    starts: ['2026-10-31T13:00Z', '2026-11-01T14:00Z', '2026-11-02T14:00Z'],
  },
  {
    name: 'New York: a skipped 2:30 becomes 3:30 once',
    series: daily('America/New_York', '2026-03-07T07:30Z'),
    starts: ['2026-03-07T07:30Z', '2026-03-08T07:30Z', '2026-03-09T06:30Z'],
  },
  {
    name: 'New York: a repeated 1:30 means its first instant',
    series: daily('America/New_York', '2026-10-31T05:30Z'),
    starts: ['2026-10-31T05:30Z', '2026-11-01T05:30Z', '2026-11-02T06:30Z'],
  },
  {
    name: 'New York: a series that starts at the second 1:30 keeps it, and continues by the wall clock',
    series: daily('America/New_York', '2026-11-01T06:30Z'),
    starts: ['2026-11-01T06:30Z', '2026-11-02T06:30Z', '2026-11-03T06:30Z'],
  },
  {
    name: 'London: 1:00, the start of the gap',
    series: daily('Europe/London', '2026-03-28T01:00Z'),
    starts: ['2026-03-28T01:00Z', '2026-03-29T01:00Z', '2026-03-30T00:00Z'],
  },
  {
    name: 'London: 0:59, just before the gap',
    series: daily('Europe/London', '2026-03-28T00:59Z'),
    starts: ['2026-03-28T00:59Z', '2026-03-29T00:59Z', '2026-03-29T23:59Z'],
  },
  {
    name: 'London: 2:00, just after the gap',
    series: daily('Europe/London', '2026-03-28T02:00Z'),
    starts: ['2026-03-28T02:00Z', '2026-03-29T01:00Z', '2026-03-30T01:00Z'],
  },
  {
    name: 'Lord Howe: 2:15, in a skipped half hour, becomes 2:45',
    series: daily('Australia/Lord_Howe', '2025-10-03T15:45Z'),
    starts: ['2025-10-03T15:45Z', '2025-10-04T15:45Z', '2025-10-05T15:15Z'],
  },
  {
    name: 'Lord Howe: 1:45, in a repeated half hour, means its first instant',
    series: daily('Australia/Lord_Howe', '2026-04-03T14:45Z'),
    starts: ['2026-04-03T14:45Z', '2026-04-04T14:45Z', '2026-04-05T15:15Z'],
  },
  {
    name: 'Lord Howe: a series that starts at the second 1:45',
    series: daily('Australia/Lord_Howe', '2026-04-04T15:15Z'),
    starts: ['2026-04-04T15:15Z', '2026-04-05T15:15Z', '2026-04-06T15:15Z'],
  },
  {
    name: 'Kolkata: no clock changes',
    series: daily('Asia/Kolkata', '2026-03-28T03:30Z'),
    starts: ['2026-03-28T03:30Z', '2026-03-29T03:30Z', '2026-03-30T03:30Z'],
  },
  {
    name: 'São Paulo: the skipped midnight of 2018-11-04 becomes 1:00 of the same day',
    series: daily('America/Sao_Paulo', '2018-11-03T03:00Z'),
    starts: ['2018-11-03T03:00Z', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
  },
  {
    name: 'Beirut: the skipped midnight of 2006-03-26',
    series: daily('Asia/Beirut', '2006-03-24T22:00Z'),
    starts: ['2006-03-24T22:00Z', '2006-03-25T22:00Z', '2006-03-26T21:00Z'],
  },
  {
    name: 'Beirut: the repeated hour before midnight of 2006-10-28',
    series: daily('Asia/Beirut', '2006-10-27T20:30Z'),
    starts: ['2006-10-27T20:30Z', '2006-10-28T20:30Z', '2006-10-29T21:30Z'],
  },
  {
    name: 'Casablanca: the clock goes back for Ramadan of 2021',
    series: daily('Africa/Casablanca', '2021-04-10T08:00Z'),
    starts: ['2021-04-10T08:00Z', '2021-04-11T09:00Z', '2021-04-12T09:00Z'],
  },
  {
    name: 'Casablanca: the clock goes forward after Ramadan, and 2:30 becomes 3:30',
    series: daily('Africa/Casablanca', '2021-05-15T02:30Z'),
    starts: ['2021-05-15T02:30Z', '2021-05-16T02:30Z', '2021-05-17T01:30Z'],
  },
  {
    name: 'Samoa: the skipped 2011-12-30 coincides with the 31st',
    series: daily('Pacific/Apia', '2011-12-28T19:00Z'),
    starts: ['2011-12-28T19:00Z', '2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-31T19:00Z'],
  },
  {
    name: 'Samoa: every Friday, the skipped one is on Saturday',
    series: {
      ...daily('Pacific/Apia', '2011-12-23T19:00Z'),
      rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 0, 0, 0, 0, 1, 0] },
    },
    starts: ['2011-12-23T19:00Z', '2011-12-30T19:00Z', '2012-01-05T19:00Z'],
  },
  {
    name: 'Kwajalein: the skipped 1993-08-21',
    series: daily('Pacific/Kwajalein', '1993-08-20T21:00Z'),
    starts: ['1993-08-20T21:00Z', '1993-08-21T21:00Z', '1993-08-22T21:00Z'],
  },
  {
    name: 'Alaska: a repeated day in 1867 means its first instant, with an offset of whole seconds',
    series: daily('America/Juneau', '1867-10-17T04:57:41Z'),
    starts: ['1867-10-17T04:57:41.000Z', '1867-10-18T04:57:41.000Z', '1867-10-20T04:57:41.000Z'],
  },
  {
    name: 'Monrovia: an offset of 44 minutes and 30 seconds until 1972',
    series: daily('Africa/Monrovia', '1972-01-05T09:44:30Z'),
    starts: ['1972-01-05T09:44:30.000Z', '1972-01-06T09:44:30.000Z', '1972-01-07T09:00Z'],
  },
  {
    name: 'a fixed offset: the date is the local one, although it differs in UTC',
    series: {
      ...daily('+05:30', '2026-01-31T19:00Z'),
      rule: { repeat: 'monthly', interval: 1, on: { kind: 'date', dateInMonth: 1 } },
    },
    starts: ['2026-01-31T19:00Z', '2026-02-28T19:00Z', '2026-03-31T19:00Z'],
  },
] as const

for (const clock of clocks) {
  test(clock.name, () => assert.deepEqual(starts(clock.series, clock.starts.length), clock.starts))
}

test('a meeting of an hour lasts an hour even if the clock goes back during it', () => {
  const [first] = occurrences(daily('Europe/London', '2026-10-25T00:30Z'))
  assert.deepEqual(first?.endsAt, new Date('2026-10-25T01:30Z'))
})

test('the day that Samoa skipped has one occurrence, which is found by its start', () => {
  const series = { ...daily('Pacific/Apia', '2011-12-28T19:00Z'), cancelled: [new Date('2011-12-30T19:00Z')] }
  assert.equal(occurrenceAt(series, new Date('2011-12-30T19:00Z'))?.cancelled, true)
  assert.equal(
    nextOccurrence(series, new Date('2011-12-30T12:00Z'))?.startsAt.toISOString(),
    '2011-12-31T19:00:00.000Z',
  )
  assert.deepEqual(lastEnd({ ...series, endsBy: new Date('2011-12-30T19:00Z') }), new Date('2011-12-29T20:00Z'))
})

test('a repeated time is an occurrence once', () => {
  const series = daily('America/New_York', '2026-10-01T05:30Z')
  assert.notEqual(occurrenceAt(series, new Date('2026-11-01T05:30Z')), undefined)
  assert.equal(occurrenceAt(series, new Date('2026-11-01T06:30Z')), undefined)
})

test('a series that starts at the second instant of a repeated time lacks the first', () => {
  const series = daily('America/New_York', '2026-11-01T06:30Z')
  assert.notEqual(occurrenceAt(series, new Date('2026-11-01T06:30Z')), undefined)
  assert.equal(occurrenceAt(series, new Date('2026-11-01T05:30Z')), undefined)
})
