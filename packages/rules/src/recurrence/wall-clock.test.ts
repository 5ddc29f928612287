import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wallClockIn } from './wall-clock.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const wall = (shown: string) => Date.parse(`${shown}Z`)
const written = (ms: number) => new Date(ms).toISOString().replace('.000Z', '')

const instants = [
  ['Europe/London', '2026-03-29T00:59:59', '2026-03-29T00:59:59', 'the last second before the clock goes forward'],
  ['Europe/London', '2026-03-29T01:00:00', '2026-03-29T01:00:00', 'a skipped time, an hour later'],
  ['Europe/London', '2026-03-29T01:59:59', '2026-03-29T01:59:59', 'the last second of the skipped hour'],
  ['Europe/London', '2026-03-29T02:00:00', '2026-03-29T01:00:00', 'summer time has begun'],
  ['Europe/London', '2026-10-25T00:59:59', '2026-10-24T23:59:59', 'the last second before the repeated hour'],
  ['Europe/London', '2026-10-25T01:00:00', '2026-10-25T00:00:00', 'a repeated hour, at its first instant'],
  ['Europe/London', '2026-10-25T02:00:00', '2026-10-25T02:00:00', 'shown once again'],
  ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00', 'a repeated half hour'],
  ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:45:00', 'a skipped half hour'],
  ['Pacific/Apia', '2011-12-30T09:00:00', '2011-12-30T19:00:00', 'a skipped day'],
  ['America/Juneau', '1867-10-18T20:00:00', '1867-10-18T04:57:41', 'a repeated day'],
  ['Africa/Monrovia', '1950-01-01T00:00:00', '1950-01-01T00:44:30', 'an offset of 44 minutes and 30 seconds'],
  ['+05:30', '2026-01-01T00:00:00', '2025-12-31T18:30:00', 'a fixed offset'],
] as const

for (const [timeZone, shown, instant, what] of instants) {
  test(`${timeZone} shows ${shown} at ${instant}Z: ${what}`, () => {
    assert.equal(written(wallClockIn(timeZone).instantOf(wall(shown))), instant)
  })
}

test('reads the same time as Temporal around every transition of every zone, in any order', () => {
  for (const timeZone of Intl.supportedValuesOf('timeZone')) {
    const clock = wallClockIn(timeZone)
    let moment = Temporal.Instant.from('1840-01-01T00:00:00Z').toZonedDateTimeISO(timeZone)
    for (;;) {
      const transition = moment.getTimeZoneTransition('next')
      if (transition === null || transition.year > 2040) break
      moment = transition
      // From later to earlier: each look-up must notice that another stretch is cached.
      for (const beside of [dayMs, 0, hourMs / 2, -1000]) {
        const nearby = transition.add({ milliseconds: beside })
        const shownMs = wall(nearby.toPlainDateTime().toString())
        assert.equal(clock.read(nearby.epochMilliseconds), shownMs, nearby.toString())
        const exact = nearby.toPlainDateTime().toZonedDateTime(timeZone)
        assert.equal(clock.instantOf(shownMs), exact.epochMilliseconds, nearby.toString())
      }
    }
  }
})

test('an unknown zone throws a RangeError', () => {
  assert.throws(() => wallClockIn('Mars/Olympus_Mons').read(0), RangeError)
  assert.throws(() => wallClockIn('Mars/Olympus_Mons').instantOf(0), RangeError)
})

test('a clock that is first read at a transition has the offset after it', () => {
  const clock = wallClockIn('GB') // an id that no other test here has read from
  assert.equal(clock.read(wall('2026-03-29T01:00:00')), wall('2026-03-29T02:00:00'))
  assert.equal(clock.read(wall('2026-03-29T00:59:59')), wall('2026-03-29T00:59:59'))
})
