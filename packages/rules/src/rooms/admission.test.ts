import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roomStates } from '@parley/contract'
import type { Series } from '../recurrence/recurrence.ts'
import { type AdmissionOptions, type AdmissionSituation, evaluateAdmission, occurrenceToEnter } from './admission.ts'

const nine = new Date('2030-01-07T09:00:00Z')
const occurrence = {
  originalStart: nine,
  startsAt: nine,
  endsAt: new Date('2030-01-07T09:30:00Z'),
  cancelled: false,
  change: null,
}
const open: AdmissionOptions = {
  loggedInOnly: false,
  isRestrictedMeeting: false,
  colleagueOnly: false,
  joinBeforeHost: true,
  waitingRoom: false,
}

const earlier = new Date('2030-01-07T08:59:59Z')

type Changes = {
  meeting?: Partial<NonNullable<AdmissionSituation['meeting']>> | undefined
  options?: Partial<AdmissionOptions>
  visitor?: Partial<AdmissionSituation['visitor']>
  pin?: AdmissionSituation['pin']
  room?: Partial<AdmissionSituation['room']>
}

/** A guest with the right PIN, at nine, for an empty room that is open to all. */
const situation = ({ meeting, options, visitor, pin = 'right', room }: Changes): AdmissionSituation => ({
  meeting: { cancelledAt: null, repeats: true, occurrence, options: { ...open, ...options }, ...meeting },
  visitor: { signedIn: false, invited: false, colleague: false, hosts: false, owns: false, ...visitor },
  pin,
  room: {
    ended: false,
    locked: false,
    approvalRequired: false,
    hostIsIn: false,
    decision: 'none',
    inside: false,
    inCall: false,
    dateCancelled: false,
    others: 0,
    capacity: 2,
    ...room,
  },
})

