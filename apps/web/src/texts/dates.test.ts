import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageCodes } from '@parley/texts/languages'
import { chosenFirstWeekday, datesIn, replaceTimeFormat } from './dates.ts'

const at = '2030-01-07T20:00:00.000Z'
const halfAnHourLater = '2030-01-07T20:30:00.000Z'
const london = datesIn('en-GB', 'Europe/London')
const kolkata = datesIn('de', 'Asia/Kolkata')

test('writes an instant in the requested zone and language', () => {
  assert.match(london.date(at), /^Monday,? 7 January 2030$/)
  assert.equal(kolkata.date(at), 'Dienstag, 8. Januar 2030')
  assert.equal(london.time(at), '20:00')
  assert.match(kolkata.time(new Date(at)), /^0?1:30$/)
  assert.match(london.dateTime(at), /^Mon,? 7 Jan 2030, 20:00$/)
})

test('writes the day of a range within one day once, and one instant as such', () => {
  assert.match(london.range(at, halfAnHourLater), /^Mon,? 7 Jan 2030, 20:00\s?–\s?20:30$/)
  assert.match(london.timeRange(at, halfAnHourLater), /^20:00\s?–\s?20:30$/)
  const nextMorning = new Date(new Date(at).getTime() + 5 * 3_600_000)
  assert.match(london.timeRange(at, nextMorning), /^\w{3},? \d+ \w{3},? 20:00\s–\s\w{3},? \d+ \w{3},? 01:00$/)
  assert.equal(london.range(at, at), london.dateTime(at))
})

test('writes the year only where it is not this year', () => {
  const [thisYear, nextYear] = [new Date('2030-12-31T23:00:00Z'), new Date('2031-01-01T00:00:00Z')]
  assert.match(london.dayNear(at, thisYear), /^Monday,? 7 January$/)
  assert.equal(london.dayNear(at, nextYear), london.date(at))
  assert.match(london.rangeNear(at, halfAnHourLater, thisYear), /^Mon,? 7 Jan, 20:00\s?–\s?20:30$/)
  assert.equal(london.rangeNear(at, halfAnHourLater, nextYear), london.range(at, halfAnHourLater))
  assert.equal(london.month(at), 'January 2030')
})

test('writes hours and begins weeks as the reader has chosen', (context) => {
  context.after(() => replaceTimeFormat({ hourCycle: '', firstDayOfWeek: '' }))
  assert.equal(chosenFirstWeekday(), undefined)
  assert.equal(replaceTimeFormat({ hourCycle: 'h12', firstDayOfWeek: 'sat' }), true)
  assert.equal(replaceTimeFormat({ hourCycle: 'h12', firstDayOfWeek: 'sat' }), false)
  assert.match(datesIn('en-GB', 'Europe/London').time(at), /^0?8:00\s?pm$/i)
  assert.match(datesIn('de', 'Europe/London').timeRange(at, halfAnHourLater), /8:00\s?–\s?8:30\s?PM$/)
  assert.equal(chosenFirstWeekday(), 6)
  replaceTimeFormat({ hourCycle: 'h23', firstDayOfWeek: 'mon' })
  assert.equal(datesIn('en-US', 'Europe/London').time(at), '20:00')
  assert.equal(chosenFirstWeekday(), 1)
})

test('writes a zone in words', () => {
  assert.equal(london.zone(at), 'Greenwich Mean Time')
  assert.equal(datesIn('en', 'Asia/Kolkata').zone(at), 'India Standard Time')
})

const now = new Date('2030-01-07T09:00:00Z')
const distances = [
  { to: '2030-01-07T09:00:59Z', countdown: 'in 59 seconds', relative: 'now' },
  { to: '2030-01-07T08:59:01Z', countdown: '59 seconds ago', relative: 'now' },
  { to: '2030-01-07T09:01:00Z', countdown: 'in 1 minute' },
  { to: '2030-01-07T10:29:59Z', countdown: 'in 89 minutes' },
  { to: '2030-01-07T10:30:00Z', countdown: 'in 1 hour' },
  { to: '2030-01-08T20:59:59Z', countdown: 'in 35 hours' },
  { to: '2030-01-08T21:00:00Z', countdown: 'in 1 day' },
  { to: '2030-01-07T08:35:00Z', countdown: '25 minutes ago' },
]

for (const { to, countdown, relative = countdown } of distances)
  test(`${to} is ${countdown}`, () => {
    const dates = datesIn('en', 'UTC')
    assert.equal(dates.countdown(to, now), countdown)
    assert.equal(dates.relative(to, now), relative)
  })

test('writes distances in the words of each language', () => {
  const written = languageCodes.map((language) => datesIn(language, 'UTC').countdown('2030-01-07T09:25:00Z', now))
  assert.equal(new Set(written).size, languageCodes.length)
})
