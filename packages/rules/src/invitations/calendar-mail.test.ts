import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  after,
  before,
  between,
  cancelled,
  endedEarly,
  holding,
  nothing,
  once,
  past,
  removed,
  running,
  second,
  series,
  single,
  stateOf,
  takesPlace,
  testRows,
  third,
  unknown,
  until,
  without,
} from '../../test/guest-mails.ts'
import { type CalendarTarget, type GuestCalendar, planCalendarMail } from './calendar-mail.ts'

testRows([
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

  ['nothing changed', holding(series), [], takesPlace(series), before, 'none'],
  ['changed back', holding(single), [], takesPlace(stateOf(once)), before, 'none'],
  ['topic', holding(single), [], takesPlace(stateOf(once, { topic: 'Sit-down' })), before, 'update: topic'],
  ['topic, when it is over', holding(single), [], takesPlace(stateOf(once, { topic: 'Sit-down' })), after, 'none'],
  ['moved into the past', holding(single), [], takesPlace(past), before, 'update: time'],
  ['moved within the past', holding(single), [], takesPlace(past), after, 'none'],
  ['moved out of the past', holding(past), [], takesPlace(single), before, 'update: time'],
  ['moved into the past and cancelled', holding(single), [], cancelled, before, 'cancellation from 2030-01-07'],

  ['cancelled', holding(single), [], cancelled, before, 'cancellation from 2030-01-07'],
  ['cancelled when it is over', holding(single), [], cancelled, after, 'none'],
  ['cancelled while it runs', holding(single), [], cancelled, running, 'cancellation'],
  ['removed', holding(series), [], removed, between, 'removal from 2030-01-14'],
  ['removed from a past meeting', holding(series), [], removed, after, 'none'],

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
])

test('a cancellation shows the state that the guest knows, not a later change without notification', () => {
  const moved = stateOf({ ...once, startsAt: second })
  const target = { kind: 'nothing' as const, reason: 'cancelled' as const, state: moved }
  const plan = planCalendarMail({ confirmed: holding(single), unconfirmed: [], target }, before)
  assert.equal(plan.kind === 'send' && plan.mail.state, single)
})

test('an update is compared with the last mail to the guest', () => {
  const now = stateOf(once, { topic: 'Third' })
  const plan = planCalendarMail({ confirmed: holding(single), unconfirmed: [], target: takesPlace(now) }, before)
  assert.deepEqual(plan.kind === 'send' && [plan.mail.former, plan.mail.state], [single, now])
})

const corrections: [string, GuestCalendar, GuestCalendar[], CalendarTarget, Date, boolean][] = [
  ['a date is restored', holding(without(second)), [], takesPlace(series), before, true],
  [
    'a date that may have been told is restored',
    holding(series),
    [holding(without(second))],
    takesPlace(series),
    before,
    true,
  ],
  ['a date is restored, and another cancelled', holding(without(second)), [], takesPlace(without(third)), before, true],
  ['a date is cancelled', holding(series), [], takesPlace(without(second)), before, false],
  ['a cancelled meeting takes place', { kind: 'nothing', emptied: true }, [], takesPlace(single), before, true],
  [
    'a cancellation that may have arrived is undone',
    holding(single),
    [{ kind: 'nothing', emptied: true }],
    takesPlace(single),
    before,
    true,
  ],
  ['a guest is invited', nothing, [], takesPlace(single), before, false],
  ['an ended series goes on', holding(until(running)), [], takesPlace(series), between, true],
  ['a series ends', holding(series), [], endedEarly(until(running)), between, false],
  ['a meeting is moved', holding(single), [], takesPlace(past), before, false],
  ['a restored series is over', holding(without(second)), [], takesPlace(series), after, false],
]
for (const [name, confirmed, unconfirmed, target, now, isCorrection] of corrections)
  test(`whether a mail corrects an earlier one: ${name}`, () => {
    const plan = planCalendarMail({ confirmed, unconfirmed, target }, now)
    assert.equal(plan.kind === 'send' && plan.isCorrection, isCorrection)
  })