const cases: [string, Changes, string][] = [
  ['a guest with the PIN', {}, 'admitted'],
  ['cancelled before its start', { meeting: { cancelledAt: earlier, occurrence: undefined } }, 'cancelled'],
  ['a single meeting cancelled while it runs', { meeting: { cancelledAt: nine, repeats: false } }, 'cancelled'],
  ['a series cancelled while a date runs', { meeting: { cancelledAt: nine } }, 'admitted'],
  ['a series cancelled while a date runs, ended', { meeting: { cancelledAt: nine }, room: { ended: true } }, 'ended'],
  ['a series cancelled at the end of a date', { meeting: { cancelledAt: occurrence.endsAt } }, 'cancelled'],
  ['a meeting that is over', { meeting: { occurrence: undefined } }, 'ended'],
  ['ended by the host', { room: { ended: true } }, 'ended'],
  ['locked', { room: { locked: true } }, 'locked'],
  ['accounts only, a guest', { options: { loggedInOnly: true } }, 'sign_in_required'],
  ['accounts only, an account', { options: { loggedInOnly: true }, visitor: { signedIn: true } }, 'admitted'],
  ['restricted, not invited', { options: { isRestrictedMeeting: true }, visitor: { signedIn: true } }, 'not_invited'],
  ['restricted, invited', { options: { isRestrictedMeeting: true }, visitor: { invited: true } }, 'admitted'],
  ['colleagues only, from elsewhere', { options: { colleagueOnly: true }, visitor: { invited: true } }, 'not_invited'],
  ['colleagues only, a colleague', { options: { colleagueOnly: true }, visitor: { colleague: true } }, 'admitted'],
  ['without a PIN', { pin: 'missing' }, 'pin_required'],
  ['with a wrong PIN', { pin: 'wrong' }, 'pin_wrong'],
  ['after too many wrong PINs', { pin: 'paused' }, 'slow_down'],
  ['the host without a PIN', { pin: 'missing', visitor: { hosts: true } }, 'admitted'],
  ['the host with a wrong PIN', { pin: 'wrong', visitor: { hosts: true } }, 'admitted'],
  ['the host while PINs are paused', { pin: 'paused', visitor: { hosts: true } }, 'admitted'],
  ['an invited account without a PIN', { pin: 'missing', visitor: { invited: true } }, 'admitted'],
  ['an invited account while PINs are paused', { pin: 'paused', visitor: { invited: true } }, 'admitted'],
  [
    'an invited account without a PIN, at a waiting room',
    { pin: 'missing', visitor: { invited: true }, options: { waitingRoom: true } },
    'waiting',
  ],
  [
    'an invited account without a PIN, denied before',
    { pin: 'missing', visitor: { invited: true }, room: { decision: 'denied' } },
    'denied',
  ],
  ['a signed-in person without a PIN', { pin: 'missing', visitor: { signedIn: true } }, 'pin_required'],
  ['a colleague while PINs are paused', { pin: 'paused', visitor: { colleague: true } }, 'slow_down'],
  ['inside, with a wrong PIN', { pin: 'wrong', room: { inside: true, decision: 'admitted' } }, 'pin_wrong'],
  ['denied before, without a PIN', { pin: 'missing', room: { decision: 'denied' } }, 'pin_required'],
  ['locked, the host without a PIN', { pin: 'missing', visitor: { hosts: true }, room: { locked: true } }, 'locked'],
  ['not before the host, the host absent', { options: { joinBeforeHost: false } }, 'waiting_for_host'],
  [
    'not before the host, the host inside',
    { options: { joinBeforeHost: false }, room: { hostIsIn: true } },
    'admitted',
  ],
  ['the host, the room empty', { options: { joinBeforeHost: false }, visitor: { hosts: true } }, 'admitted'],
  ['a waiting room', { options: { waitingRoom: true } }, 'waiting'],
  ['a waiting room, the host inside', { options: { waitingRoom: true }, room: { hostIsIn: true } }, 'waiting'],
  ['a waiting room, admitted before', { options: { waitingRoom: true }, room: { decision: 'admitted' } }, 'admitted'],
  ['a waiting room, denied', { options: { waitingRoom: true }, room: { decision: 'denied' } }, 'denied'],
  ['a waiting room, the host', { options: { waitingRoom: true }, visitor: { hosts: true } }, 'admitted'],
  ['a waiting room, inside', { options: { waitingRoom: true }, room: { inside: true } }, 'admitted'],
  ['new guests asked', { room: { approvalRequired: true } }, 'waiting'],
  ['new guests asked, an account', { visitor: { signedIn: true }, room: { approvalRequired: true } }, 'waiting'],
  ['new guests asked, admitted before', { room: { approvalRequired: true, decision: 'admitted' } }, 'admitted'],
  ['new guests asked, inside', { room: { approvalRequired: true, inside: true, decision: 'admitted' } }, 'admitted'],
  ['new guests asked, invited', { visitor: { invited: true }, room: { approvalRequired: true } }, 'admitted'],
  ['new guests asked, the host', { visitor: { hosts: true }, room: { approvalRequired: true } }, 'admitted'],
  ['new guests asked, denied before', { room: { approvalRequired: true, decision: 'denied' } }, 'denied'],
  ['new guests asked, without a PIN', { pin: 'missing', room: { approvalRequired: true } }, 'pin_required'],
  [
    'new guests asked, a waiting room, invited',
    { options: { waitingRoom: true }, visitor: { invited: true }, room: { approvalRequired: true } },
    'waiting',
  ],
  ['no waiting room, denied or removed before', { room: { decision: 'denied' } }, 'denied'],
  ['no waiting room, asking again', { room: { decision: 'asks_again' } }, 'waiting'],
  ['asking again, invited', { visitor: { invited: true }, room: { decision: 'asks_again' } }, 'waiting'],
  ['asking again, without a PIN', { pin: 'missing', room: { decision: 'asks_again' } }, 'pin_required'],
  ['asking again, locked', { room: { locked: true, decision: 'asks_again' } }, 'locked'],
  [
    'a cohost who was removed and asks again',
    { visitor: { hosts: true }, room: { decision: 'asks_again' } },
    'waiting',
  ],
  ['a cohost who was removed', { visitor: { hosts: true }, room: { decision: 'denied' } }, 'denied'],
  [
    'the host, whom no denial affects',
    { visitor: { hosts: true, owns: true }, room: { decision: 'denied' } },
    'admitted',
  ],
  ['locked while inside', { room: { locked: true, inside: true } }, 'admitted'],
  ['locked, the host', { visitor: { hosts: true, owns: true }, room: { locked: true } }, 'locked'],
  ['inside, the host has left', { options: { joinBeforeHost: false }, room: { inside: true } }, 'admitted'],
  [
    'admitted before, the host has left',
    { options: { joinBeforeHost: false }, room: { decision: 'admitted' } },
    'waiting_for_host',
  ],
  ['inside, the room full', { room: { others: 2, inside: true } }, 'admitted'],
  ['ended while inside', { room: { ended: true, inside: true } }, 'ended'],
  [
    'a single meeting cancelled while inside',
    { meeting: { cancelledAt: nine, repeats: false }, room: { inside: true } },
    'cancelled',
  ],
  [
    'a single meeting cancelled, in its call',
    { meeting: { cancelledAt: nine, repeats: false }, room: { inside: true, inCall: true } },
    'admitted',
  ],
  [
    'a meeting cancelled before its start, in an early call',
    { meeting: { cancelledAt: earlier, occurrence: undefined }, room: { inside: true, inCall: true } },
    'admitted',
  ],
  [
    'a cancelled meeting, the host ended its call',
    { meeting: { cancelledAt: nine, repeats: false }, room: { inside: true, inCall: true, ended: true } },
    'cancelled',
  ],
  [
    'a cancelled meeting, in its call, the accounts only and a guest',
    {
      meeting: { cancelledAt: nine, repeats: false },
      options: { loggedInOnly: true },
      room: { inside: true, inCall: true },
    },
    'sign_in_required',
  ],
  ['a cancelled date, admitted to it', { room: { dateCancelled: true, decision: 'admitted' } }, 'cancelled'],
  ['a cancelled date, in its call', { room: { dateCancelled: true, inside: true, inCall: true } }, 'admitted'],
  ['a meeting that is over, in its call', { meeting: { occurrence: undefined }, room: { inCall: true } }, 'ended'],
  ['between two dates, inside', { meeting: { cancelledAt: occurrence.endsAt }, room: { inside: true } }, 'cancelled'],
  ['restricted while inside', { options: { isRestrictedMeeting: true }, room: { inside: true } }, 'not_invited'],
  ['one place left', { room: { others: 1 } }, 'admitted'],
  ['a full room', { room: { others: 2 } }, 'full'],
  ['a full room, the host', { room: { others: 2 }, visitor: { hosts: true } }, 'admitted'],
]
for (const [name, changes, state] of cases) {
  test(`${name}: ${state}`, () => assert.deepEqual(evaluateAdmission(situation(changes), nine), { state }))
}

