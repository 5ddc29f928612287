import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMeetingSearch } from './meeting-search.ts'

test('known search parameters are read, all others are dropped', () => {
  assert.deepEqual(readMeetingSearch({ q: 'stand', role: 'host', when: 'past' }), {
    q: 'stand',
    role: 'host',
    when: 'past',
  })
  assert.deepEqual(readMeetingSearch({ q: '', role: 'king', when: 'never', page: 3 }), {})
  assert.deepEqual(readMeetingSearch({ q: 2030 }), { q: '2030' })
  assert.equal(readMeetingSearch({ q: 'x'.repeat(251) }).q?.length, 250)
})
