import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCode, zoneIdOf, zoneNames } from './time-zones.ts'

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
