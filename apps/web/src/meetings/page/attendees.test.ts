import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sheetFileName } from '../sheet.ts'
import { attendanceSheet, attendeesOf } from './attendees.ts'

const stay = (name: string, email: string | null, from: string, to: string | null) => ({
  name,
  email,
  role: 'participant' as const,
  joinedOn: `2030-01-07T${from}:00.000Z`,
  leftOn: to === null ? null : `2030-01-07T${to}:00.000Z`,
})

test('a person who rejoined is one attendee, and who is still there counts until now', () => {
  const attendees = attendeesOf(
    [
      stay('Carol', 'carol@example.org', '09:00', '09:10'),
      stay('Priya', null, '09:05', null),
      stay('Carol', 'carol@example.org', '09:15', '09:30'),
      stay('', null, '09:20', '09:20'),
    ],
    new Date('2030-01-07T09:40:00Z'),
  )
  assert.deepEqual(
    attendees.map(({ name, presentMs, times }) => [name, presentMs / 60_000, times.length]),
    [
      ['Carol', 25, 2],
      ['Priya', 35, 1],
      ['', 0, 1],
    ],
  )
})

test('the sheet has each person once a session, with minutes, and no formula', () => {
  const session = {
    startedOn: '2030-01-07T09:00:00.000Z',
    endedOn: null,
    stays: [
      stay('Carol', 'carol@example.org', '09:00', '09:10'),
      stay('=1+1', null, '09:05', null),
      stay('Carol', 'carol@example.org', '09:15', '09:30'),
      stay('', null, '09:20', '09:20'),
    ],
  }
  const words = { column: (name: string) => name, role: (role: string) => role, guest: 'Guest' }
  const clock = (time: string) => new Date(time).toTimeString().slice(0, 5)
  const from = clock('2030-01-07T09:00:00Z')
  const lines = attendanceSheet([session], words, new Date('2030-01-07T09:40:00Z')).split('\r\n')
  assert.equal(lines[0], '\uFEFF"date","name","email","role","from","to","minutes"')
  assert.equal(
    lines[1],
    `"2030-01-07","Carol","carol@example.org","participant","${from}","${clock('2030-01-07T09:30:00Z')}","25"`,
  )
  assert.equal(lines[2], `"2030-01-07","'=1+1","","participant","${clock('2030-01-07T09:05:00Z')}","","35"`)
  assert.match(lines[3] ?? '', /^"2030-01-07","Guest",/)
  assert.deepEqual(lines.slice(4), [''])
})

test('the name of the file has the topic without what file systems refuse', () => {
  assert.equal(sheetFileName('Attendance', 'Q1/Q2: review?'), 'Attendance Q1 Q2 review.csv')
})
