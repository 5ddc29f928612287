import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeSheetTime } from '../sheet.ts'
import type { CalendarDate } from './calendar-dates.ts'
import { datesSheet } from './dates-sheet.ts'

const date = (changes: Partial<CalendarDate>): CalendarDate => ({
  meetingId: '01a223d6-6231-76c6-ae19-497d0a8b4335',
  svcMeetId: '0123456789',
  topic: 'Planning',
  originalStartTime: '2030-01-07T12:00:00.000Z',
  startTime: '2030-01-07T12:00:00.000Z',
  endTime: '2030-01-07T12:30:00.000Z',
  status: 'active',
  recur: true,
  role: 'host',
  colour: 'teal',
  ...changes,
})
const words = {
  column: (name: string) => name,
  role: (role: string) => role,
  answer: (answer: string | undefined) => answer ?? '',
}

test('a sheet of dates has one a line with a meeting ID that keeps its digits, and computes no topic', () => {
  const sheet = datesSheet([date({}), date({ topic: '=1+1', role: 'participant', response: 'tentative' })], words)
  const at = writeSheetTime('2030-01-07T12:00:00Z')
  const to = writeSheetTime('2030-01-07T12:30:00Z')
  assert.deepEqual(sheet.split('\r\n'), [
    '\uFEFF"date","starts","ends","topic","role","answer","meetingId"',
    `"2030-01-07","${at}","${to}","Planning","host","","0123456789"`,
    `"2030-01-07","${at}","${to}","'=1+1","participant","tentative","0123456789"`,
    '',
  ])
})

test('the end of a date that passes midnight has its day', () => {
  const sheet = datesSheet([date({ endTime: '2030-01-09T12:00:00.000Z' })], words)
  assert.match(sheet, new RegExp(`,"2030-01-09 ${writeSheetTime('2030-01-09T12:00:00Z')}","Planning"`))
})
