import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentTimeZoneName, currentTimeZoneNames } from './time-zone-name.ts'

const rows = [
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['US/Eastern', 'America/New_York'],
  ['America/Montreal', 'America/Montreal'],
  ['Europe/Berlin', 'Europe/Berlin'],
  ['+05:30', '+05:30'],
  ['', ''],
  ['constructor', 'constructor'],
] as const

for (const [name, current] of rows) {
  test(`${name || 'no name'} is called ${current || 'nothing'}`, () => assert.equal(currentTimeZoneName(name), current))
}

test('every former name is of the same zone as its current name, which is no former name itself', () => {
  for (const [former, current] of currentTimeZoneNames) {
    const zone = new Temporal.ZonedDateTime(0n, former)
    assert.ok(zone.equals(new Temporal.ZonedDateTime(0n, current)), `${former} and ${current} are two zones`)
    assert.equal(currentTimeZoneName(current), current)
  }
})

test('each name that V8 lists by a former spelling of the tz database has its current one', () => {
  const former = ['Asia/Calcutta', 'Asia/Katmandu', 'Asia/Rangoon', 'Asia/Saigon', 'Atlantic/Faeroe', 'Europe/Kiev']
  const listed = Intl.supportedValuesOf('timeZone').map(currentTimeZoneName)
  assert.deepEqual(
    listed.filter((name) => former.includes(name)),
    [],
  )
  assert.equal(new Set(listed).size, listed.length, 'two listed zones got one name')
})
