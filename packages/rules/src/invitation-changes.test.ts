import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InvitedMeeting, type MeetingChange, planInvitations } from './invitation-changes.ts'
import type { RecurrenceRule, Series } from './recurrence.ts'

const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const first = new Date('2030-01-07T09:00:00Z')
const second = new Date('2030-01-14T09:00:00Z')
const third = new Date('2030-01-21T09:00:00Z')
const before = new Date('2030-01-01T00:00:00Z')

const once: Series = {
  startsAt: first,
  durationMs: 1_800_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  excluded: [],
}
const weekly: Series = { ...once, rule: mondays, endsBy: third }
const meeting: InvitedMeeting = {
  topic: 'Stand-up',
  description: '',
  code: '1234567890',
  pin: 'abc234',
  series: once,
  guests: ['bob', 'carol'],
}
const series: InvitedMeeting = { ...meeting, series: weekly }
const moved = { ...weekly, startsAt: new Date('2030-01-07T10:00:00Z') }

const updated = (changes: Partial<InvitedMeeting>, from = meeting): MeetingChange => ({
  kind: 'updated',
  before: from,
  after: { ...from, ...changes },
})

/** Each: what happened, when, who is told what, what changed, whether SEQUENCE goes on. */
const rows: [string, MeetingChange, Date, string, string, boolean][] = [
  ['created', { kind: 'created', after: meeting }, before, 'bob invitation, carol invitation', '', false],
  ['created for nobody', { kind: 'created', after: { ...meeting, guests: [] } }, before, '', '', false],
  [
    'created while it runs',
    { kind: 'created', after: meeting },
    new Date('2030-01-07T09:29:59Z'),
    'bob invitation, carol invitation',
    '',
    false,
  ],
  ['created when it is over', { kind: 'created', after: meeting }, new Date('2030-01-07T09:30:00Z'), '', '', false],

  ['nothing changed', updated({}), before, '', '', false],
  ['topic', updated({ topic: 'Sit-down' }), before, 'bob update, carol update', 'topic', true],
  ['description', updated({ description: 'x' }), before, 'bob update, carol update', 'description', true],
  ['PIN', updated({ pin: 'xyz789' }), before, 'bob update, carol update', 'pin', true],
  ['link', updated({ code: '2345678901' }), before, 'bob update, carol update', 'link', true],
  ['start', updated({ series: { ...once, startsAt: second } }), before, 'bob update, carol update', 'time', true],
  ['length', updated({ series: { ...once, durationMs: 60_000 } }), before, 'bob update, carol update', 'time', true],
  ['zone', updated({ series: { ...once, timeZone: 'Asia/Tokyo' } }), before, 'bob update, carol update', 'time', true],
  ['rule', updated({ series: weekly }), before, 'bob update, carol update', 'rule', true],
  [
    'end of the series',
    updated({ series: { ...weekly, endsBy: second } }, series),
    before,
    'bob update, carol update',
    'rule',
    true,
  ],
  [
    'the same rule, its fields in another order',
    updated(
      { series: { ...weekly, rule: { daysOfWeek: [0, 1, 0, 0, 0, 0, 0], interval: 1, repeat: 'weekly' } } },
      series,
    ),
    before,
    '',
    '',
    false,
  ],
  [
    'several at once',
    updated({ topic: 'Sit-down', series: moved }),
    before,
    'bob update, carol update',
    'topic time rule',
    true,
  ],
  ['somebody more', updated({ guests: ['bob', 'carol', 'dan'] }), before, 'dan invitation', '', true],
  ['somebody less', updated({ guests: ['carol'] }), before, 'bob removal', '', true],
  ['one for another', updated({ guests: ['carol', 'dan'] }), before, 'dan invitation, bob removal', '', true],
  ['the same people in another order', updated({ guests: ['carol', 'bob'] }), before, '', '', false],
  [
    'topic and people',
    updated({ topic: 'Sit-down', guests: ['carol', 'dan'] }),
    before,
    'carol update, dan invitation, bob removal',
    'topic',
    true,
  ],
  ['changed when it is over', updated({ topic: 'Sit-down' }), new Date('2030-01-08'), '', 'topic', true],
  [
    'moved into the past',
    updated({ series: { ...once, startsAt: new Date('2029-01-01T09:00:00Z') } }),
    before,
    '',
    'time',
    true,
  ],
  [
    'moved out of the past',
    updated({ series: { ...once, startsAt: second } }),
    new Date('2030-01-08'),
    'bob update, carol update',
    'time',
    true,
  ],

  [
    'one date cancelled',
    { kind: 'occurrence-cancelled', before: series, occurrence: second },
    before,
    'bob occurrence-cancellation, carol occurrence-cancellation',
    '',
    true,
  ],
  [
    'cancelled whole, single',
    { kind: 'cancelled', before: meeting, skip: null },
    before,
    'bob cancellation, carol cancellation',
    '',
    true,
  ],
  [
    'a single one that is over',
    { kind: 'cancelled', before: meeting, skip: null },
    new Date('2030-01-08'),
    '',
    '',
    true,
  ],
  [
    'a series of which nothing was held',
    { kind: 'cancelled', before: series, skip: null },
    new Date('2030-01-07T08:59:59Z'),
    'bob cancellation, carol cancellation',
    '',
    true,
  ],
  [
    'a series of which the first date has begun',
    { kind: 'cancelled', before: series, skip: null },
    first,
    'bob series-end, carol series-end',
    '',
    true,
  ],
  [
    'its first date was skipped, and nothing held',
    { kind: 'cancelled', before: { ...series, series: { ...weekly, excluded: [first] } }, skip: null },
    new Date('2030-01-08'),
    'bob cancellation, carol cancellation',
    '',
    true,
  ],
  [
    'the last date of a series that was held',
    { kind: 'cancelled', before: series, skip: third },
    new Date('2030-01-15'),
    'bob series-end, carol series-end',
    '',
    true,
  ],
  ['a series that is over', { kind: 'cancelled', before: series, skip: null }, new Date('2030-02-01'), '', '', true],
]

