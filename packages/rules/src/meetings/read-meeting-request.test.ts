import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  completeSchedule,
  findNoOccurrence,
  type MeetingContext,
  readMeetingDates,
  readMeetingRequest,
  type SentMeeting,
} from './read-meeting-request.ts'

const context: MeetingContext = {
  hostAddressKey: 'alice@example.org',
  profileTimeZone: '',
  timeZoneAliases: new Map(),
}
const standUp = {
  topic: 'Stand-up',
  description: '',
  startTime: '2026-11-23T09:00:00+05:30',
  endTime: '2026-11-23T09:30:00+05:30',
  participants: ['bob@example.org'],
  repeatOptions: { repeat: 'none' },
} as const satisfies SentMeeting

function read(request: SentMeeting, known: Partial<MeetingContext> = {}) {
  const answer = readMeetingRequest(request, { ...context, ...known })
  return answer.value ?? answer.violations.map(({ path, code }) => `${path} ${code}`)
}

test('reads the request of a stand-up', () => {
  assert.deepEqual(readMeetingRequest(standUp, context), {
    value: {
      topic: 'Stand-up',
      description: '',
      location: '',
      startsAt: new Date('2026-11-23T03:30:00Z'),
      endsAt: new Date('2026-11-23T04:00:00Z'),
      timeZone: 'UTC',
      timeZoneIana: 'Etc/UTC',
      rule: { repeat: 'none' },
      endsBy: null,
      participants: [{ email: 'bob@example.org', addressKey: 'bob@example.org', invited: true, cohost: false }],
      reminderMinutes: null,
    },
  })
})

const countViolations: readonly (readonly [string, object, string[] | string])[] = [
  ['once', { count: 1 }, '2026-11-23T23:59:59.000Z'],
  ['a thousand times', { count: 1000, interval: 1 }, '2029-08-18T23:59:59.000Z'],
  ['no count', { count: null, endDate: '2026-11-30T00:00:00Z' }, '2026-11-30T00:00:00.000Z'],
  ['with an invalid end', { count: 2, endDate: null }, '2026-11-24T23:59:59.000Z'],
  ['never', { count: 0 }, ['/repeatOptions/count out_of_range']],
  ['more than a thousand times', { count: 1001 }, ['/repeatOptions/count out_of_range']],
  ['with an end', { count: 2, endDate: '2026-11-30T00:00:00Z' }, ['/repeatOptions/count not_together']],
  ['with the end that it gives', { count: 2, endDate: '2026-11-24T23:59:59Z' }, '2026-11-24T23:59:59.000Z'],
  ['with a later end', { count: 2, endDate: '2026-11-25T00:00:00Z' }, ['/repeatOptions/count not_together']],
  ['for more than ten years', { count: 1000, interval: 99 }, ['/repeatOptions/count too_late']],
]
for (const [name, options, wanted] of countViolations) {
  test(`a daily series by count: ${name}`, () => {
    const found = read({ ...standUp, repeatOptions: { repeat: 'daily', ...options } })
    assert.deepEqual('endsBy' in found ? found.endsBy?.toISOString() : found, wanted)
    if ('rule' in found) assert.equal(found.rule.count, 'count' in options ? (options.count ?? undefined) : undefined)
  })
}

test('ignores the count of a meeting that does not repeat', () => {
  const once = read({ ...standUp, repeatOptions: { repeat: 'none', count: 0 } })
  assert.deepEqual('rule' in once && once.rule, { repeat: 'none' })
})

