import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeDay, writeSpan, writeTime, writeZone } from './dates.ts'

const at = '2030-01-07T20:00:00.000Z'
const london = { language: 'en-GB', timeZone: 'Europe/London' }
const kolkata = { language: 'de', timeZone: 'Asia/Kolkata' }

test('writes an instant in the requested zone and language', () => {
  assert.match(writeDay(at, london), /^Monday,? 7 January 2030$/)
  assert.equal(writeDay(at, kolkata), 'Dienstag, 8. Januar 2030')
  assert.equal(writeTime(at, london), '20:00')
  assert.match(writeTime(new Date(at), kolkata), /^0?1:30$/)
})

test('writes the day of a span within one day once', () => {
  const span = writeSpan(at, '2030-01-07T20:30:00.000Z', london)
  assert.match(span, /^Mon,? 7 Jan 2030, 20:00\s?–\s?20:30$/)
})

test('writes a zone in words', () => {
  assert.equal(writeZone(at, london), 'Greenwich Mean Time')
  assert.equal(writeZone(at, { language: 'en', timeZone: 'Asia/Kolkata' }), 'India Standard Time')
})
