import assert from 'node:assert/strict'
import { test } from 'node:test'
import { occurrences, type RecurrenceRule, type Series } from '../recurrence/recurrence.ts'
import type { MeetingPerson } from './participants.ts'
import { planSplit, readSplit } from './split-plan.ts'

const minuteMs = 60_000
/** Mondays of January 2030 are the 7th, 14th, 21st and 28th. */
const at = (text: string) => new Date(`2030-${text}Z`)
const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const series = (changes: Partial<Series> = {}): Series => ({
  startsAt: at('01-07T09:00:00'),
  durationMs: 30 * minuteMs,
  timeZone: 'Europe/London',
  rule: mondays,
  endsBy: null,
  cancelled: [],
  changed: [],
  ...changes,
})
const counted = series({ rule: { ...mondays, count: 4 }, endsBy: at('01-28T23:59:59') })

const person = (name: string, role: Partial<MeetingPerson> = {}): MeetingPerson => ({
  email: `${name}@example.org`,
  addressKey: `${name}@example.org`,
  invited: true,
  cohost: false,
  ...role,
})
const stored = {
  topic: 'Stand-up',
  description: 'Every Monday',
  location: 'Room 5',
  timeZone: 'GMT',
  people: [person('bob'), person('carol', { invited: false, cohost: true })],
  hostAddressKey: 'alice@example.org',
  reminderMinutes: 10,
}
const third = '2030-01-21T09:00:00Z'
const early = at('01-01T00:00:00')
const weekly = { repeat: 'weekly' as const, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }

type Request = Parameters<typeof readSplit>[0]
function plan(request: Request, of = series(), now = early) {
  const reading = readSplit({ occurrence: third, ...request }, new Map())
  assert.deepEqual(reading.violations, undefined)
  assert.ok(reading.value)
  return planSplit(of, stored, reading.value, now)
}
function made(request: Request, of = series()) {
  const planned = plan(request, of)
  assert.equal(planned.kind, 'split', JSON.stringify(planned))
  assert.ok(planned.kind === 'split')
  return planned
}

const refusals: [string, Request, Series, Date, string][] = [
  ['a single meeting', {}, series({ rule: { repeat: 'none' } }), early, '/occurrence not_recurring'],
  ['the first occurrence', { occurrence: '2030-01-07T09:00:00Z' }, series(), early, '/occurrence nothing_before'],
  [
    'an occurrence before which all are cancelled',
    {},
    series({ cancelled: [at('01-07T09:00:00'), at('01-14T09:00:00')] }),
    early,
    '/occurrence nothing_before',
  ],
  ['another time', { occurrence: '2030-01-21T10:00:00Z' }, series(), early, '/occurrence no_such_occurrence'],
  ['an occurrence that has just ended', {}, series(), at('01-21T09:30:00'), '/occurrence occurrence_over'],
  ['an occurrence that is running', {}, series(), at('01-21T09:29:59'), '/occurrence occurrence_begun'],
  ['an occurrence that begins now', {}, series(), at('01-21T09:00:00'), '/occurrence occurrence_begun'],
  [
    'an occurrence after which a moved one has begun',
    {},
    series({
      changed: [
        {
          originalStart: at('01-28T09:00:00'),
          times: { startsAt: at('01-21T08:30:00'), endsAt: at('01-21T08:45:00') },
          topic: null,
          description: null,
          location: null,
        },
      ],
    }),
    at('01-21T08:50:00'),
    '/occurrence occurrence_begun',
  ],
  ['an end before the start', { endTime: '2030-01-21T09:00:00Z' }, series(), early, '/endTime not_after_start'],
  [
    'the start of the series, sent back',
    { startTime: '2030-01-07T09:00:00Z' },
    series(),
    early,
    '/startTime before_split',
  ],
  ['the start before the split', { startTime: '2030-01-14T09:00:00Z' }, series(), early, '/startTime before_split'],
  [
    'an end before the split',
    { repeatOptions: { ...weekly, endDate: '2030-01-20T00:00:00Z' } },
    series(),
    early,
    '/repeatOptions/endDate no_occurrence',
  ],
  [
    'a start after the end of the series',
    { startTime: '2030-02-04T09:00:00Z' },
    series({ endsBy: at('01-28T09:00:00') }),
    early,
    '/occurrence no_occurrence',
  ],
  [
    'a part in which everything is cancelled',
    {},
    series({ endsBy: at('01-21T09:00:00'), cancelled: [at('01-21T09:00:00')] }),
    early,
    '/occurrence no_occurrence',
  ],
]
for (const [name, request, of, now, expected] of refusals) {
  test(`refuses ${name}`, () => {
    const planned = plan(request, of, now)
    assert.ok(planned.kind === 'invalid')
    assert.deepEqual(
      planned.violations.map(({ path, code }) => `${path} ${code}`),
      [expected],
    )
  })
}

