import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMeetingTimes } from './meeting-times.ts'

function read(startTime: string | undefined, endTime: string | undefined) {
  const { startsAt, times } = readMeetingTimes(startTime, endTime)
  assert.deepEqual(times.value?.startsAt, times.value && startsAt)
  return {
    read: [startsAt?.toISOString(), times.value?.endsAt.toISOString()],
    found: (times.violations ?? []).map(({ path, code }) => `${path} ${code}`),
  }
}

const taken: readonly (readonly [string, string, string, string, string])[] = [
  [
    'half an hour',
    '2026-11-21T09:00:00Z',
    '2026-11-21T09:30:00Z',
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T09:30:00.000Z',
  ],
  [
    'one second',
    '2026-11-21T09:00:00Z',
    '2026-11-21T09:00:01Z',
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T09:00:01.000Z',
  ],
  ['24 hours', '2026-11-21T09:00:00Z', '2026-11-22T09:00:00Z', '2026-11-21T09:00:00.000Z', '2026-11-22T09:00:00.000Z'],
  [
    '24 hours once the milliseconds are dropped',
    '2026-11-21T09:00:00.000Z',
    '2026-11-22T09:00:00.999Z',
    '2026-11-21T09:00:00.000Z',
    '2026-11-22T09:00:00.000Z',
  ],
  [
    'one second once the milliseconds are dropped',
    '2026-11-21T09:00:00.999Z',
    '2026-11-21T09:00:01.001Z',
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T09:00:01.000Z',
  ],
  [
    'two offsets',
    '2026-11-21T09:00:00+05:30',
    '2026-11-21T04:00:00-00:30',
    '2026-11-21T03:30:00.000Z',
    '2026-11-21T04:30:00.000Z',
  ],
  ['the past', '1999-12-31T23:59:59Z', '2000-01-01T00:00:00Z', '1999-12-31T23:59:59.000Z', '2000-01-01T00:00:00.000Z'],
  [
    'the earliest start',
    '1900-01-01T00:00:00Z',
    '1900-01-01T01:00:00Z',
    '1900-01-01T00:00:00.000Z',
    '1900-01-01T01:00:00.000Z',
  ],
  [
    'the latest start',
    '2999-12-31T23:59:59Z',
    '3000-01-01T00:59:59Z',
    '2999-12-31T23:59:59.000Z',
    '3000-01-01T00:59:59.000Z',
  ],
]
for (const [name, startTime, endTime, startsAt, endsAt] of taken) {
  test(`times: ${name}`, () => assert.deepEqual(read(startTime, endTime), { read: [startsAt, endsAt], found: [] }))
}

const refused: readonly (readonly [string, string | undefined, string | undefined, readonly string[]])[] = [
  ['an end equal to the start', '2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z', ['/endTime not_after_start']],
  ['an end one second before the start', '2026-11-21T09:00:00Z', '2026-11-21T08:59:59Z', ['/endTime not_after_start']],
  [
    'start and end in the same second',
    '2026-11-21T09:00:00.000Z',
    '2026-11-21T09:00:00.999Z',
    ['/endTime not_after_start'],
  ],
  ['24 hours and a second', '2026-11-21T09:00:00Z', '2026-11-22T09:00:01Z', ['/endTime too_long']],
  [
    '24 hours and a second once the milliseconds are dropped',
    '2026-11-21T09:00:00.999Z',
    '2026-11-22T09:00:01.000Z',
    ['/endTime too_long'],
  ],
  ['a second before 1900', '1899-12-31T23:59:59Z', '1900-01-01T00:00:00Z', ['/startTime out_of_range']],
  [
    'a start in 1900 by its offset, in 1899 in UTC',
    '1900-01-01T00:00:00+05:30',
    '1900-01-01T01:00:00Z',
    ['/startTime out_of_range'],
  ],
  ['the year 3000', '3000-01-01T00:00:00Z', '3000-01-01T01:00:00Z', ['/startTime out_of_range']],
  ['the year 26', '0026-11-21T09:00:00Z', '2026-11-21T09:30:00Z', ['/startTime out_of_range']],
  ['an invalid start', 'tomorrow', '2026-11-21T09:30:00Z', ['/startTime bad_format']],
  ['an invalid end', '2026-11-21T09:00:00Z', '2026-02-30T09:30:00Z', ['/endTime bad_format']],
  ['no offset', '2026-11-21T09:00:00', '2026-11-21T09:30:00', ['/startTime bad_format', '/endTime bad_format']],
  ['empty times', '', '', ['/startTime bad_format', '/endTime bad_format']],
  [
    'a start before 1900 and an invalid end',
    '1800-01-01T00:00:00Z',
    'x',
    ['/endTime bad_format', '/startTime out_of_range'],
  ],
  ['both refused by the schema', undefined, undefined, []],
  ['a start refused by the schema, an invalid end', undefined, 'x', ['/endTime bad_format']],
  ['an end refused by the schema, an invalid start', 'x', undefined, ['/startTime bad_format']],
]
for (const [name, startTime, endTime, found] of refused) {
  test(`times: ${name}: ${found.join(', ') || 'nothing new'}`, () =>
    assert.deepEqual(read(startTime, endTime).found, found))
}

test('reads a valid start even if the end is invalid', () => {
  for (const endTime of [undefined, 'x', '2026-11-21T08:00:00Z', '2026-11-23T09:00:00Z']) {
    assert.deepEqual(read('2026-11-21T09:00:00Z', endTime).read, ['2026-11-21T09:00:00.000Z', undefined])
  }
})