test('no such meeting: not_found', () => {
  assert.deepEqual(evaluateAdmission({ ...situation({}), meeting: undefined }, nine), { state: 'not_found' })
})

const opensAt = new Date('2030-01-07T08:45:00Z')
for (const [at, options, expected] of [
  ['2030-01-07T08:44:59.999Z', {}, { state: 'too_early', opensAt }],
  ['2030-01-07T08:45:00.000Z', {}, { state: 'admitted' }],
  ['2030-01-07T08:44:59.999Z', { waitingRoom: true }, { state: 'too_early', opensAt }],
  ['2030-01-07T08:45:00.000Z', { waitingRoom: true }, { state: 'waiting' }],
  ['2030-01-01T00:00:00.000Z', { joinBeforeHost: false }, { state: 'waiting_for_host' }],
] as const) {
  test(`at ${at} with ${JSON.stringify(options)}: ${expected.state}`, () => {
    assert.deepEqual(evaluateAdmission(situation({ options }), new Date(at)), expected)
  })
}

test('a date that was running when its series was cancelled admits until its end, and keeps who has been inside', () => {
  const stateAt = (at: string, room: Changes['room'] = {}) =>
    evaluateAdmission(situation({ meeting: { cancelledAt: nine }, room }), new Date(at)).state
  assert.equal(stateAt('2030-01-07T09:29:59.999Z'), 'admitted')
  assert.equal(stateAt('2030-01-07T09:30:00Z'), 'cancelled')
  assert.equal(stateAt('2030-01-07T09:30:00Z', { inside: true }), 'admitted')
})

test('the host enters at any time, and visitors who wait for the host then enter, even before the opening time', () => {
  const early = new Date('2030-01-01T00:00:00Z')
  assert.deepEqual(evaluateAdmission(situation({ visitor: { hosts: true } }), early), { state: 'admitted' })
  const hostIsIn = situation({ options: { joinBeforeHost: false }, room: { hostIsIn: true } })
  assert.deepEqual(evaluateAdmission(hostIsIn, early), { state: 'admitted' })
})

