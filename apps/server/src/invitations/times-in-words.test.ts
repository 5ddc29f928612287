import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from '@parley/texts/languages'
import { repetition, span } from './times-in-words.ts'

test('shows a zone by its current name, whatever name is stored', () => {
  const startsAt = new Date('2030-01-07T03:30:00Z')
  for (const timeZone of ['Asia/Calcutta', 'Asia/Kolkata']) {
    assert.equal(
      span('en', startsAt, 30 * 60_000, timeZone),
      'Monday, 7 January 2030, 09:00–09:30 (Kolkata, UTC+05:30)',
    )
  }
})

test('tells a series by its number of dates, if it was set so, in each language', () => {
  const timesIn = (language: Language, count: number) => {
    const rule = { repeat: 'daily' as const, interval: 1, count }
    const times = { startsAt: new Date('2030-01-07T09:00:00Z'), durationMs: 60_000, timeZone: 'UTC' }
    const series = { ...times, cancelled: [], changed: [] }
    return repetition(language, { ...series, rule, endsBy: new Date('2030-01-16T23:59:59Z') })
  }
  assert.deepEqual([timesIn('en', 1), timesIn('en', 10)], ['Every day, 1 time', 'Every day, 10 times'])
  assert.equal(timesIn('de', 10), 'Jeden Tag, 10-mal')
  assert.equal(timesIn('hi', 10), 'हर दिन, 10 बार')
  const arabic = [1, 2, 3, 10, 11].map((count) => timesIn('ar', count).split('، ')[1])
  assert.deepEqual(arabic, ['مرة واحدة', 'مرتين', '3 مرات', '10 مرات', '11 مرة'])
})
