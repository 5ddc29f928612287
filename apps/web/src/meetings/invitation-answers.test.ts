import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countAnswers, invitationOf, invitedPeople, shownCounts } from './invitation-answers.ts'

const meeting = {
  participants: [
    { email: 'Bob@example.org', response: 'accepted' as const },
    { email: 'dan@example.org' },
    { email: 'eve@example.org', response: 'declined' as const },
  ],
  cohosts: ['bob@example.org', 'carol@example.org'],
  cohostDetails: [
    { email: 'bob@example.org', response: 'accepted' as const },
    { email: 'carol@example.org', response: 'accepted' as const },
  ],
}

test('a cohost who is also a participant counts once', () => {
  assert.deepEqual(
    invitedPeople(meeting).map(({ email }) => email),
    ['carol@example.org', 'Bob@example.org', 'dan@example.org', 'eve@example.org'],
  )
})

test('omits answers with a count of zero, and counts missing answers', () => {
  assert.deepEqual(countAnswers(invitedPeople(meeting)), [
    { answer: 'accepted', count: 2 },
    { answer: 'declined', count: 1 },
    { answer: 'none', count: 1 },
  ])
  assert.deepEqual(countAnswers([]), [])
})

test('finds an invitation by address, ignoring case; the host and strangers have none', () => {
  assert.equal(invitationOf({ email: 'BOB@example.org' }, meeting)?.response, 'accepted')
  assert.equal(invitationOf({ email: 'carol@example.org' }, meeting)?.response, 'accepted')
  assert.equal(invitationOf({ email: 'alice@example.org' }, meeting), undefined)
})

test('shows counts in one order, without zeros', () => {
  assert.deepEqual(shownCounts({ none: 2, declined: 1, tentative: 0, accepted: 3 }), [
    { answer: 'accepted', count: 3 },
    { answer: 'declined', count: 1 },
    { answer: 'none', count: 2 },
  ])
  assert.deepEqual(shownCounts({ none: 0, declined: 0, tentative: 0, accepted: 0 }), [])
})