const emoji = '🎉' // two UTF-16 units, one character
const texts: readonly (readonly ['topic' | 'description' | 'location', string, string, string | undefined])[] = [
  ['topic', 'one character', 'a', undefined],
  ['topic', 'nothing', '', 'too_short'],
  ['topic', 'spaces only', '   ', 'too_short'],
  ['topic', '250 characters', 'a'.repeat(250), undefined],
  ['topic', '251 characters', 'a'.repeat(251), 'too_long'],
  ['topic', '250 characters between spaces', ` ${'a'.repeat(250)} `, undefined],
  ['topic', '251 characters between spaces', ` ${'a'.repeat(251)} `, 'too_long'],
  ['topic', '250 emoji', emoji.repeat(250), undefined],
  ['topic', '251 emoji', emoji.repeat(251), 'too_long'],
  ['topic', 'a tab', 'a\tb', 'control_character'],
  ['topic', 'a line end', 'a\nb', 'control_character'],
  ['topic', 'a line end at the end', 'a\n', 'control_character'],
  ['topic', 'a bell', 'a\u0007', 'control_character'],
  ['description', 'nothing', '', undefined],
  ['description', '10,000 characters', 'a'.repeat(10_000), undefined],
  ['description', '10,001 characters', 'a'.repeat(10_001), 'too_long'],
  ['description', '10,000 characters between lines', `\n${'a'.repeat(10_000)}\n`, undefined],
  ['description', '10,000 emoji', emoji.repeat(10_000), undefined],
  ['description', '10,001 emoji', emoji.repeat(10_001), 'too_long'],
  ['description', 'tabs and both kinds of line ends', 'a\tb\nc\r\nd', undefined],
  ['description', 'a carriage return alone', 'a\rb', 'control_character'],
  ['description', 'an escape', 'a\u001b[2J', 'control_character'],
  ['location', 'nothing', '', undefined],
  ['location', '250 characters', 'a'.repeat(250), undefined],
  ['location', '251 characters', 'a'.repeat(251), 'too_long'],
  ['location', 'a line break', 'a\nb', 'control_character'],
]
for (const [field, name, text, code] of texts) {
  test(`${field}: ${name}: ${code ?? 'kept as it was sent'}`, () => {
    const answer = read({ ...standUp, [field]: text })
    if (code !== undefined) assert.deepEqual(answer, [`/${field} ${code}`])
    else assert.ok('topic' in answer && answer[field] === text)
  })
}

const aliases = new Map([['IST', 'Asia/Jerusalem']])
const zones: readonly (readonly [string, string | null | undefined, Partial<MeetingContext>, string, string])[] = [
  ['absent, and none in the profile', undefined, {}, 'UTC', 'Etc/UTC'],
  ['null, and none in the profile', null, {}, 'UTC', 'Etc/UTC'],
  ['absent', undefined, { profileTimeZone: 'Europe/Berlin' }, 'Europe/Berlin', 'Europe/Berlin'],
  ['null', null, { profileTimeZone: 'IST' }, 'IST', 'Asia/Kolkata'],
  ['a short code before the profile', 'IST', { profileTimeZone: 'Europe/Berlin' }, 'IST', 'Asia/Kolkata'],
  ['a short code in another case, as sent', 'ist', {}, 'ist', 'Asia/Kolkata'],
  ['an IANA name in another case, as sent', 'europe/berlin', {}, 'europe/berlin', 'Europe/Berlin'],
  ["an operator's code", 'IST', { timeZoneAliases: aliases }, 'IST', 'Asia/Jerusalem'],
  ['an offset', 'UTC+05:30', {}, 'UTC+05:30', '+05:30'],
]
for (const [name, sent, known, timeZone, timeZoneIana] of zones) {
  test(`timeZone: ${name}`, () => {
    const schedule = read({ ...standUp, repeatOptions: { repeat: 'none', timeZone: sent } }, known)
    assert.ok('topic' in schedule)
    assert.deepEqual([schedule.timeZone, schedule.timeZoneIana], [timeZone, timeZoneIana])
  })
}

test('refuses an unknown time zone, and suggests similar names and the list of codes', () => {
  const answer = readMeetingRequest(
    { ...standUp, repeatOptions: { repeat: 'none', timeZone: 'Europe/Berlim' } },
    context,
  )
  assert.ok(answer.violations !== undefined)
  assert.deepEqual(
    answer.violations.map(({ path, code }) => [path, code]),
    [['/repeatOptions/timeZone', 'unknown_time_zone']],
  )
  assert.match(answer.violations[0]?.message ?? '', /Did you mean Europe\/Berlin\?.*GET \/api\/time-zones/)
})

test('suggests nothing for a time zone without similar names', () => {
  const answer = readMeetingRequest({ ...standUp, repeatOptions: { repeat: 'none', timeZone: '§§§§§§§§' } }, context)
  assert.ok(answer.violations !== undefined)
  assert.doesNotMatch(answer.violations[0]?.message ?? '', /Did you mean/)
})

test('refuses an empty time zone', () => {
  assert.deepEqual(read({ ...standUp, repeatOptions: { repeat: 'none', timeZone: '' } }), [
    '/repeatOptions/timeZone unknown_time_zone',
  ])
})

