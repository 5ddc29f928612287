import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OccurrenceChange, Series } from '../recurrence/recurrence.ts'
import {
  type ChangePlan,
  maxChangedDescriptionsLength,
  maxChangedOccurrences,
  planOccurrenceChange,
  planRestoring,
  planUndoingChange,
  type RequestedChange,
  readOccurrenceChange,
} from './occurrence-change.ts'

const hourMs = 3_600_000
/** Mondays of January 2030 are the 7th, 14th, 21st and 28th. */
const at = (text: string) => new Date(`2030-01-${text}Z`)
const [first, second, last] = [at('07T09:00:00'), at('14T09:00:00'), at('28T09:00:00')]

const series = (changes: Partial<Series> = {}): Series => ({
  startsAt: first,
  durationMs: hourMs,
  timeZone: 'UTC',
  rule: { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] },
  endsBy: last,
  cancelled: [],
  changed: [],
  ...changes,
})
const texts = { topic: 'Stand-up', description: 'Every Monday', location: 'Room 5' }
const early = at('01T00:00:00')
const nothing: RequestedChange = {
  startsAt: undefined,
  endsAt: undefined,
  topic: undefined,
  description: undefined,
  location: undefined,
}

const plan = (
  requested: Partial<RequestedChange>,
  { originalStart = second, of = series(), now = early }: { originalStart?: Date; of?: Series; now?: Date } = {},
): ChangePlan => planOccurrenceChange(of, texts, { originalStart, requested: { ...nothing, ...requested } }, now)

const change = (changes: Partial<OccurrenceChange>, originalStart = second): OccurrenceChange => ({
  originalStart,
  times: null,
  topic: null,
  description: null,
  location: null,
  ...changes,
})
const span = (startsAt: string, endsAt: string) => ({ startsAt: at(startsAt), endsAt: at(endsAt) })
const toNoon = change({ times: span('14T12:00:00', '14T13:00:00') })

const changes: [string, Partial<RequestedChange>, Series, OccurrenceChange | null][] = [
  ['a start alone keeps the length', { startsAt: at('14T12:00:00') }, series(), toNoon],
  ['an end alone', { endsAt: at('14T11:00:00') }, series(), change({ times: span('14T09:00:00', '14T11:00:00') })],
  ['a topic', { topic: 'Review' }, series(), change({ topic: 'Review' })],
  ['a description, emptied', { description: '' }, series(), change({ description: '' })],
  ['a location, emptied', { location: '' }, series(), change({ location: '' })],
  [
    'a second change adds to the first',
    { topic: 'Review' },
    series({ changed: [toNoon] }),
    { ...toNoon, topic: 'Review' },
  ],
  [
    'a start alone keeps the own length',
    { startsAt: at('15T09:00:00') },
    series({ changed: [change({ times: span('14T09:00:00', '14T12:00:00') })] }),
    change({ times: span('15T09:00:00', '15T12:00:00') }),
  ],
  ['back to the times of the series', { startsAt: second }, series({ changed: [toNoon] }), null],
  [
    'back to the topic of the series',
    { topic: 'Stand-up' },
    series({ changed: [{ ...toNoon, topic: 'Review' }] }),
    toNoon,
  ],
]
for (const [name, requested, of, expected] of changes) {
  test(`a change: ${name}`, () => assert.deepEqual(plan(requested, { of }), { kind: 'change', change: expected }))
}

const idle: [string, Partial<RequestedChange>, Series][] = [
  ['no field', {}, series()],
  ['what the series has', { startsAt: second, topic: 'Stand-up', description: 'Every Monday' }, series()],
  ['what it has already', { startsAt: at('14T12:00:00') }, series({ changed: [toNoon] })],
]
for (const [name, requested, of] of idle) {
  test(`nothing to do: ${name}`, () => assert.deepEqual(plan(requested, { of }), { kind: 'nothing-to-do' }))
}

