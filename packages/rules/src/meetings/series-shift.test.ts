import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shiftSeries } from './series-shift.ts'

const timeZone = 'Europe/Berlin'
/** Mondays at 09:00 in Berlin, from January to the last Monday of April 2027. */
const series = { startsAt: new Date('2027-01-04T08:00:00Z'), endsBy: new Date('2027-04-26T07:00:00Z'), timeZone }
const shift = (from: string, to: string, of = series) => {
  const { startsAt, endsBy, isOtherDay } = shiftSeries(of, { from: new Date(from), to: new Date(to) })
  return [startsAt.toISOString(), endsBy?.toISOString(), isOtherDay]
}

test('a date in summer that goes an hour later takes the start in winter with it, on the wall clock', () => {
  assert.deepEqual(shift('2027-03-29T07:00:00Z', '2027-03-29T08:00:00Z'), [
    '2027-01-04T09:00:00.000Z',
    '2027-04-26T08:00:00.000Z',
    false,
  ])
})

test('the end goes with it, so that the last date stays', () => {
  assert.equal(shift('2027-03-29T07:00:00Z', '2027-03-29T05:00:00Z')[1], '2027-04-26T05:00:00.000Z')
  const endless = shiftSeries({ ...series, endsBy: null }, { from: series.startsAt, to: series.startsAt })
  assert.equal(endless.endsBy, null)
})

test('says whether the day is another one in the zone of the series', () => {
  assert.equal(shift('2027-03-29T07:00:00Z', '2027-03-29T21:59:00Z')[2], false)
  assert.equal(shift('2027-03-29T07:00:00Z', '2027-03-29T22:00:00Z')[2], true)
  assert.deepEqual(shift('2027-03-29T07:00:00Z', '2027-03-30T07:00:00Z'), [
    '2027-01-05T08:00:00.000Z',
    '2027-04-27T07:00:00.000Z',
    true,
  ])
})
