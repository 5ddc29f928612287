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
  test(`the current name of ${name || 'an empty name'} is ${current || 'empty'}`, () =>
    assert.equal(currentTimeZoneName(name), current))
}

test('a former name and its current name are the same zone, and the current name is no former one', () => {
  for (const [former, current] of currentTimeZoneNames) {
    const zone = new Temporal.ZonedDateTime(0n, former)
    assert.ok(zone.equals(new Temporal.ZonedDateTime(0n, current)), `${former} and ${current} are two zones`)
    assert.equal(currentTimeZoneName(current), current)
  }
})

test('each former spelling that V8 lists has its current name', () => {
  const former = ['Asia/Calcutta', 'Asia/Katmandu', 'Asia/Rangoon', 'Asia/Saigon', 'Atlantic/Faeroe', 'Europe/Kiev']
  const listed = Intl.supportedValuesOf('timeZone').map(currentTimeZoneName)
  assert.deepEqual(
    listed.filter((name) => former.includes(name)),
    [],
  )
  assert.equal(new Set(listed).size, listed.length, 'two listed zones got one name')
})
