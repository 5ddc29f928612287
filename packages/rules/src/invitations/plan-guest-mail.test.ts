import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecurrenceRule, Series } from '../recurrence/recurrence.ts'
import type { CalendarState } from './invitation-changes.ts'
import { type CalendarTarget, type GuestCalendar, planGuestMail } from './plan-guest-mail.ts'

const mondays: RecurrenceRule = { repeat: 'weekly', interval: 1, daysOfWeek: [0, 1, 0, 0, 0, 0, 0] }
const first = new Date('2030-01-07T09:00:00Z')
const second = new Date('2030-01-14T09:00:00Z')
const third = new Date('2030-01-21T09:00:00Z')
const before = new Date('2030-01-01T00:00:00Z')
/** While the first date is running; and between the first and the second. */
const running = new Date('2030-01-07T09:10:00Z')
const between = new Date('2030-01-10T00:00:00Z')
const after = new Date('2030-02-01T00:00:00Z')

const once: Series = {
  startsAt: first,
  durationMs: 1_800_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  excluded: [],
  changed: [],
}
const weekly: Series = { ...once, rule: mondays, endsBy: third }
const stateOf = (series: Series, changes: Partial<CalendarState> = {}): CalendarState => ({
  topic: 'Stand-up',
  description: '',
  code: '1234567890',
  pin: 'abc234',
  series,
  ...changes,
})
const single = stateOf(once)
const series = stateOf(weekly)
const without = (...excluded: Date[]) => stateOf({ ...weekly, excluded })
const until = (endsBy: Date) => stateOf({ ...weekly, endsBy })
/** The second date, or another one, at noon; and with a topic of its own. */
const atNoon = (originalStart = second) => {
  const day = originalStart.toISOString().slice(0, 10)
  const times = { startsAt: new Date(`${day}T12:00:00Z`), endsAt: new Date(`${day}T12:30:00Z`) }
  return { originalStart, times, topic: null, description: null }
}
const renamed = (originalStart = second) => ({ originalStart, times: null, topic: 'Review', description: null })
const changing = (...changed: Series['changed']) => stateOf({ ...weekly, changed })
const past = stateOf({ ...once, startsAt: new Date('2029-12-03T09:00:00Z') })

const nothing: GuestCalendar = { kind: 'nothing' }
const unknown: GuestCalendar = { kind: 'unknown' }
const holding = (state: CalendarState): GuestCalendar => ({ kind: 'meeting', state })
const meeting = { kind: 'meeting' as const, isCancelled: false, continuedFrom: null }
const takesPlace = (state: CalendarState): CalendarTarget => ({ ...meeting, state })
const endedEarly = (state: CalendarState): CalendarTarget => ({ ...meeting, state, isCancelled: true })
const continued = (state: CalendarState, continuedFrom: Date): CalendarTarget => ({ ...meeting, state, continuedFrom })
const cancelled: CalendarTarget = { kind: 'nothing', reason: 'cancelled', state: series }
const removed: CalendarTarget = { kind: 'nothing', reason: 'removed', state: series }

/**
 * Each: the case, what the guest's calendar shows, what unconfirmed mails showed, the current state, the time, the
 * mail.
 */
