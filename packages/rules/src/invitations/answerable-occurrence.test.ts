import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { findAnswerable, findNamedStart } from './answerable-occurrence.ts'

const at = (text: string) => new Date(text)
const wallMs = (text: string) => Date.parse(`${text}Z`)

/** Mondays at 09:00 in Berlin; the 14th is cancelled, the 21st an hour later. */
const mondays: Series = {
  startsAt: at('2030-01-07T08:00:00Z'),
  durationMs: 30 * 60_000,
  timeZone: 'Europe/Berlin',
  rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  endsBy: null,
  cancelled: [at('2030-01-14T08:00:00Z')],
  changed: [
    {
      originalStart: at('2030-01-21T08:00:00Z'),
      times: { startsAt: at('2030-01-21T09:00:00Z'), endsAt: at('2030-01-21T09:30:00Z') },
      topic: null,
      description: null,
      location: null,
    },
  ],
}

test('an occurrence can be answered until it ends, by its original start, unless it is cancelled', () => {
  const cases: [string, string, string][] = [
    ['2030-01-07T08:00:00Z', '2030-01-07T08:29:59Z', 'answerable'],
    ['2030-01-07T08:00:00Z', '2030-01-07T08:30:00Z', 'occurrence-over'],
    ['2030-01-07T08:00:01Z', '2030-01-01T00:00:00Z', 'no-such-occurrence'],
    ['2030-01-08T08:00:00Z', '2030-01-01T00:00:00Z', 'no-such-occurrence'],
    ['2030-01-14T08:00:00Z', '2030-01-01T00:00:00Z', 'occurrence-cancelled'],
    ['2030-01-21T08:00:00Z', '2030-01-21T09:29:59Z', 'answerable'],
    ['2030-01-21T08:00:00Z', '2030-01-21T09:30:00Z', 'occurrence-over'],
    ['2030-01-21T09:00:00Z', '2030-01-01T00:00:00Z', 'no-such-occurrence'],
    ['9999-12-31T23:59:59Z', '2030-01-01T00:00:00Z', 'no-such-occurrence'],
  ]
  for (const [start, now, kind] of cases) {
    assert.equal(findAnswerable(mondays, at(start), at(now)).kind, kind, `${start} at ${now}`)
  }
  const single: Series = { ...mondays, rule: { repeat: 'none' }, cancelled: [], changed: [] }
  assert.equal(findAnswerable(single, single.startsAt, at('2030-01-01T00:00:00Z')).kind, 'no-such-occurrence')
})

test('finds the original start that a RECURRENCE-ID names in any zone', () => {
  const cases: [string, string | null, string | undefined][] = [
    ['2030-01-21T08:00:00', 'UTC', '2030-01-21T08:00:00.000Z'],
    ['2030-01-21T09:00:00', 'Europe/Berlin', '2030-01-21T08:00:00.000Z'],
    ['2030-01-21T13:30:00', 'Asia/Kolkata', '2030-01-21T08:00:00.000Z'],
    ['2030-01-21T09:00:00', null, '2030-01-21T08:00:00.000Z'],
    ['2030-01-21T09:00:00', 'W. Europe Standard Time', '2030-01-21T08:00:00.000Z'],
    ['2030-01-21T09:00:00', '', '2030-01-21T08:00:00.000Z'],
    // After the clock change.
    ['2030-04-01T07:00:00', 'UTC', '2030-04-01T07:00:00.000Z'],
    ['2030-04-01T09:00:00', 'Europe/Berlin', '2030-04-01T07:00:00.000Z'],
    // The start that it was moved to names nothing.
    ['2030-01-21T10:00:00', 'Europe/Berlin', undefined],
    ['2030-01-21T09:00:00', 'America/New_York', undefined],
    ['2030-01-22T09:00:00', 'Europe/Berlin', undefined],
    ['2030-01-21T00:00:00', null, undefined],
    ['0001-01-01T00:00:00', null, undefined],
    ['9999-12-31T23:59:59', 'UTC', undefined],
  ]
  for (const [time, timeZone, start] of cases) {
    const found = findNamedStart(mondays, { wallMs: wallMs(time), timeZone })
    assert.equal(found?.toISOString(), start, `${time} ${timeZone}`)
  }
})

test('a skipped time names the occurrence that is moved out of it, and a repeated time the one that takes place', () => {
  const nights: Series = {
    ...mondays,
    startsAt: at('2030-03-24T01:30:00Z'),
    rule: { repeat: 'daily', interval: 1 },
    cancelled: [],
    changed: [],
  }
  const found = (time: string) => findNamedStart(nights, { wallMs: wallMs(time), timeZone: 'Europe/Berlin' })
  assert.equal(found('2030-03-31T02:30:00')?.toISOString(), '2030-03-31T01:30:00.000Z')
  assert.equal(found('2030-10-27T02:30:00')?.toISOString(), '2030-10-27T00:30:00.000Z')
})

test('ten thousand RECURRENCE-IDs name an occurrence of the series or nothing', () => {
  // A linear congruential generator, so that each run has the same ones.
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const zones = [
    'UTC',
    null,
    '',
    'Europe/Berlin',
    'america/new_york',
    '+05:30',
    'IST',
    '../etc',
    'x'.repeat(5_000),
    '\u0000',
  ]
  const [first, day] = [Date.parse('2030-01-01T00:00:00Z'), 86_400_000]
  let found = 0
  for (let count = 0; count < 10_000; count++) {
    const near = first + random(60) * day + random(24) * 3_600_000
    const far = Date.parse('0001-01-01T00:00:00Z') + random(3_652_000) * day + random(86_400) * 1_000
    const timeZone = zones[random(zones.length)] ?? null
    const start = findNamedStart(mondays, { wallMs: random(2) === 0 ? near : far, timeZone })
    if (start === undefined) continue
    found++
    assert.notEqual(findAnswerable(mondays, start, at('2030-01-01T00:00:00Z')).kind, 'no-such-occurrence')
  }
  assert.ok(found > 0)
})
