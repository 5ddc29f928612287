import assert from 'node:assert/strict'
import { test } from 'node:test'
import { googleLink, outlookLink, withoutPin } from './calendar-links.ts'

const entry = {
  topic: 'R&D + sales',
  startTime: '2030-01-07T09:00:00.000Z',
  endTime: '2030-01-07T09:30:00.000Z',
  details: 'Enter: https://meet.example.org/j/9651912175',
  location: 'https://meet.example.org/j/9651912175',
}

test('links to Google with the times in UTC, without milliseconds', () => {
  const { origin, searchParams } = new URL(googleLink(entry))
  assert.equal(origin, 'https://calendar.google.com')
  assert.equal(searchParams.get('text'), 'R&D + sales')
  assert.equal(searchParams.get('dates'), '20300107T090000Z/20300107T093000Z')
})

test('links to Outlook with spaces as %20', () => {
  const link = outlookLink(entry)
  assert.equal(new URL(link).searchParams.get('subject'), 'R&D + sales')
  assert.equal(new URL(link).searchParams.get('startdt'), '2030-01-07T09:00:00.000Z')
  assert.ok(!link.includes('+'))
})

test('omits the PIN from the links', () => {
  assert.equal(withoutPin('https://meet.example.org/j/9651912175#pin=abc234'), 'https://meet.example.org/j/9651912175')
})