type Row = [string, GuestCalendar, GuestCalendar[], CalendarTarget, Date, string]
const rows: Row[] = [
  ['invited', nothing, [], takesPlace(single), before, 'invitation'],
  ['invited while it runs', nothing, [], takesPlace(single), running, 'invitation'],
  ['invited to a past meeting', nothing, [], takesPlace(single), after, 'none'],
  ['never invited, and cancelled', nothing, [], cancelled, before, 'none'],
  ['never invited, and removed', nothing, [], removed, before, 'none'],
  [
    'never invited to a series that was cancelled while it ran',
    nothing,
    [],
    endedEarly(until(running)),
    running,
    'none',
  ],

  [
    'continued by another meeting',
    holding(series),
    [],
    continued(until(second), third),
    before,
    'series-continued from 2030-01-21',
  ],
  [
    'continued, with nothing left ahead',
    holding(series),
    [],
    continued(until(first), second),
    between,
    'series-continued from 2030-01-14',
  ],
  [
    'continued after a change without notification',
    holding(without(first)),
    [],
    continued(stateOf({ ...weekly, endsBy: second }, { topic: 'x' }), third),
    before,
    'series-continued: topic dates from 2030-01-21',
  ],
  [
    'continued, when a change may have arrived',
    holding(series),
    [holding(without(second))],
    continued(until(second), third),
    before,
    'series-continued from 2030-01-21',
  ],
  ['ended earlier than it was continued', holding(series), [], continued(until(first), third), before, 'update: rule'],
  ['ended earlier after that', holding(until(second)), [], continued(until(first), third), before, 'update: rule'],
  [
    'changed after that',
    holding(until(second)),
    [],
    continued(stateOf({ ...weekly, endsBy: second }, { topic: 'x' }), third),
    before,
    'update: topic',
  ],
  [
    'continued at another time of day',
    holding(series),
    [],
    continued(stateOf({ ...weekly, durationMs: 60_000, endsBy: second }), third),
    before,
    'update: time rule',
  ],
  ['invited after it was continued', nothing, [], continued(until(second), third), before, 'invitation'],

  ['nothing changed', holding(series), [], takesPlace(series), before, 'none'],
  ['changed back', holding(single), [], takesPlace(stateOf(once)), before, 'none'],
  ['topic', holding(single), [], takesPlace(stateOf(once, { topic: 'Sit-down' })), before, 'update: topic'],
  ['topic, when it is over', holding(single), [], takesPlace(stateOf(once, { topic: 'Sit-down' })), after, 'none'],
  ['moved into the past', holding(single), [], takesPlace(past), before, 'update: time'],
  ['moved within the past', holding(single), [], takesPlace(past), after, 'none'],
  ['moved out of the past', holding(past), [], takesPlace(single), before, 'update: time'],
  ['moved into the past and cancelled', holding(single), [], cancelled, before, 'cancellation from 2030-01-07'],

  [
    'one date cancelled',
    holding(series),
    [],
    takesPlace(without(second)),
    before,
    'occurrence-cancellation from 2030-01-14',
  ],
  ['two dates cancelled', holding(series), [], takesPlace(without(second, third)), before, 'update: dates'],
  [
    'two dates cancelled, the first without notification',
    holding(without(first)),
    [],
    takesPlace(without(first, second)),
    before,
    'occurrence-cancellation from 2030-01-14',
  ],
  ['one date moved', holding(series), [], takesPlace(changing(atNoon())), before, 'occurrence-update from 2030-01-14'],
  [
    'one date renamed',
    holding(series),
    [],
    takesPlace(changing(renamed())),
    before,
    'occurrence-update from 2030-01-14',
  ],
  [
    'one date changed again',
    holding(changing(atNoon())),
    [],
    takesPlace(changing({ ...atNoon(), topic: 'Review' })),
    before,
    'occurrence-update from 2030-01-14',
  ],
  [
    'the change of one date taken back',
    holding(changing(atNoon())),
    [],
    takesPlace(series),
    before,
    'occurrence-update from 2030-01-14',
  ],
  [
    'one date changed beside one that was',
    holding(changing(atNoon(first))),
    [],
    takesPlace(changing(atNoon(first), renamed())),
    before,
    'occurrence-update from 2030-01-14',
  ],
  [
    'one date changed, in the same way',
    holding(changing(atNoon())),
    [],
    takesPlace(changing(atNoon())),
    before,
    'none',
  ],
  [
    'two dates changed',
    holding(series),
    [],
    takesPlace(changing(atNoon(), renamed(third))),
    before,
    'update: occurrences',
  ],
  [
    'the change moved from one date to another',
    holding(changing(renamed())),
    [],
    takesPlace(changing(renamed(third))),
    before,
    'update: occurrences',
  ],
  [
    'one date changed, and the topic without notification',
    holding(series),
    [],
    takesPlace(stateOf({ ...weekly, changed: [atNoon()] }, { topic: 'x' })),
    before,
    'update: topic occurrences',
  ],
  [
    'one date changed, and another one cancelled',
    holding(series),
    [],
    takesPlace(stateOf({ ...weekly, changed: [atNoon()], excluded: [third] })),
    before,
    'update: dates occurrences',
  ],
  [
    'one date changed, and then cancelled',
    holding(series),
    [],
    takesPlace(stateOf({ ...weekly, changed: [atNoon()], excluded: [second] })),
    before,
    'occurrence-cancellation from 2030-01-14',
  ],
  [
    'a changed date cancelled',
    holding(changing(atNoon())),
    [],
    takesPlace(stateOf({ ...weekly, changed: [atNoon()], excluded: [second] })),
    before,
    'occurrence-cancellation from 2030-01-14',
  ],
  [
    'a cancelled date changed, which nobody sees',
    holding(without(second)),
    [],
    takesPlace(stateOf({ ...weekly, changed: [atNoon()], excluded: [second] })),
    before,
    'none',
  ],
  [
    'a cancelled date restored with a change',
    holding(without(second)),
    [],
    takesPlace(changing(atNoon())),
    before,
    'update: dates',
  ],
  [
    'a change at a start that the rule does not give',
    holding(series),
    [],
    takesPlace(changing(atNoon(new Date('2030-01-15T09:00:00Z')))),
    before,
    'none',
  ],
  ['one date changed, when all are over', holding(series), [], takesPlace(changing(renamed())), after, 'none'],
  [
    'a past date changed, when others are ahead',
    holding(series),
    [],
    takesPlace(changing(renamed(first))),
    between,
    'occurrence-update from 2030-01-07',
  ],
  [
    'one date changed of a series that the guest does not have',
    nothing,
    [],
    takesPlace(changing(atNoon())),
    before,
    'invitation',
  ],
  ['one date changed, the calendar unknown', unknown, [], takesPlace(changing(atNoon())), before, 'update'],
  [
    'one date changed, when another change may have arrived',
    holding(series),
    [holding(without(third))],
    takesPlace(changing(atNoon())),
    before,
    'update: occurrences',
  ],
  [
    'the change of one date may have arrived',
    holding(series),
    [holding(changing(atNoon()))],
    takesPlace(changing(atNoon())),
    before,
    'repeat',
  ],
  [
    'the change of one date may have arrived, and is taken back',
    holding(series),
    [holding(changing(atNoon()))],
    takesPlace(series),
    before,
    'update: occurrences',
  ],
  ['a date restored', holding(without(second)), [], takesPlace(series), before, 'update: dates'],
  [
    'a date cancelled after a change without notification',
    holding(series),
    [],
    takesPlace(stateOf({ ...weekly, excluded: [second] }, { topic: 'x' })),
    before,
    'update: topic dates',
  ],

  ['cancelled', holding(single), [], cancelled, before, 'cancellation from 2030-01-07'],
  ['cancelled when it is over', holding(single), [], cancelled, after, 'none'],
  ['cancelled while it runs', holding(single), [], cancelled, running, 'cancellation'],
  ['removed', holding(series), [], removed, between, 'removal from 2030-01-14'],
  ['removed from a past meeting', holding(series), [], removed, after, 'none'],

  [
    'a series is cancelled after one was held',
    holding(series),
    [],
    endedEarly(until(between)),
    between,
    'series-end from 2030-01-14',
  ],
  [
    'a series is cancelled while one is held',
    holding(series),
    [],
    endedEarly(until(running)),
    running,
    'series-end from 2030-01-14',
  ],
  [
    'a series ends by an end date in the past',
    holding(series),
    [],
    takesPlace(until(first)),
    between,
    'series-end from 2030-01-14',
  ],
  [
    'the series ends, and the topic changes',
    holding(series),
    [],
    takesPlace(stateOf({ ...weekly, endsBy: first }, { topic: 'x' })),
    between,
    'series-end: topic from 2030-01-14',
  ],
  [
    'the series ends after its next date was cancelled without notification',
    holding(without(second)),
    [],
    endedEarly(until(between)),
    between,
    'series-end from 2030-01-21',
  ],
  ['the series gets an end in the future', holding(series), [], takesPlace(until(second)), between, 'update: rule'],
  ['the series ends after its last date', holding(series), [], takesPlace(until(first)), after, 'none'],
  [
    'the series ends, at another time of day',
    holding(series),
    [],
    takesPlace(stateOf({ ...weekly, startsAt: past.series.startsAt, endsBy: past.series.startsAt })),
    before,
    'update: time rule',
  ],
  [
    'the last date of the series is cancelled',
    holding(series),
    [],
    endedEarly(stateOf({ ...weekly, endsBy: third, excluded: [third] })),
    new Date('2030-01-20'),
    'series-end from 2030-01-21',
  ],

  ['the calendar has an unknown state', unknown, [], takesPlace(single), before, 'update'],
  [
    'the calendar has an unknown state, and the meeting is cancelled',
    unknown,
    [],
    cancelled,
    before,
    'cancellation from 2030-01-07',
  ],
  [
    'the calendar has an unknown state, and the series has ended',
    unknown,
    [],
    endedEarly(until(between)),
    between,
    'series-end from 2030-01-10',
  ],

  ['the invitation may have arrived', nothing, [holding(single)], takesPlace(single), before, 'repeat'],
  [
    'the invitation may have arrived, and the topic changed',
    nothing,
    [holding(single)],
    takesPlace(stateOf(once, { topic: 'x' })),
    before,
    'invitation',
  ],
  [
    'the invitation may have arrived, and the guest is removed',
    nothing,
    [holding(series)],
    removed,
    before,
    'removal from 2030-01-07',
  ],
  [
    'the invitation may have arrived, and the meeting is over',
    nothing,
    [holding(single)],
    takesPlace(single),
    after,
    'none',
  ],
  [
    'the invitation may have arrived, and the meeting was moved into the past',
    nothing,
    [holding(single)],
    takesPlace(past),
    before,
    'update: time',
  ],
  [
    'an invitation and a later removal may have arrived',
    nothing,
    [holding(series), nothing],
    removed,
    before,
    'repeat',
  ],
  [
    'a removal may have arrived, and the guest is invited again',
    holding(series),
    [nothing],
    takesPlace(series),
    before,
    'update',
  ],
  [
    'a change may have arrived, and is reverted',
    holding(series),
    [holding(stateOf(weekly, { topic: 'x' }))],
    takesPlace(series),
    before,
    'update: topic',
  ],
  [
    'the cancellation of a date may have arrived, and another one follows',
    holding(series),
    [holding(without(first))],
    takesPlace(without(first, second)),
    before,
    'update: dates',
  ],
  [
    'the cancellation of a date may have arrived',
    holding(series),
    [holding(without(second))],
    takesPlace(without(second)),
    before,
    'repeat',
  ],
  [
    'a change may have arrived, so no single date is cancelled',
    holding(series),
    [holding(stateOf(weekly, { topic: 'x' }))],
    takesPlace(without(second)),
    before,
    'update: dates',
  ],
]

for (const [name, confirmed, unconfirmed, target, now, expected] of rows) {
  test(`${name}: ${expected}`, () => {
    const plan = planGuestMail({ confirmed, unconfirmed, target }, now)
    if (plan.kind !== 'send') return assert.equal(plan.kind, expected)
    const { kind, changed, date } = plan.mail
    const said = changed.length > 0 ? `${kind}: ${changed.join(' ')}` : kind
    assert.equal(date === null ? said : `${said} from ${date.toISOString().slice(0, 10)}`, expected)
  })
}

test('a cancellation shows the state that the guest knows, not a later change without notification', () => {
  const moved = stateOf({ ...once, startsAt: second })
  const target = { kind: 'nothing' as const, reason: 'cancelled' as const, state: moved }
  const plan = planGuestMail({ confirmed: holding(single), unconfirmed: [], target }, before)
  assert.equal(plan.kind === 'send' && plan.mail.state, single)
})

test('an update is compared with the last mail to the guest', () => {
  const now = stateOf(once, { topic: 'Third' })
  const plan = planGuestMail({ confirmed: holding(single), unconfirmed: [], target: takesPlace(now) }, before)
  assert.deepEqual(plan.kind === 'send' && [plan.mail.former, plan.mail.state], [single, now])
})
