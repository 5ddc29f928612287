import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  askAgainInMs,
  asksNewGuestsSince,
  decisionOf,
  isEndedFor,
  isNewGuest,
  type StoredAdmission,
  stillWaits,
} from './stored-admission.ts'

const at = (time: string) => new Date(`2030-01-07T${time}Z`)
const nine = at('09:00:00')
const occurrence = { originalStart: nine }
const tuesday = { originalStart: new Date('2030-01-08T09:00:00Z') }
const nextDay = (time: string) => new Date(`2030-01-08T${time}Z`)

/** Admitted at nine for the occurrence that begins then, and not inside. */
const admission = (changes: Partial<StoredAdmission> = {}): StoredAdmission => ({
  state: 'admitted',
  occurrenceAt: nine,
  askedAt: nine,
  decidedAt: nine,
  seenAt: nine,
  inside: false,
  hasEntered: false,
  inCall: false,
  ...changes,
})

const cases: [string, Partial<StoredAdmission>, Partial<Parameters<typeof decisionOf>[1]>, Date, string][] = [
  ['admitted a moment ago', {}, {}, nine, 'admitted'],
  ['admitted a millisecond less than a day ago', {}, {}, nextDay('08:59:59.999'), 'admitted'],
  ['admitted a day ago', {}, {}, nextDay('09:00:00'), 'none'],
  ['admitted a day ago, and inside', { inside: true, inCall: true }, {}, nextDay('09:00:00'), 'admitted'],
  ['admitted to yesterday’s date', {}, { occurrence: tuesday }, nextDay('08:50:00'), 'none'],
  [
    'admitted to yesterday’s date, and inside',
    { inside: true, inCall: true },
    { occurrence: tuesday },
    nextDay('08:50:00'),
    'admitted',
  ],
  [
    'admitted to yesterday’s date, and was in the call that goes on',
    { inCall: true },
    { occurrence: tuesday },
    nextDay('08:50:00'),
    'admitted',
  ],
  ['admitted, and the meeting is over', {}, { occurrence: undefined }, nextDay('08:50:00'), 'none'],
  ['admitted before the host ended the meeting', {}, { endedAt: at('09:00:00.001') }, at('09:10:00'), 'none'],
  ['admitted when the host ended the meeting', {}, { endedAt: nine }, at('09:10:00'), 'none'],
  ['admitted after the host ended the meeting', {}, { endedAt: at('08:59:59.999') }, at('09:10:00'), 'admitted'],
  [
    'inside when the host ended the meeting',
    { inside: true, inCall: true },
    { endedAt: at('09:05:00') },
    at('09:10:00'),
    'none',
  ],
  ['waiting', { state: 'waiting', decidedAt: null }, {}, nine, 'none'],
  ['waiting for the host', { state: 'waiting_for_host', decidedAt: null }, {}, nine, 'none'],
  ['denied', { state: 'denied' }, {}, nine, 'denied'],
  ['denied, on the next date', { state: 'denied' }, { occurrence: tuesday }, nextDay('09:00:00'), 'denied'],
  [
    'denied before the host ended the meeting',
    { state: 'denied' },
    { endedAt: at('09:05:00') },
    at('09:10:00'),
    'denied',
  ],
  ['denied, and asking again', { state: 'waiting' }, {}, at('09:00:19.999'), 'asks_again'],
  ['denied, and asking again before the host comes', { state: 'waiting_for_host' }, {}, nine, 'asks_again'],
  ['denied, asked again and left', { state: 'waiting' }, {}, at('09:00:20'), 'denied'],
]
for (const [name, changes, room, now, decision] of cases) {
  test(`the decision that holds: ${name}: ${decision}`, () =>
    assert.equal(decisionOf(admission(changes), { occurrence, endedAt: null, ...room }, now), decision))
}

test('a denied visitor may ask again after a minute, and not before', () => {
  assert.equal(askAgainInMs({ decidedAt: nine }, at('09:00:00.500')), 59_500)
  assert.equal(askAgainInMs({ decidedAt: nine }, at('09:01:00')), 0)
  assert.equal(askAgainInMs({ decidedAt: nine }, at('10:00:00')), 0)
})

test('a visitor without an admission has no decision', () => {
  assert.equal(decisionOf(undefined, { occurrence, endedAt: null }, nine), 'none')
})

test('the end of a meeting applies to everyone who asked before it', () => {
  assert.equal(isEndedFor({ askedAt: nine }, null), false)
  assert.equal(isEndedFor({ askedAt: nine }, nine), true)
  assert.equal(isEndedFor({ askedAt: at('09:00:00.001') }, nine), false)
})

for (const [state, now, waits] of [
  ['waiting', '09:00:19.999', true],
  ['waiting', '09:00:20.000', false],
  ['waiting_for_host', '09:00:19.999', true],
  ['waiting_for_host', '09:00:20.000', false],
  ['admitted', '09:00:00.000', false],
  ['denied', '09:00:00.000', false],
] as const) {
  test(`${state}, last seen at nine, ${waits ? 'waits' : 'does not wait'} at ${now}`, () => {
    assert.equal(stillWaits({ state, seenAt: nine }, at(now)), waits)
  })
}

test('new guests wait on the date for which a host required it', () => {
  const required = { asksNewGuestsSince: at('09:05:00'), asksNewGuestsFor: nine }
  const notRequired = { asksNewGuestsSince: null, asksNewGuestsFor: null }
  for (const repeats of [true, false]) {
    assert.deepEqual(asksNewGuestsSince(required, { occurrence, repeats }), at('09:05:00'))
    assert.equal(asksNewGuestsSince(notRequired, { occurrence, repeats }), undefined)
    assert.equal(asksNewGuestsSince(notRequired, { occurrence: undefined, repeats }), undefined)
  }
  assert.equal(asksNewGuestsSince(required, { occurrence: tuesday, repeats: true }), undefined)
  assert.equal(asksNewGuestsSince(required, { occurrence: undefined, repeats: true }), undefined)
  assert.deepEqual(
    asksNewGuestsSince(required, { occurrence: tuesday, repeats: false }),
    at('09:05:00'),
    'it was moved',
  )
})

for (const [name, changes, isNew] of [
  ['admitted before, and not inside since', {}, true],
  ['admitted a millisecond before', { decidedAt: at('09:04:59.999') }, true],
  ['admitted at that moment', { decidedAt: at('09:05:00') }, false],
  ['admitted before, and inside', { inside: true, inCall: true }, false],
  ['admitted before, and inside for a while', { hasEntered: true }, false],
  ['waiting since before, without a decision', { decidedAt: null }, true],
] as const) {
  test(`a guest ${name} is ${isNew ? 'new' : 'not new'} when new guests must wait`, () => {
    assert.equal(isNewGuest(admission(changes), at('09:05:00')), isNew)
  })
}
