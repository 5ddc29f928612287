import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attendeesOf } from './attendees.ts'

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