const mondays = { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0] } as const
const twice = { ...mondays, endDate: '2026-11-30T03:30:00Z' } // Monday 23 and 30 November, 09:00 in India
const first = new Date('2026-11-23T03:30:00Z')
const last = new Date('2026-11-30T03:30:00Z')
type Occurring = readonly [string, NonNullable<SentMeeting['repeatOptions']>, readonly Date[], string | undefined]
const occurring: readonly Occurring[] = [
  ['the last start is the endDate', twice, [], undefined],
  ['the endDate is the start', { ...mondays, endDate: '2026-11-23T03:30:00Z' }, [], undefined],
  ['the endDate is a second before the start', { ...mondays, endDate: '2026-11-23T03:29:59Z' }, [], 'endDate'],
  ['the endDate is long past', { repeat: 'daily', endDate: '1999-01-01T00:00:00Z' }, [], 'endDate'],
  ['the endDate of a single meeting is past', { repeat: 'none', endDate: '1999-01-01T00:00:00Z' }, [], undefined],
  [
    'the first match is after the endDate',
    { repeat: 'weekly', daysOfWeek: [0, 0, 1, 0, 0, 0, 0], endDate: '2026-11-24T03:29:59Z' },
    [],
    'endDate',
  ],
  [
    'the first match is the endDate',
    { repeat: 'weekly', daysOfWeek: [0, 0, 1, 0, 0, 0, 0], endDate: '2026-11-24T03:30:00Z' },
    [],
    undefined,
  ],
  ['the 31st of every twelfth November', { repeat: 'monthly', interval: 12, dateInMonth: 31 }, [], ''],
  [
    'the 31st of every twelfth November, with an endDate',
    { repeat: 'monthly', interval: 12, dateInMonth: 31, endDate: '2036-11-23T03:30:00Z' },
    [],
    'endDate',
  ],
  ['the 31st of every second month from November', { repeat: 'monthly', interval: 2, dateInMonth: 31 }, [], undefined],
  ['the first occurrence is skipped', twice, [first], undefined],
  ['the last occurrence is skipped', twice, [last], undefined],
  ['all occurrences are skipped', twice, [last, first], 'endDate'],
  ['the skipped dates are no longer occurrences', twice, [new Date('2026-11-23T03:30:01Z')], undefined],
  ['a series without an end, two occurrences skipped', mondays, [first, last], undefined],
]
for (const [name, repeatOptions, skipped, field] of occurring) {
  test(`${name}: ${field === undefined ? 'accepted' : 'no occurrence'}`, () => {
    const sent = { ...standUp, repeatOptions: { timeZone: 'IST', ...repeatOptions } }
    const answer = read(sent)
    const violation = 'topic' in answer ? findNoOccurrence(answer, skipped) : undefined
    const found = violation === undefined ? answer : [`${violation.path} ${violation.code}`]
    if (field === undefined) assert.ok('topic' in found)
    else assert.deepEqual(found, [`/repeatOptions${field && `/${field}`} no_occurrence`])
  })
}

test('refuses a series on 31 February', () => {
  const times = { startTime: '2027-02-01T09:00:00Z', endTime: '2027-02-01T10:00:00Z' }
  const request = { ...standUp, ...times, repeatOptions: { repeat: 'monthly', interval: 12, dateInMonth: 31 } } as const
  assert.deepEqual(read(request), ['/repeatOptions no_occurrence'])
  const leap = read({ ...request, repeatOptions: { ...request.repeatOptions, dateInMonth: 29 } })
  assert.ok('topic' in leap, '29 February comes, if late')
})

