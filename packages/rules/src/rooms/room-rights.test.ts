import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRights } from '@parley/contract'
import { changedRightsOf, decidedForAll, rightsIn } from './room-rights.ts'

const nothing = { ofPerson: {}, ofRoom: {}, hardMute: false }

test('a participant may do everything at first, except speak under the option', () => {
  assert.deepEqual(rightsIn({ ...nothing, role: 'participant' }), allRights)
  const muted = rightsIn({ ...nothing, role: 'participant', hardMute: true })
  assert.deepEqual(muted, { ...allRights, microphone: false })
})

test('the decision for a person comes before that for all, and this before the option', () => {
  const ofRoom = { microphone: true, chat: false, camera: false }
  const decided = { ofRoom, ofPerson: { chat: true, screen: false }, hardMute: true }
  assert.deepEqual(rightsIn({ ...decided, role: 'participant' }), { ...allRights, camera: false, screen: false })
})

test('hosts and cohosts may do everything, whatever was decided', () => {
  for (const role of ['host', 'cohost'] as const) {
    const decided = { role, ofRoom: { chat: false }, ofPerson: { camera: false }, hardMute: true }
    assert.deepEqual(rightsIn(decided), allRights)
  }
})

test('decisions for all hold for their date, and of a single meeting also after it was moved', () => {
  const [monday, tuesday] = [new Date('2030-01-07T09:00:00Z'), new Date('2030-01-08T09:00:00Z')]
  const stored = { rights: { chat: false }, rightsFor: monday }
  const on = (originalStart: Date, repeats: boolean) =>
    decidedForAll(stored, { occurrence: { originalStart }, repeats })
  assert.deepEqual(on(monday, true), { chat: false })
  assert.deepEqual(on(tuesday, true), {})
  assert.deepEqual(on(tuesday, false), { chat: false })
  const none = { rights: {}, rightsFor: null }
  assert.deepEqual(decidedForAll(none, { occurrence: undefined, repeats: false }), {})
})

test('names the rights that differ', () => {
  assert.deepEqual(changedRightsOf(allRights, { ...allRights, chat: false, camera: false }), ['camera', 'chat'])
})