test('splits at an occurrence that begins in a second, and at a cancelled one', () => {
  assert.equal(plan({}, series(), at('01-21T08:59:59')).kind, 'split')
  assert.equal(plan({}, series({ cancelled: [at('01-21T09:00:00')] })).kind, 'split')
})

/** First starts, end, count, and whether answers still hold. */
const continued: [string, Request, Series, [string[], string | null, number | undefined, boolean]][] = [
  ['nothing', {}, series(), [['01-21T09:00', '01-28T09:00'], null, undefined, true]],
  ['a topic', { topic: 'Review' }, counted, [['01-21T09:00', '01-28T09:00'], '2030-01-28T23:59:59.000Z', 2, true]],
  [
    'the same start',
    { startTime: third },
    counted,
    [['01-21T09:00', '01-28T09:00'], '2030-01-28T23:59:59.000Z', 2, true],
  ],
  [
    'an end alone',
    { endTime: '2030-01-21T10:00:00Z' },
    counted,
    [['01-21T09:00', '01-28T09:00'], '2030-01-28T23:59:59.000Z', 2, false],
  ],
  [
    'a later time of day',
    { startTime: '2030-01-21T15:00:00Z' },
    counted,
    [['01-21T15:00', '01-28T15:00'], '2030-01-28T23:59:59.000Z', 2, false],
  ],
  [
    'another week',
    { startTime: '2030-01-28T09:00:00Z' },
    counted,
    [['01-28T09:00', '02-04T09:00'], '2030-02-04T23:59:59.000Z', 2, false],
  ],
  [
    'another zone, in which it is another hour from summer on',
    { repeatOptions: { ...weekly, timeZone: 'UTC' } },
    series(),
    [['01-21T09:00', '01-28T09:00'], null, undefined, false],
  ],
  [
    'another name of the zone',
    { repeatOptions: { ...weekly, timeZone: 'Asia/Calcutta' } },
    series({ timeZone: 'Asia/Kolkata' }),
    [['01-21T09:00', '01-28T09:00'], null, undefined, true],
  ],
  [
    'another day',
    { startTime: '2030-01-22T09:00:00Z', repeatOptions: { ...weekly, daysOfWeek: [0, 0, 1, 0, 0, 0, 0] } },
    series(),
    [['01-22T09:00', '01-29T09:00'], null, undefined, false],
  ],
  [
    'a count of its own',
    { repeatOptions: { ...weekly, count: 3 } },
    counted,
    [['01-21T09:00', '01-28T09:00'], '2030-02-04T23:59:59.000Z', 3, false],
  ],
  [
    'the count and the end of the series, sent back',
    { repeatOptions: { ...weekly, count: 4, endDate: '2030-01-28T23:59:59Z' } },
    counted,
    [['01-21T09:00', '01-28T09:00'], '2030-01-28T23:59:59.000Z', 2, true],
  ],
  ['no repetition', { repeatOptions: { repeat: 'none' } }, counted, [['01-21T09:00'], null, undefined, false]],
]
for (const [name, request, of, [starts, endsBy, count, isUnmoved]] of continued) {
  test(`with ${name}, the series continues as it should`, () => {
    const { continuation, isUnmoved: stays } = made(request, of)
    const { startsAt, endsAt, timeZoneIana, rule } = continuation
    const after = {
      ...series(),
      startsAt,
      durationMs: +endsAt - +startsAt,
      timeZone: timeZoneIana,
      rule,
      endsBy: continuation.endsBy,
    }
    const shown = [...occurrences(after).take(2)].map((one) => one.startsAt.toISOString().slice(5, 16))
    assert.deepEqual(
      [shown, continuation.endsBy?.toISOString() ?? null, rule.count, stays],
      [starts, endsBy, count, isUnmoved],
    )
  })
}