const bounds: [string, string, Date, Series, string | undefined][] = [
  ['a second after the occurrence before', '07T09:00:01', second, series(), undefined],
  ['with the occurrence before', '07T09:00:00', second, series(), 'not_between_neighbours'],
  ['a second before the occurrence after', '21T08:59:59', second, series(), undefined],
  ['with the occurrence after', '21T09:00:00', second, series(), 'not_between_neighbours'],
  ['the first one, long before', '01T00:00:00', first, series(), undefined],
  ['the first one, past the second', '14T09:00:00', first, series(), 'not_between_neighbours'],
  ['the last one, later', '31T00:00:00', last, series(), undefined],
  [
    'beside a cancelled one',
    '21T09:00:00',
    second,
    series({ cancelled: [at('21T09:00:00')] }),
    'not_between_neighbours',
  ],
  [
    'beside one that was moved away',
    '22T09:00:00',
    second,
    series({ changed: [change({ times: span('25T09:00:00', '25T10:00:00') }, at('21T09:00:00'))] }),
    'not_between_neighbours',
  ],
]
for (const [name, startsAt, originalStart, of, code] of bounds) {
  test(`a new start ${name}: ${code ?? 'taken'}`, () => {
    const planned = plan({ startsAt: at(startsAt) }, { originalStart, of })
    assert.equal(planned.kind === 'invalid' ? planned.violation.code : undefined, code)
  })
}

const lengths: [string, Partial<RequestedChange>, string | undefined][] = [
  ['an end at the start', { endsAt: second }, 'not_after_start'],
  ['an end a second after the start', { endsAt: at('14T09:00:01') }, undefined],
  ['24 hours', { endsAt: at('15T09:00:00') }, undefined],
  ['a second more', { endsAt: at('15T09:00:01') }, 'too_long'],
  ['a start after the end', { startsAt: at('14T12:00:00'), endsAt: at('14T11:00:00') }, 'not_after_start'],
]
for (const [name, requested, code] of lengths) {
  test(`the length of an occurrence: ${name}`, () => {
    const planned = plan(requested)
    assert.equal(planned.kind === 'invalid' ? planned.violation.code : undefined, code)
  })
}

test('does not validate unchanged times again', () => {
  const of = series({ changed: [change({ times: span('25T09:00:00', '25T10:00:00') })] })
  assert.equal(plan({ topic: 'Review' }, { of }).kind, 'change')
  assert.equal(plan({ startsAt: at('25T11:00:00') }, { of }).kind, 'invalid')
})

const unchangeable: [string, ChangePlan['kind'], Parameters<typeof plan>[1]][] = [
  ['a time at which none starts', 'no-such-occurrence', { originalStart: at('15T09:00:00') }],
  [
    'the start to which one was moved',
    'no-such-occurrence',
    { originalStart: at('14T12:00:00'), of: series({ changed: [toNoon] }) },
  ],
  ['a single meeting', 'no-such-occurrence', { originalStart: first, of: series({ rule: { repeat: 'none' } }) }],
  ['a cancelled one', 'occurrence-cancelled', { of: series({ cancelled: [second] }) }],
  ['one that runs', 'change', { now: at('14T09:59:59') }],
  ['one that is over', 'occurrence-over', { now: at('14T10:00:00') }],
  ['one that was moved and is not over yet', 'change', { now: at('14T12:59:59'), of: series({ changed: [toNoon] }) }],
  ['one that was moved and is over', 'occurrence-over', { now: at('14T13:00:00'), of: series({ changed: [toNoon] }) }],
]
for (const [name, kind, where] of unchangeable) {
  test(`changing ${name}: ${kind}`, () => assert.equal(plan({ topic: 'Review' }, where).kind, kind))
}

