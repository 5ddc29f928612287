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
  unknown,
  until,
} from '../../test/guest-mails.ts'
import { planGuestMail } from './plan-guest-mail.ts'

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
  const plan = planGuestMail({ confirmed: holding(single), unconfirmed: [], target }, before)
  assert.equal(plan.kind === 'send' && plan.mail.state, single)
})

test('an update is compared with the last mail to the guest', () => {
  const now = stateOf(once, { topic: 'Third' })
  const plan = planGuestMail({ confirmed: holding(single), unconfirmed: [], target: takesPlace(now) }, before)
  assert.deepEqual(plan.kind === 'send' && [plan.mail.former, plan.mail.state], [single, now])
})
