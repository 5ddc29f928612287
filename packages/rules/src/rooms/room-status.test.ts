import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RoomUse, roomStatusOf } from './room-status.ts'

const at = (time: string) => new Date(`2030-01-${time}Z`)
const date = (day: string) => ({ day, startsAt: at(`${day}T09:00:00`), endsAt: at(`${day}T10:00:00`) })
const daily = ['06', '07', '08'].map(date)
const occupied: RoomUse = { occupied: true, endedAt: null }
const ended = (time: string): RoomUse => ({ occupied: false, endedAt: at(time) })

const rows: [string, RoomUse, string, string | undefined][] = [
  ['people are inside during a date', occupied, '07T09:30:00', '07 occupied'],
  ['when the room opens', occupied, '07T08:45:00', '07 occupied'],
  ['the previous date overruns until the next opens', occupied, '07T08:44:59', '06 occupied'],
  ['a date overruns', occupied, '08T10:00:00', '08 occupied'],
  ['a host is early for the first date', occupied, '05T20:00:00', '06 occupied'],
  ['a day after the last date', occupied, '09T10:00:00', undefined],
  ['a second less than a day after the last date', occupied, '09T09:59:59', '08 occupied'],
  ['the room is empty', { occupied: false, endedAt: null }, '07T09:30:00', undefined],
  ['ended during the date', ended('07T09:20:00'), '07T09:30:00', '07 ended'],
  ['ended when the room opened', ended('07T08:45:00'), '07T09:30:00', '07 ended'],
  ['an end before the room opened concerns the date before', ended('07T08:44:59'), '07T09:30:00', undefined],
  ['ended yesterday', ended('06T09:20:00'), '07T09:30:00', undefined],
  ['ended, and entered again', { occupied: true, endedAt: at('07T09:20:00') }, '07T09:30:00', '07 occupied'],
]

for (const [name, room, now, expected] of rows) {
  test(`${name}: ${expected ?? 'by the time alone'}`, () => {
    for (const dates of [daily, daily.toReversed()]) {
      const found = roomStatusOf(dates, room, at(now))
      assert.equal(found && `${found.date.day} ${found.status}`, expected)
    }
  })
}

test('a meeting without a date has no room status', () =>
  assert.equal(roomStatusOf([], occupied, at('07T09:30:00')), undefined))
