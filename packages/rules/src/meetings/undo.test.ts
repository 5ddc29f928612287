import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planUndoing, undoableMs, undoableUntil } from './undo.ts'

const now = new Date('2030-01-01T12:00:00Z')
const until = new Date('2030-01-01T12:00:30Z')
const last = new Date('2030-01-01T12:00:29.999Z')
const cancelled = { cancelledBy: 'alice', undoableUntil: until, version: 4, undoneAt: null }
const undone = { ...cancelled, undoneAt: last }

test('only a person can undo, who asks for it, for half a minute', () => {
  assert.deepEqual(undoableUntil(true, true, now), until)
  assert.equal(undoableMs, until.getTime() - now.getTime())
  assert.equal(undoableUntil(false, true, now), undefined)
  assert.equal(undoableUntil(true, false, now), undefined)
})

for (const [name, cancellation, accountId, version, at, expected] of [
  ['within the time', cancelled, 'alice', 4, last, 'undo'],
  ['at its end', cancelled, 'alice', 4, until, 'over'],
  ['of another person', cancelled, 'bob', 4, last, 'over'],
  ['of a meeting that was changed since', cancelled, 'alice', 5, last, 'over'],
  ['that no person made', undefined, 'alice', 4, last, 'over'],
  ['again', undone, 'alice', 5, last, 'nothing-to-do'],
  ['again, when the time is over', undone, 'alice', 5, until, 'nothing-to-do'],
  ['again, of a meeting that was changed since', undone, 'alice', 6, last, 'over'],
] as const)
  test(`undoing a cancellation ${name}: ${expected}`, () =>
    assert.equal(planUndoing(cancellation, { accountId, version }, at).kind, expected))
