import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewAge, writeHours } from './review-age.ts'

const submittedOn = '2030-01-07T09:00:00.000Z'
const stateAt = (now: string) => reviewAge(submittedOn, new Date(now)).state

test('a submission is due after a day, and overdue after two', () => {
  assert.equal(stateAt('2030-01-08T08:59:59.999Z'), 'waiting')
  assert.equal(stateAt('2030-01-08T09:00:00.000Z'), 'due')
  assert.equal(stateAt('2030-01-09T08:59:59.999Z'), 'due')
  assert.equal(stateAt('2030-01-09T09:00:00.000Z'), 'overdue')
})

test('shows a submission as new on a device whose clock is behind', () => {
  const { state, dueOn } = reviewAge(submittedOn, new Date('2030-01-07T08:00:00Z'))
  assert.equal(state, 'waiting')
  assert.equal(dueOn.toISOString(), '2030-01-09T09:00:00.000Z')
})

test('writes the due time in hours, and in days only when long overdue', () => {
  const dueOn = new Date('2030-01-09T09:00:00Z')
  const written = (now: string) => writeHours(dueOn, new Date(now), 'en')
  assert.equal(written('2030-01-07T09:00:01Z'), 'in 47 hours')
  assert.equal(written('2030-01-09T08:30:00Z'), 'in 30 minutes')
  assert.equal(written('2030-01-12T08:59:59Z'), '71 hours ago')
  assert.equal(written('2030-01-12T09:00:00Z'), '3 days ago')
})
