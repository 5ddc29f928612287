import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Entering, roomStates } from '@parley/contract'
import { nextStep } from './next-step.ts'
import type { RoomEnd } from './room.ts'

const media = { url: 'wss://parley.test/media', token: 'x', iceServers: [] }

test('an admitted caller connects', () => {
  for (const wasInside of [false, true]) {
    assert.deepEqual(nextStep({ state: 'admitted', admissionId: 'a', media }, wasInside), {
      kind: 'connect',
      admissionId: 'a',
      media,
    })
  }
})

test('an admission without media ends the visit', () => {
  assert.equal(nextStep({ state: 'admitted', admissionId: 'a' }, false).kind, 'end')
})

const waits: [Entering, object, string | undefined][] = [
  [{ state: 'waiting', admissionId: 'a' }, { state: 'waiting' }, 'a'],
  [{ state: 'waiting', hostInside: false, admissionId: 'a' }, { state: 'waiting', hostInside: false }, 'a'],
  [{ state: 'waiting_for_host', admissionId: 'a' }, { state: 'waiting_for_host' }, 'a'],
  [
    { state: 'too_early', opensAt: '2030-01-07T08:45:00Z' },
    { state: 'too_early', opensAt: '2030-01-07T08:45:00Z' },
    undefined,
  ],
]
for (const [entering, status, admissionId] of waits) {
  test(`${entering.state} means waiting, even after being inside`, () => {
    for (const wasInside of [false, true]) {
      const wait = { kind: 'wait', status: { phase: 'waiting', ...status }, admissionId }
      assert.deepEqual(nextStep(entering, wasInside), wait)
    }
  })
}

const ends: [Entering, beforeInside: RoomEnd, afterInside: RoomEnd][] = [
  [{ state: 'denied', admissionId: 'a' }, { reason: 'refused', state: 'denied' }, { reason: 'removed' }],
  [{ state: 'ended' }, { reason: 'refused', state: 'ended' }, { reason: 'ended' }],
  [{ state: 'cancelled' }, { reason: 'refused', state: 'cancelled' }, { reason: 'cancelled' }],
  [{ state: 'locked' }, { reason: 'refused', state: 'locked' }, { reason: 'refused', state: 'locked' }],
  [
    { state: 'slow_down', retryAfter: 60 },
    { reason: 'refused', state: 'slow_down', retryAfterSeconds: 60 },
    { reason: 'refused', state: 'slow_down', retryAfterSeconds: 60 },
  ],
]
for (const [entering, beforeInside, afterInside] of ends) {
  test(`${entering.state} ends the visit: ${beforeInside.reason} when entering, ${afterInside.reason} after being inside`, () => {
    assert.deepEqual(nextStep(entering, false), { kind: 'end', end: beforeInside })
    assert.deepEqual(nextStep(entering, true), { kind: 'end', end: afterInside })
  })
}

test('every room state has a next step', () => {
  const kinds = roomStates.map((state) => nextStep({ state, admissionId: 'a', media }, false).kind)
  assert.deepEqual(
    {
      connect: kinds.filter((kind) => kind === 'connect').length,
      wait: kinds.filter((kind) => kind === 'wait').length,
    },
    { connect: 1, wait: 3 },
  )
})
