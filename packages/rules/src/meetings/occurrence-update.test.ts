import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecurrenceRule } from '../recurrence/recurrence.ts'
import { findSeriesDifferences, readOccurrenceUpdate } from './occurrence-update.ts'
import type { MeetingPerson } from './participants.ts'

type Request = Parameters<typeof readOccurrenceUpdate>[0]

const person = (name: string, role: Partial<MeetingPerson> = {}): MeetingPerson => ({
  email: `${name}@example.org`,
  addressKey: `${name}@example.org`,
  invited: true,
  cohost: false,
  ...role,
})
const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const stored = {
  people: [person('bob'), person('carol', { cohost: true })],
  options: { waitingRoom: true, hostVideo: false },
  rule: mondays,
  endsBy: null as Date | null,
  timeZoneIana: 'Asia/Kolkata',
  reminderMinutes: null as number | null,
}
const counted = { ...stored, rule: { ...mondays, count: 3 }, endsBy: new Date('2030-01-21T18:29:59Z') }
const ending = { ...stored, endsBy: new Date('2030-01-21T18:29:59Z') }

const weekly = { repeat: 'weekly' as const, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
/** What a client sends that knows all fields, for the occurrence on 14 January 2030. */
const whole = {
  topic: 'Review',
  description: '',
  startTime: '2030-01-14T12:00:00Z',
  endTime: '2030-01-14T13:00:00Z',
  participants: ['bob@example.org', 'carol@example.org'],
  repeatOptions: weekly,
}

test('reads the times and texts of the occurrence', () => {
  const { value } = readOccurrenceUpdate(whole, new Map())
  assert.deepEqual(value?.change, {
    startsAt: new Date('2030-01-14T12:00:00Z'),
    endsAt: new Date('2030-01-14T13:00:00Z'),
    topic: 'Review',
    description: '',
    location: undefined,
  })
})

const refused: [string, Partial<Request>, string[]][] = [
  ['nothing', {}, []],
  [
    'a rule that has no occurrence at these times',
    { repeatOptions: { ...weekly, daysOfWeek: [1, 0, 0, 0, 0, 0, 0] } },
    [],
  ],
  ['an end before these times', { repeatOptions: { ...weekly, endDate: '2029-12-31T00:00:00Z' } }, []],
  ['an end long after these times', { repeatOptions: { ...weekly, endDate: '2050-01-01T00:00:00Z' } }, []],
  ['a count and an end', { repeatOptions: { ...weekly, count: 3, endDate: '2030-01-21T18:29:59Z' } }, []],
  ['an empty topic', { topic: ' ' }, ['/topic too_short']],
  ['a long description', { description: 'x'.repeat(10_001) }, ['/description too_long']],
  ['an end at the start', { endTime: whole.startTime }, ['/endTime not_after_start']],
  ['a participant who is no address', { participants: ['bob'] }, ['/participants/0 bad_format']],
  ['a rule without a day', { repeatOptions: { repeat: 'weekly' } }, ['/repeatOptions/daysOfWeek required']],
  ['a count of none', { repeatOptions: { ...weekly, count: 0 } }, ['/repeatOptions/count out_of_range']],
  [
    'an unknown zone',
    { repeatOptions: { ...weekly, timeZone: 'Mars' } },
    ['/repeatOptions/timeZone unknown_time_zone'],
  ],
  ['a negative reminder', { reminderMinutes: -1 }, ['/reminderMinutes out_of_range']],
  [
    'everything at once, in the order of the fields',
    {
      topic: '',
      startTime: 'noon',
      participants: ['bob'],
      repeatOptions: { repeat: 'monthly' },
      reminderMinutes: 40_321,
    },
    [
      '/topic too_short',
      '/startTime bad_format',
      '/participants/0 bad_format',
      '/repeatOptions/dateInMonth required',
      '/reminderMinutes out_of_range',
    ],
  ],
]
for (const [name, changes, expected] of refused) {
  test(`finds the violations of ${name}`, () => {
    const { violations = [] } = readOccurrenceUpdate({ ...whole, ...changes }, new Map())
    assert.deepEqual(
      violations.map(({ path, code }) => `${path} ${code}`),
      expected,
    )
  })
}

const repeating = (changes: object): Partial<Request> => ({ repeatOptions: { ...weekly, ...changes } })
const differences: [string, Partial<Request>, typeof stored, string[]][] = [
  ['what the series has', {}, stored, []],
  ['people in another order, and in capitals', { participants: ['Carol@example.org', 'bob@example.org'] }, stored, []],
  ['the host among the people', { participants: [...whole.participants, 'Alice@example.org'] }, stored, []],
  ['one person more', { participants: [...whole.participants, 'dan@example.org'] }, stored, ['/participants']],
  ['one person less', { participants: ['bob@example.org'] }, stored, ['/participants']],
  ['another person', { participants: ['bob@example.org', 'dan@example.org'] }, stored, ['/participants']],
  ['the cohosts', { cohosts: ['carol@example.org'] }, stored, []],
  ['no cohosts', { cohosts: [] }, stored, ['/cohosts']],
  ['another cohost', { cohosts: ['bob@example.org'] }, stored, ['/cohosts']],
  ['the options', { advancedOptions: { waitingRoom: true, hostVideo: false } }, stored, []],
  ['some of the options', { advancedOptions: { hostVideo: false } }, stored, []],
  ['another option', { advancedOptions: { hostVideo: true } }, stored, ['/advancedOptions']],
  ['an option that does not exist', { advancedOptions: { other: true } }, stored, []],
  ['another interval', repeating({ interval: 2 }), stored, ['/repeatOptions']],
  ['another day', repeating({ daysOfWeek: [0, 1, 1, 0, 0, 0, 0] }), stored, ['/repeatOptions']],
  ['no repetition', { repeatOptions: { repeat: 'none' } }, stored, ['/repeatOptions']],
  ['an end of a series without one', repeating({ endDate: '2030-01-21T18:29:59Z' }), stored, ['/repeatOptions']],
  ['a count of a series without one', repeating({ count: 3 }), stored, ['/repeatOptions']],
  ['the end of a series', repeating({ endDate: '2030-01-21T18:29:59Z' }), ending, []],
  ['another end', repeating({ endDate: '2030-01-21T18:29:58Z' }), ending, ['/repeatOptions']],
  ['no end of a series with one', {}, ending, ['/repeatOptions']],
  ['the count without its end', repeating({ count: 3 }), counted, []],
  ['the end without its count', repeating({ endDate: '2030-01-21T18:29:59Z' }), counted, []],
  ['the count and its end', repeating({ count: 3, endDate: '2030-01-21T18:29:59Z' }), counted, []],
  ['another count', repeating({ count: 4 }), counted, ['/repeatOptions']],
  [
    'another end beside the count',
    repeating({ count: 3, endDate: '2030-01-28T18:29:59Z' }),
    counted,
    ['/repeatOptions'],
  ],
  ['neither count nor end', {}, counted, ['/repeatOptions']],
  ['a former name of the zone', repeating({ timeZone: 'Asia/Calcutta' }), stored, []],
  [
    'a zone stored by its former name',
    repeating({ timeZone: 'Asia/Kolkata' }),
    { ...stored, timeZoneIana: 'Asia/Calcutta' },
    [],
  ],
  ['another zone', repeating({ timeZone: 'Asia/Tokyo' }), stored, ['/repeatOptions/timeZone']],
  ['the default reminder', { reminderMinutes: null }, stored, []],
  ['another reminder', { reminderMinutes: 10 }, stored, ['/reminderMinutes']],
  [
    'the default instead of the own reminder',
    { reminderMinutes: null },
    { ...stored, reminderMinutes: 10 },
    ['/reminderMinutes'],
  ],
  ['no reminder instead of the default', { reminderMinutes: 0 }, stored, ['/reminderMinutes']],
  [
    'all of them, in order',
    {
      participants: [],
      cohosts: [],
      advancedOptions: { waitingRoom: false },
      repeatOptions: { repeat: 'daily', timeZone: 'UTC' },
      reminderMinutes: 5,
    },
    stored,
    ['/participants', '/cohosts', '/advancedOptions', '/repeatOptions', '/repeatOptions/timeZone', '/reminderMinutes'],
  ],
]
for (const [name, changes, series, expected] of differences) {
  test(`${name}: ${expected.length === 0 ? 'nothing differs' : `differs in ${expected.join(' ')}`}`, () => {
    const { value } = readOccurrenceUpdate({ ...whole, ...changes }, new Map())
    assert.ok(value)
    const found = findSeriesDifferences(value.ofSeries, series, 'alice@example.org')
    assert.deepEqual(
      found.map(({ path }) => path),
      expected,
    )
    assert.ok(found.every(({ code }) => code === 'not_for_one_occurrence'))
  })
}
