import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextDigestTime } from './digest-time.ts'

test('the next seven o’clock in a zone, across clock changes', () => {
  const cases: [string, string, string][] = [
    ['Europe/Berlin', '2030-01-07T05:59:59Z', '2030-01-07T06:00:00.000Z'],
    ['Europe/Berlin', '2030-01-07T06:00:00Z', '2030-01-08T06:00:00.000Z'],
    ['UTC', '2030-01-07T06:59:59.999Z', '2030-01-07T07:00:00.000Z'],
    ['Asia/Kolkata', '2030-01-07T01:29:59Z', '2030-01-07T01:30:00.000Z'],
    ['Pacific/Kiritimati', '2030-01-07T17:00:00Z', '2030-01-08T17:00:00.000Z'],
    ['America/Los_Angeles', '2030-01-07T15:00:01Z', '2030-01-08T15:00:00.000Z'],
    // Berlin: 31 March 2030 has 23 hours, 27 October has 25.
    ['Europe/Berlin', '2030-03-30T06:00:00Z', '2030-03-31T05:00:00.000Z'],
    ['Europe/Berlin', '2030-10-26T05:00:00Z', '2030-10-27T06:00:00.000Z'],
    // Samoa had no 30 December 2011.
    ['Pacific/Apia', '2011-12-29T17:00:00Z', '2011-12-30T17:00:00.000Z'],
  ]
  for (const [timeZone, now, next] of cases) {
    assert.equal(nextDigestTime(timeZone, new Date(now)).toISOString(), next, `${timeZone} ${now}`)
  }
})

test('once on each day of the zone', () => {
  for (const timeZone of ['Europe/Berlin', 'America/St_Johns', 'Africa/Casablanca', 'Australia/Lord_Howe']) {
    let time = new Date('2030-01-01T00:00:00Z')
    const days = []
    for (let count = 0; count < 365; count++) {
      time = nextDigestTime(timeZone, time)
      days.push(time.toLocaleDateString('en-CA', { timeZone }))
    }
    assert.equal(new Set(days).size, 365, timeZone)
  }
})