const invalid: readonly (readonly [string, SentMeeting, readonly string[]])[] = [
  [
    'everything',
    {
      topic: ' ',
      description: '\0',
      startTime: 'soon',
      endTime: 'later',
      participants: ['bob', { email: 'carol' }],
      cohosts: ['dave'],
      repeatOptions: { repeat: 'weekly', interval: 0, daysOfWeek: [1], endDate: 'never', timeZone: 'Mars' },
    },
    [
      '/topic too_short',
      '/description control_character',
      '/startTime bad_format',
      '/endTime bad_format',
      '/participants/0 bad_format',
      '/participants/1/email bad_format',
      '/cohosts/0 bad_format',
      '/repeatOptions/interval out_of_range',
      '/repeatOptions/endDate bad_format',
      '/repeatOptions/daysOfWeek wrong_length',
      '/repeatOptions/timeZone unknown_time_zone',
    ],
  ],
  [
    'an endDate too late beside an end before the start',
    {
      ...standUp,
      endTime: '2026-11-22T00:00:00Z',
      repeatOptions: { repeat: 'daily', endDate: '2036-11-23T03:30:01Z' },
    },
    ['/endTime not_after_start', '/repeatOptions/endDate too_late'],
  ],
  [
    'no occurrence beside a topic without a character',
    { ...standUp, topic: '', repeatOptions: { repeat: 'daily', endDate: '2026-11-22T00:00:00Z' } },
    ['/topic too_short', '/repeatOptions/endDate no_occurrence'],
  ],
  [
    'no occurrence beside an invalid end',
    { ...standUp, endTime: 'x', repeatOptions: { repeat: 'monthly', interval: 12, dateInMonth: 31 } },
    ['/endTime bad_format', '/repeatOptions no_occurrence'],
  ],
  [
    'an endDate beside an invalid start, which is not compared with it',
    {
      ...standUp,
      startTime: '1800-01-01T00:00:00Z',
      repeatOptions: { repeat: 'daily', endDate: '2026-11-22T00:00:00Z' },
    },
    ['/startTime out_of_range'],
  ],
  [
    'a count too high beside a reminder too early and no occurrence',
    {
      ...standUp,
      reminderMinutes: -1,
      repeatOptions: { repeat: 'monthly', interval: 12, dateInMonth: 31, count: 2 },
    },
    ['/repeatOptions/count too_late', '/reminderMinutes out_of_range', '/repeatOptions no_occurrence'],
  ],
  [
    'too many people beside a bad zone',
    {
      ...standUp,
      participants: Array.from({ length: 1001 }, (_, index) => `guest${index}@example.org`),
      repeatOptions: { repeat: 'none', timeZone: 'Mars' },
    },
    ['/participants too_many', '/repeatOptions/timeZone unknown_time_zone'],
  ],
]
for (const [name, request, violations] of invalid) {
  test(`reported at once: ${name}`, () => assert.deepEqual(read(request), violations))
}

const fields = ['topic', 'description', 'startTime', 'endTime', 'repeatOptions'] as const
for (const field of fields) {
  test(`without ${field}, which the schema refused, nothing is read and nothing is reported twice`, () => {
    assert.deepEqual(read({ ...standUp, [field]: undefined }), [])
  })
}

test('a field that the schema refused does not hide other violations', () => {
  assert.deepEqual(read({ topic: '', repeatOptions: { repeat: 'daily', interval: 100 } }), [
    '/topic too_short',
    '/repeatOptions/interval out_of_range',
  ])
})

test('each message is a sentence that begins with its field', () => {
  const answer = readMeetingRequest({ ...standUp, topic: '', description: 'a'.repeat(10_001) }, context)
  assert.ok(answer.violations !== undefined)
  assert.deepEqual(
    answer.violations.map(({ message }) => message),
    ['topic must not be empty.', 'description must have at most 10000 characters.'],
  )
})

test('a preview reads only the dates, by the same rules', () => {
  const { topic: _, description: __, participants: ___, ...dates } = standUp
  assert.deepEqual(readMeetingDates(dates, context).value, {
    startsAt: new Date('2026-11-23T03:30:00Z'),
    endsAt: new Date('2026-11-23T04:00:00Z'),
    timeZone: 'UTC',
    timeZoneIana: 'Etc/UTC',
    rule: { repeat: 'none' },
    endsBy: null,
  })
  const refused = readMeetingDates({ ...dates, endTime: 'x', repeatOptions: { repeat: 'daily', count: 0 } }, context)
  assert.deepEqual(
    refused.violations?.map(({ path, code }) => `${path} ${code}`),
    ['/endTime bad_format', '/repeatOptions/count out_of_range'],
  )
})

const stored = {
  texts: { topic: 'Stand-up', description: '', location: 'Room 5' },
  cohosts: ['carol@example.org'],
  reminderMinutes: 15,
  hostAddressKey: 'alice@example.org',
}
const completed: readonly (readonly [string, Partial<SentMeeting>, readonly string[], number | null])[] = [
  ['neither cohosts nor a reminder', {}, ['carol@example.org'], 15],
  ['other cohosts', { cohosts: ['dave@example.org'] }, ['dave@example.org'], 15],
  ['no cohosts', { cohosts: [] }, [], 15],
  ['another reminder', { reminderMinutes: 5 }, ['carol@example.org'], 5],
  ['the default reminder', { reminderMinutes: null }, ['carol@example.org'], null],
]
for (const [name, sent, cohosts, reminderMinutes] of completed) {
  test(`an update with ${name} keeps the fields that it omits`, () => {
    const request = { ...standUp, ...sent }
    const { value } = readMeetingRequest(request, { ...context, hostAddressKey: undefined })
    const schedule = value && completeSchedule(value, request, stored)
    const cohostsAfter = schedule?.participants.filter((person) => person.cohost).map(({ email }) => email)
    assert.deepEqual([cohostsAfter, schedule?.reminderMinutes], [cohosts, reminderMinutes])
  })
}