test('the first check that fails decides, in the documented order', () => {
  const failing: [string, (fails: AdmissionSituation) => AdmissionSituation][] = [
    ['not_found', (s) => ({ ...s, meeting: undefined })],
    ['cancelled', (s) => ({ ...s, meeting: s.meeting && { ...s.meeting, cancelledAt: nine, repeats: false } })],
    ['ended', (s) => ({ ...s, room: { ...s.room, ended: true } })],
    ['locked', (s) => ({ ...s, room: { ...s.room, locked: true } })],
    ['sign_in_required', (s) => withOptions(s, { loggedInOnly: true })],
    ['not_invited', (s) => withOptions(s, { isRestrictedMeeting: true })],
    ['pin_wrong', (s) => ({ ...s, pin: 'wrong' })],
    ['waiting_for_host', (s) => withOptions(s, { joinBeforeHost: false })],
    ['waiting', (s) => withOptions(s, { waitingRoom: true })],
    ['full', (s) => ({ ...s, room: { ...s.room, others: 2 } })],
  ]
  let all = situation({})
  const answered = failing.toReversed().map(([state, fail]) => {
    all = fail(all)
    return [state, evaluateAdmission(all, nine).state]
  })
  assert.deepEqual(
    answered,
    failing.toReversed().map(([state]) => [state, state]),
  )
})

test('hosts need no PIN, but a meeting that is closed is closed to them, too', () => {
  const failing: [string, (fails: AdmissionSituation) => AdmissionSituation][] = [
    ['sign_in_required', (s) => withOptions(s, { loggedInOnly: true })],
    ['locked', (s) => ({ ...s, room: { ...s.room, locked: true } })],
    ['ended', (s) => ({ ...s, room: { ...s.room, ended: true } })],
    ['cancelled', (s) => ({ ...s, meeting: s.meeting && { ...s.meeting, cancelledAt: nine, repeats: false } })],
  ]
  let all = situation({
    pin: 'paused',
    options: { waitingRoom: true, joinBeforeHost: false },
    visitor: { hosts: true },
    room: { others: 2 },
  })
  assert.deepEqual(evaluateAdmission(all, nine), { state: 'admitted' })
  for (const [state, fail] of failing) {
    all = fail(all)
    assert.deepEqual(evaluateAdmission(all, nine), { state })
  }
})

test('every state occurs', () => {
  const seen = new Set([...cases.map(([, , state]) => state), 'not_found', 'too_early'])
  assert.deepEqual([...seen].toSorted(), [...roomStates].toSorted())
})

function withOptions(s: AdmissionSituation, options: Partial<AdmissionOptions>): AdmissionSituation {
  return { ...s, meeting: s.meeting && { ...s.meeting, options: { ...s.meeting.options, ...options } } }
}

const single: Series = {
  startsAt: nine,
  durationMs: 30 * 60_000,
  timeZone: 'Europe/London',
  rule: { repeat: 'none' },
  endsBy: null,
  cancelled: [],
  changed: [],
}
const daily: Series = { ...single, rule: { repeat: 'daily', interval: 1 }, endsBy: new Date('2030-01-09T09:00:00Z') }
const weekly: Series = { ...single, rule: { repeat: 'daily', interval: 7 } }

for (const [name, series, at, expected] of [
  ['a meeting ahead', single, '2029-12-01T00:00:00Z', '2030-01-07'],
  ['a running meeting', single, '2030-01-07T09:10:00Z', '2030-01-07'],
  ['a meeting a millisecond less than a day after its end', single, '2030-01-08T09:29:59.999Z', '2030-01-07'],
  ['a meeting a day after its end', single, '2030-01-08T09:30:00Z', undefined],
  ['a daily series between two dates', daily, '2030-01-07T20:00:00Z', '2030-01-07'],
  ['a daily series after its last date', daily, '2030-01-10T09:29:59.999Z', '2030-01-09'],
  ['a daily series a day after its last date', daily, '2030-01-10T09:30:00Z', undefined],
  ['a series whose next date is skipped', { ...daily, cancelled: [nine] }, '2030-01-07T08:50:00Z', '2030-01-08'],
  ['a daily series a millisecond before the next date opens', daily, '2030-01-08T08:44:59.999Z', '2030-01-07'],
  ['a daily series when the next date opens', daily, '2030-01-08T08:45:00Z', '2030-01-08'],
  ['a daily series when a date has just ended', daily, '2030-01-08T09:30:00Z', '2030-01-08'],
  ['a series that has not begun', daily, '2030-01-06T00:00:00Z', '2030-01-07'],
  ['a weekly series a day after one date', weekly, '2030-01-08T09:30:00Z', '2030-01-14'],
] as const) {
  test(`the occurrence to enter: ${name}: ${expected}`, () => {
    const found = occurrenceToEnter(series, new Date(at))
    assert.equal(found?.startsAt.toISOString().slice(0, 10), expected)
  })
}
