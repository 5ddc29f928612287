import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTimeOfDayChanges } from './time-of-day-changes.ts'

/** Mondays at 09:00 in Berlin, from 1 March to 5 April 2027. */
const starts = ['03-01T08', '03-08T08', '03-15T08', '03-22T08', '03-29T07', '04-05T07'].map(
  (hour) => new Date(`2027-${hour}:00:00Z`),
)
const changesIn = (timeZone: string) =>
  findTimeOfDayChanges(starts, timeZone).map(({ startsAt, before, after }) => [
    startsAt.toISOString().slice(0, 10),
    before,
    after,
  ])

test('a zone that changes its clock two weeks earlier has the meeting an hour later for two dates', () => {
  assert.deepEqual(changesIn('America/New_York'), [
    ['2027-03-15', '03:00', '04:00'],
    ['2027-03-29', '04:00', '03:00'],
  ])
})

test('a zone without clock changes has it an hour earlier from then on', () => {
  assert.deepEqual(changesIn('Asia/Kolkata'), [['2027-03-29', '13:30', '12:30']])
})

test('the zone of the series, and one that changes with it, have it at one time', () => {
  assert.deepEqual(changesIn('Europe/Berlin'), [])
  assert.deepEqual(changesIn('Europe/London'), [])
  assert.deepEqual(findTimeOfDayChanges([], 'Asia/Kolkata'), [])
})
