import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, isKnownZone, isSkippedByClock, msUntil, wallTimeOf } from './wall-time.ts'

const cases = [
  ['2026-11-27', '09:30', 'Asia/Kolkata', '2026-11-27T04:00:00.000Z'],
  ['2026-06-01', '09:00', 'America/New_York', '2026-06-01T13:00:00.000Z'],
  ['2026-12-01', '00:00', 'Pacific/Auckland', '2026-11-30T11:00:00.000Z'],
  ['2026-11-27', '09:30:15', 'Etc/UTC', '2026-11-27T09:30:15.000Z'],
  // The repeated hour: its first occurrence.
  ['2026-10-25', '01:30', 'Europe/London', '2026-10-25T00:30:00.000Z'],
  ['2026-11-01', '01:00', 'America/New_York', '2026-11-01T05:00:00.000Z'],
  // Either side of the skipped hour.
  ['2026-03-29', '00:59', 'Europe/London', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29', '02:00', 'Europe/London', '2026-03-29T01:00:00.000Z'],
] as const

for (const [date, time, timeZone, instant] of cases) {
  test(`${date} ${time} in ${timeZone} is ${instant}, and back`, () => {
    assert.equal(instantOf({ date, time }, timeZone)?.toISOString(), instant)
    assert.deepEqual(wallTimeOf(instant, timeZone), { date, time })
    assert.equal(isSkippedByClock({ date, time }, timeZone), false)
  })
}

test('a skipped local time is moved later by the length of the gap', () => {
  const wall = { date: '2026-03-29', time: '01:30' }
  assert.equal(instantOf(wall, 'Europe/London')?.toISOString(), '2026-03-29T01:30:00.000Z')
  assert.equal(isSkippedByClock(wall, 'Europe/London'), true)
})

test('the time until the clocks show a time of day', () => {
  const zone = 'Europe/London'
  const minutes = (time: string, from: string) => (msUntil(time, new Date(from), zone) ?? 0) / 60_000
  assert.equal(minutes('10:15', '2026-11-27T09:30:00Z'), 45)
  assert.equal(minutes('09:00', '2026-11-27T09:30:00Z'), 23.5 * 60)
  assert.equal(minutes('09:30', '2026-11-27T09:30:00Z'), 24 * 60)
  // The night on which clocks go forward has no 01:30.
  assert.equal(minutes('02:30', '2026-03-29T00:30:00Z'), 60)
  assert.equal(minutes('01:30', '2026-03-29T00:30:00Z'), 60)
  // The repeated hour: from its first and from its second half past one.
  assert.equal(minutes('01:45', '2026-10-25T00:30:00Z'), 15)
  assert.equal(minutes('01:45', '2026-10-25T01:30:00Z'), 15)
  assert.equal(minutes('01:15', '2026-10-25T00:30:00Z'), 45)
  assert.equal(minutes('02:00', '2026-10-25T00:30:00Z'), 90)
  assert.equal(msUntil('', new Date(), zone), undefined)
})

test('an invalid date has no instant, and an invalid zone is unknown', () => {
  assert.equal(instantOf({ date: '', time: '09:00' }, 'Etc/UTC'), undefined)
  assert.equal(instantOf({ date: '2026-02-31', time: '' }, 'Etc/UTC'), undefined)
  assert.equal(isKnownZone('Mars/Olympus'), false)
  assert.equal(isKnownZone(''), false)
  assert.equal(isKnownZone('Asia/Kolkata'), true)
})
