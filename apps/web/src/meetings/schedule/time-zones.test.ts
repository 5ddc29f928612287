import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCode, rankZone, zoneIdOf, zoneNames } from './time-zones.ts'

const codes = [{ code: 'IST', timeZone: 'Asia/Kolkata' }]

test('maps a short code and a former name to the zone’s current name', () => {
  for (const timeZone of ['IST', 'ist', 'Asia/Calcutta', 'Asia/Kolkata']) {
    assert.equal(zoneIdOf(timeZone, codes), 'Asia/Kolkata')
  }
  assert.deepEqual(
    ['IST', 'ist', 'Asia/Calcutta'].map((timeZone) => isCode(timeZone, codes)),
    [true, true, false],
  )
})

test('offers each zone once, by its current name', () => {
  const names = zoneNames(codes)
  assert.equal(new Set(names).size, names.length)
  assert.ok(names.includes('Asia/Kolkata') && names.includes('Europe/Kyiv') && names.includes('Europe/Berlin'))
  assert.ok(!names.includes('Asia/Calcutta') && !names.includes('Europe/Kiev'))
})

/** The best of all zones by a search, on a day in winter. */
function search(text: string, language = 'en'): string[] {
  const context = { language, at: new Date('2030-01-07T09:00Z') }
  return zoneNames([])
    .map((zone) => ({ zone, rank: rankZone(zone, zone, text, context) ?? Number.POSITIVE_INFINITY }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ zone }) => zone)
}

test('finds a zone by a city that is not its name, with or without accents', () => {
  for (const city of ['delhi', 'New Delhi', 'mumbai']) assert.equal(search(city)[0], 'Asia/Kolkata')
  for (const city of ['munich', 'munchen', 'MÜNCHEN', 'berlin']) assert.equal(search(city)[0], 'Europe/Berlin')
  assert.equal(search('new york')[0], 'America/New_York')
  assert.equal(search('york')[0], 'America/New_York')
  assert.deepEqual(search('nowhere at all'), [])
})

test('finds the zones of a country, in English and in the reader’s language', () => {
  assert.equal(search('india')[0], 'Asia/Kolkata')
  assert.equal(search('Indien', 'de')[0], 'Asia/Kolkata')
  assert.equal(search('germany')[0], 'Europe/Berlin')
  assert.equal(search('المغرب', 'ar')[0], 'Africa/Casablanca')
})

test('finds a zone by its offset from UTC', () => {
  for (const offset of ['gmt+1', 'UTC+1', '+01:00', 'utc +1']) {
    assert.ok(search(offset).includes('Europe/Berlin'))
    assert.ok(!search(offset).includes('Europe/London'))
  }
  assert.equal(search('+5:30')[0], 'Asia/Kolkata')
  assert.equal(search('gmt-5')[0], 'America/New_York')
})