for (const [name, change, now, letters, changed, advances] of rows) {
  test(`${name}: ${letters === '' ? 'nobody is mailed' : letters}`, () => {
    const plan = planInvitations(change, now)
    assert.equal(plan.letters.map(({ addressKey, kind }) => `${addressKey} ${kind}`).join(', '), letters)
    assert.equal(plan.changed.join(' '), changed)
    assert.equal(plan.advancesSequence, advances)
  })
}

test('the series that is told of has the cancelled date left out', () => {
  const plan = planInvitations({ kind: 'occurrence-cancelled', before: series, occurrence: second }, before)
  assert.deepEqual(plan.series, { ...weekly, excluded: [second] })
  assert.deepEqual(plan.cancelledFrom, second)
})

test('a series that ends early keeps what was held, and says from when on it is cancelled', () => {
  const now = new Date('2030-01-14T09:10:00Z')
  const plan = planInvitations({ kind: 'cancelled', before: series, skip: null }, now)
  assert.deepEqual(plan.series, { ...weekly, endsBy: now })
  assert.deepEqual(plan.cancelledFrom, third)
})

test('a series that ends with its running date leaves that one out', () => {
  const now = new Date('2030-01-21T09:10:00Z')
  const plan = planInvitations({ kind: 'cancelled', before: series, skip: third }, now)
  assert.deepEqual(plan.series, { ...weekly, endsBy: third, excluded: [third] })
  assert.deepEqual(plan.cancelledFrom, third)
})

test('what is cancelled whole is told as it was to be', () => {
  const plan = planInvitations({ kind: 'cancelled', before: series, skip: null }, before)
  assert.deepEqual(plan.series, weekly)
  assert.deepEqual(plan.cancelledFrom, first)
})
