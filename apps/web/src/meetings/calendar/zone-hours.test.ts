import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../ui/date-time/days.ts'
import { hoursElsewhere, placeOfZone } from './zone-hours.ts'

const [london, newYork, kolkata] = ['Europe/London', 'America/New_York', 'Asia/Kolkata']

const weekFrom = (start: string) => Array.from({ length: 7 }, (_, place) => addDays(start, place))

/** The times of one day, hour by hour; undefined where the own clocks skip the hour. */
const timesOn = (day: string, own: string, zone: string) =>
  hoursElsewhere([day], own, zone).map(([usual]) => usual?.time)

test('an hour of one zone is written in another one, also half an hour apart', () => {
  const inLondon = timesOn('2026-01-12', london, kolkata)
  assert.equal(inLondon.length, 24)
  assert.deepEqual([inLondon[0], inLondon[9], inLondon[20]], ['05:30', '14:30', '01:30'])
  assert.equal(timesOn('2026-01-12', kolkata, london)[9], '03:30')
  assert.equal(timesOn('2026-01-12', london, 'Asia/Kathmandu')[9], '14:45')
})

test('29 March 2026: the clocks of London skip the hour from 1:00', () => {
  assert.deepEqual(timesOn('2026-03-29', london, newYork).slice(0, 4), ['20:00', undefined, '21:00', '22:00'])
  assert.deepEqual(timesOn('2026-03-29', newYork, london).slice(0, 3), ['05:00', '06:00', '07:00'])
  assert.deepEqual(timesOn('2026-03-28', newYork, london).slice(19, 23), ['23:00', '00:00', '02:00', '03:00'])
  const [usual, other] = hoursElsewhere(weekFrom('2026-03-23'), london, newYork)[9] ?? []
  assert.deepEqual([usual?.time, usual?.days.length], ['05:00', 6])
  assert.deepEqual(other, { time: '04:00', days: ['2026-03-29'] })
  // On six days of the week, the clocks have the hour.
  assert.deepEqual(hoursElsewhere(weekFrom('2026-03-23'), london, newYork)[1]?.length, 1)
})

test('8 March 2026: the clocks of New York skip the hour from 2:00', () => {
  assert.deepEqual(timesOn('2026-03-08', newYork, london).slice(0, 4), ['05:00', '06:00', undefined, '07:00'])
  assert.deepEqual(timesOn('2026-03-08', london, newYork).slice(5, 9), ['00:00', '01:00', '03:00', '04:00'])
  // In a week from Sunday, only the hours before the change differ from those of the other days.
  const hours = hoursElsewhere(weekFrom('2026-03-08'), newYork, london)
  assert.deepEqual(
    hours[1]?.map(({ time, days }) => [time, days.length]),
    [
      ['05:00', 6],
      ['06:00', 1],
    ],
  )
  assert.deepEqual(
    hours[9]?.map(({ time, days }) => [time, days.length]),
    [['13:00', 7]],
  )
})

test('an hour that comes twice is the first one', () => {
  assert.deepEqual(timesOn('2026-10-25', london, 'UTC').slice(0, 3), ['23:00', '00:00', '02:00'])
})

test('a zone is named by its place', () => {
  assert.deepEqual([newYork, london, 'UTC', 'America/Argentina/Buenos_Aires'].map(placeOfZone), [
    'New York',
    'London',
    'UTC',
    'Buenos Aires',
  ])
})
