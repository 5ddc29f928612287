import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noExceptions, type Series } from '../recurrence/recurrence.ts'
import { findStartingDates, isCallOfDate } from './starting.ts'

const at = (text: string) => new Date(`2030-01-${text}Z`)

const single: Series = {
  startsAt: at('07T10:00:00'),
  durationMs: 3_600_000,
  timeZone: 'UTC',
  rule: { repeat: 'none' },
  endsBy: null,
  ...noExceptions,
}
const daily: Series = { ...single, rule: { repeat: 'daily', interval: 1 } }
const unchanged = { topic: null, description: null, location: null }
const moved = (originalStart: Date, startsAt: Date) => ({
  originalStart,
  times: { startsAt, endsAt: new Date(startsAt.getTime() + single.durationMs) },
  ...unchanged,
})

const cases: readonly [string, Series, Date, readonly Date[], Date | null][] = [
  ['long before', single, at('01T00:00:00'), [], at('07T09:54:30')],
  ['a moment too early', single, at('07T09:54:29'), [], at('07T09:54:30')],
  ['the first moment', single, at('07T09:54:30'), [at('07T10:00:00')], null],
  ['five minutes before', single, at('07T09:55:00'), [at('07T10:00:00')], null],
  ['a second before', single, at('07T09:59:59'), [at('07T10:00:00')], null],
  ['the start itself', single, at('07T10:00:00'), [], null],
  ['after the end', single, at('08T00:00:00'), [], null],
  ['a date of a series', daily, at('08T09:55:00'), [at('08T10:00:00')], at('09T09:54:30')],
  ['a date that runs', daily, at('08T10:30:00'), [], at('09T09:54:30')],
  ['a cancelled date', { ...daily, cancelled: [at('08T10:00:00')] }, at('08T09:55:00'), [], at('09T09:54:30')],
  [
    'the original time of a moved date',
    { ...daily, changed: [moved(at('08T10:00:00'), at('08T15:00:00'))] },
    at('08T09:55:00'),
    [],
    at('08T14:54:30'),
  ],
  [
    'the time to which a date was moved',
    { ...daily, changed: [moved(at('20T10:00:00'), at('08T15:00:00'))] },
    at('08T14:55:00'),
    [at('08T15:00:00')],
    at('09T09:54:30'),
  ],
  [
    'two dates at once',
    { ...daily, changed: [moved(at('09T10:00:00'), at('08T10:00:00'))] },
    at('08T09:55:00'),
    [at('08T10:00:00'), at('08T10:00:00')],
    at('10T09:54:30'),
  ],
  ['the last date', { ...daily, endsBy: at('08T10:00:00') }, at('08T09:55:00'), [at('08T10:00:00')], null],
]

for (const [name, series, now, starts, checkAt] of cases) {
  test(`dates that start soon: ${name}`, () => {
    const found = findStartingDates(series, now)
    assert.deepEqual(
      found.starting.map(({ startsAt }) => startsAt),
      starts,
    )
    assert.deepEqual(found.checkAt, checkAt)
  })
}

test('a call is that of a date from a quarter of an hour before its start, until its end', () => {
  const date = { startsAt: at('07T10:00:00'), endsAt: at('07T11:00:00') }
  const moments = ['06T10:00:00', '07T09:44:59', '07T09:45:00', '07T10:00:00', '07T10:59:59', '07T11:00:00']
  assert.deepEqual(
    moments.filter((moment) => isCallOfDate(date, at(moment))),
    ['07T09:45:00', '07T10:00:00', '07T10:59:59'],
  )
})