test('a count that does not fit into ten years is refused as in an update', () => {
  const planned = plan({ repeatOptions: { repeat: 'monthly', interval: 12, lastDayOfMonth: true, count: 20 } })
  assert.ok(planned.kind === 'invalid')
  assert.deepEqual(
    planned.violations.map(({ path, code }) => `${path} ${code}`),
    ['/repeatOptions/count too_late'],
  )
})

test('absent fields are as they were, and those that are sent replace them', () => {
  const same = made({}).continuation
  assert.deepEqual(
    [same.topic, same.description, same.timeZone, same.reminderMinutes, same.participants],
    ['Stand-up', 'Every Monday', 'GMT', 10, stored.people],
  )
  const other = made({
    topic: ' Review ',
    description: '',
    reminderMinutes: null,
    participants: ['dan@example.org', 'Alice@example.org'],
  })
  const { topic, description, reminderMinutes, participants } = other.continuation
  assert.deepEqual([topic, description, reminderMinutes], [' Review ', '', null])
  assert.deepEqual(participants, [person('dan'), person('carol', { invited: false, cohost: true })])
  assert.deepEqual(made({ cohosts: ['bob@example.org'] }).continuation.participants, [person('bob', { cohost: true })])
  assert.deepEqual(made({ participants: [], cohosts: [] }).continuation.participants, [])
})

test('cancelled and changed occurrences are kept as by an update: at the same start, or else on the same date', () => {
  const review = {
    originalStart: at('02-04T09:00:00'),
    times: null,
    topic: 'Review',
    description: null,
    location: null,
  }
  const of = series({ cancelled: [at('01-14T09:00:00'), at('01-28T09:00:00')], changed: [review] })
  const later = made({ startTime: '2030-01-21T15:00:00Z' }, of)
  assert.deepEqual(later.before.cancelled, [at('01-14T09:00:00')])
  assert.deepEqual(later.cancellations.kept, [{ from: at('01-28T09:00:00'), to: at('01-28T15:00:00') }])
  assert.deepEqual(later.changes.kept, [
    { from: at('02-04T09:00:00'), change: { ...review, originalStart: at('02-04T15:00:00') } },
  ])
  const tuesdays = made({ repeatOptions: { ...weekly, daysOfWeek: [0, 0, 1, 0, 0, 0, 0] } }, of)
  assert.deepEqual(tuesdays.cancellations, {
    kept: [],
    dropped: [{ from: at('01-28T09:00:00'), localDate: '2030-01-28' }],
  })
  assert.deepEqual(tuesdays.changes, { kept: [], dropped: [at('02-04T09:00:00')] })
  assert.equal(tuesdays.fromDate, '2030-01-21')
})

const invalid: [string, Request, string[]][] = [
  [
    'everything',
    { occurrence: 'then', startTime: 'now', topic: '', participants: ['bob'], reminderMinutes: -1 },
    [
      '/occurrence bad_format',
      '/topic too_short',
      '/startTime bad_format',
      '/participants/0 bad_format',
      '/reminderMinutes out_of_range',
    ],
  ],
  [
    'a rule',
    { repeatOptions: { repeat: 'weekly', interval: 100, count: 0, timeZone: 'Mars' } },
    [
      '/repeatOptions/interval out_of_range',
      '/repeatOptions/daysOfWeek required',
      '/repeatOptions/count out_of_range',
      '/repeatOptions/timeZone unknown_time_zone',
    ],
  ],
  [
    'an end ten years later',
    { repeatOptions: { ...weekly, endDate: '2040-01-21T09:00:01Z' } },
    ['/repeatOptions/endDate too_late'],
  ],
]
for (const [name, request, expected] of invalid) {
  test(`reports each violation of ${name}`, () => {
    const { violations } = readSplit({ occurrence: third, ...request }, new Map())
    assert.deepEqual(
      violations?.map(({ path, code }) => `${path} ${code}`),
      expected,
    )
  })
}