test('a series has at most 500 changed occurrences, which can be changed again', () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, day) =>
      change({ topic: 'Review' }, new Date(first.getTime() + day * 24 * hourMs)),
    )
  const daily = (count: number) =>
    series({ rule: { repeat: 'daily', interval: 1 }, endsBy: null, changed: days(count) })
  const next = new Date(first.getTime() + 600 * 24 * hourMs)
  assert.equal(plan({ topic: 'Other' }, { of: daily(maxChangedOccurrences - 1), originalStart: next }).kind, 'change')
  assert.equal(plan({ topic: 'Other' }, { of: daily(maxChangedOccurrences), originalStart: next }).kind, 'too-many')
  assert.equal(plan({ topic: 'Other' }, { of: daily(maxChangedOccurrences), originalStart: first }).kind, 'change')
})

test('the descriptions of all changed occurrences have a limit together, which other changes do not reach', () => {
  const described = (length: number) => series({ changed: [{ ...toNoon, description: 'x'.repeat(length) }] })
  const description = 'y'.repeat(1_000)
  const [full, over] = [maxChangedDescriptionsLength - 1_000, maxChangedDescriptionsLength - 999]
  assert.equal(plan({ description }, { of: described(full), originalStart: first }).kind, 'change')
  const refused = plan({ description }, { of: described(over), originalStart: first })
  assert.ok(refused.kind === 'invalid')
  assert.deepEqual([refused.violation.path, refused.violation.code], ['/description', 'too_long'])
  assert.match(refused.violation.message, /250,000 characters together/)
  // The description of the same occurrence is replaced, and a topic adds none.
  assert.equal(plan({ description }, { of: described(over) }).kind, 'change')
  assert.equal(plan({ topic: 'Other' }, { of: described(maxChangedDescriptionsLength + 1) }).kind, 'change')
})

test('a change is taken back until the occurrence is over', () => {
  const of = series({ changed: [toNoon] })
  assert.deepEqual(planUndoingChange(of, second, at('14T12:59:59')), { kind: 'change', change: null })
  assert.equal(planUndoingChange(of, second, at('14T13:00:00')).kind, 'occurrence-over')
  assert.equal(planUndoingChange(of, first, early).kind, 'nothing-to-do')
  assert.equal(planUndoingChange(of, at('15T09:00:00'), early).kind, 'no-such-occurrence')
  assert.equal(planUndoingChange({ ...of, cancelled: [second] }, second, early).kind, 'occurrence-cancelled')
})

test('a cancelled occurrence is restored until it is over', () => {
  const of = series({ cancelled: [second] })
  assert.deepEqual(planRestoring(of, second, at('14T09:59:59')), { kind: 'restore' })
  assert.equal(planRestoring(of, second, at('14T10:00:00')).kind, 'occurrence-over')
  assert.equal(planRestoring({ ...of, changed: [toNoon] }, second, at('14T12:59:59')).kind, 'restore')
  assert.equal(planRestoring(of, first, early).kind, 'nothing-to-do')
  assert.equal(planRestoring(of, at('15T09:00:00'), early).kind, 'no-such-occurrence')
})

test('reads times and texts, and refuses what belongs to the series, all at once', () => {
  assert.deepEqual(readOccurrenceChange({ startTime: '2030-01-14T10:00:00.900+01:00', topic: ' Review ' }), {
    value: { ...nothing, startsAt: second, topic: ' Review ' },
  })
  const codesOf = (sent: Parameters<typeof readOccurrenceChange>[0]) =>
    readOccurrenceChange(sent).violations?.map(({ path, code }) => `${path} ${code}`)
  assert.deepEqual(codesOf({ startTime: 'noon', topic: '', participants: [], repeatOptions: { timeZone: 'IST' } }), [
    '/startTime bad_format',
    '/topic too_short',
    '/participants not_for_one_occurrence',
    '/repeatOptions not_for_one_occurrence',
  ])
  for (const field of ['cohosts', 'advancedOptions', 'isPinEnabled', 'reminderMinutes']) {
    assert.deepEqual(codesOf({ [field]: null }), [`/${field} not_for_one_occurrence`])
  }
})
