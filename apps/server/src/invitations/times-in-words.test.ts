import assert from 'node:assert/strict'
import { test } from 'node:test'
import { span } from './times-in-words.ts'
import { wordsIn } from './words/in-language.ts'

test('shows a zone by its current name, whatever name is stored', () => {
  const startsAt = new Date('2030-01-07T03:30:00Z')
  for (const timeZone of ['Asia/Calcutta', 'Asia/Kolkata']) {
    assert.equal(
      span(wordsIn('en'), startsAt, 30 * 60_000, timeZone),
      'Monday, 7 January 2030, 09:00–09:30 (Asia/Kolkata, UTC+05:30)',
    )
  }
})
