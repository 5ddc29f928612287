import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ForeignObservance, offsetOfForeignZone } from './vtimezone-offset.ts'
import { wallClockIn } from './wall-clock.ts'

const hourMs = 3_600_000
const wallMs = (text: string) => Date.parse(`${text}Z`)
const observance = (offset: number, first: string, month?: number, nth = 1): ForeignObservance => ({
  offsetToMs: offset * hourMs,
  firstOnsetWallMs: wallMs(first),
  yearly: month === undefined ? null : { month, weekday: 0, nth },
})
/** As Exchange writes W. Europe Standard Time and Eastern Standard Time. */
const berlin = [observance(1, '1601-01-01T03:00:00', 10, -1), observance(2, '1601-01-01T02:00:00', 3, -1)]
const newYork = [observance(-5, '1601-01-01T02:00:00', 11, 1), observance(-4, '1601-01-01T02:00:00', 3, 2)]

test('reads the yearly rules of Outlook as the zones that they stand for', () => {
  for (const [observances, timeZone] of [
    [berlin, 'Europe/Berlin'],
    [newYork, 'America/New_York'],
  ] as const) {
    const clock = wallClockIn(timeZone)
    for (let day = 0; day < 366 * 2; day++) {
      const time = wallMs('2030-01-01T12:00:00') + day * 24 * hourMs
      assert.equal(offsetOfForeignZone(observances, time), time - clock.instantOf(time), `${timeZone} ${day}`)
    }
  }
})

test('a zone without rules has its last offset, and none before its first', () => {
  const moved = [observance(3, '2000-01-01T00:00:00'), observance(4, '2031-06-01T00:00:00')]
  const cases: [string, number | undefined][] = [
    ['1999-12-31T23:59:59', undefined],
    ['2000-01-01T00:00:00', 3],
    ['2031-05-31T23:59:59', 3],
    ['2031-06-01T00:00:00', 4],
  ]
  for (const [time, hours] of cases) {
    const offsetMs = offsetOfForeignZone(moved, wallMs(time))
    assert.equal(offsetMs === undefined ? undefined : offsetMs / hourMs, hours, time)
  }
  assert.equal(offsetOfForeignZone([], wallMs('2030-01-01T00:00:00')), undefined)
})
