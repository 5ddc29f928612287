import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Series } from '../recurrence/recurrence.ts'
import { readProposedTimes, type WrittenTime } from './time-proposal.ts'

const now = new Date('2030-01-01T12:00:00Z')
const planned = { startsAt: new Date('2030-01-07T08:00:00Z'), endsAt: new Date('2030-01-07T08:30:00Z') }
const series: Series = {
  startsAt: planned.startsAt,
  durationMs: 30 * 60_000,
  timeZone: 'Europe/Berlin',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
}
const kolkata = [{ offsetToMs: 5.5 * 3_600_000, firstOnsetWallMs: Date.parse('1601-01-01T00:00:00Z'), yearly: null }]
const time = (text: string, timeZone: string | null = 'UTC', zone: WrittenTime['zone'] = []): WrittenTime => ({
  wallMs: Date.parse(`${text}Z`),
  timeZone,
  zone,
})
const proposed = (start: WrittenTime, end: WrittenTime | { durationMs: number } | null = null) => {
  const times = readProposedTimes({ start, end }, { series, planned }, now)
  return times && [times.startsAt.toISOString().slice(5, 16), times.endsAt.toISOString().slice(5, 16)]
}

test('reads proposed times in UTC, in a zone of IANA, of the object, or of the meeting', () => {
  assert.deepEqual(proposed(time('2030-01-08T08:00:00')), ['01-08T08:00', '01-08T08:30'])
  assert.deepEqual(proposed(time('2030-01-08T08:00:00', 'America/New_York')), ['01-08T13:00', '01-08T13:30'])
  const outlook = time('2030-01-08T13:30:00', 'India Standard Time', kolkata)
  assert.deepEqual(proposed(outlook, { durationMs: 3_600_000 }), ['01-08T08:00', '01-08T09:00'])
  assert.deepEqual(proposed(time('2030-01-08T09:00:00', 'Nowhere')), ['01-08T08:00', '01-08T08:30'])
  assert.deepEqual(proposed(time('2030-01-08T09:00:00', null), time('2030-01-08T09:00:00')), [
    '01-08T08:00',
    '01-08T09:00',
  ])
})

test('takes no times that have passed, that the meeting has, or that it cannot have', () => {
  assert.equal(proposed(time('2030-01-01T12:00:00')), undefined)
  assert.notEqual(proposed(time('2030-01-01T12:00:01')), undefined)
  assert.equal(proposed(time('2030-01-07T08:00:00')), undefined)
  assert.notEqual(proposed(time('2030-01-07T08:00:00'), { durationMs: 3_600_000 }), undefined)
  assert.equal(proposed(time('2030-01-08T08:00:00'), time('2030-01-08T08:00:00')), undefined)
  assert.equal(proposed(time('2030-01-08T08:00:00'), { durationMs: 86_400_001 }), undefined)
  assert.equal(proposed(time('2030-01-08T08:00:00'), { durationMs: Number.NaN }), undefined)
  assert.equal(proposed(time('3000-01-01T00:00:00')), undefined)
})
