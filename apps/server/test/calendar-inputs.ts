import type { Series } from '@parley/rules/recurrence'
import fc from 'fast-check'
import type { CalendarInput } from '../src/invitations/calendar/compose-calendar.ts'

/** A meeting on Monday, 5 January 2026, 09:00 to 09:30 in New York, as Bob is invited to it. */
export const invitation = (changes: Partial<CalendarInput> = {}): CalendarInput => ({
  method: 'REQUEST',
  uid: '019aa4c2-6f00-7000-8000-5b1d2c3e4f50',
  sequence: 0,
  stamp: new Date('2026-01-01T00:00:00Z'),
  organizer: { name: 'Alice Test', email: 'alice@example.org' },
  attendee: { name: 'Bob Test', email: 'bob@example.org' },
  topic: 'Stand-up',
  description: '',
  location: 'https://meet.example.org/j/1234567890#pin=abcdef',
  url: 'https://meet.example.org/j/1234567890#pin=abcdef',
  series: seriesOf(),
  status: 'CONFIRMED',
  ...changes,
})

export const seriesOf = (changes: Partial<Series> = {}): Series => ({
  startsAt: new Date('2026-01-05T14:00:00Z'),
  durationMs: 1_800_000,
  timeZone: 'America/New_York',
  rule: { repeat: 'none' },
  endsBy: null,
  excluded: [],
  ...changes,
})

/** Where clocks do something unusual, and where they do nothing. */
export const unusualZones = [
  ...['America/New_York', 'Europe/London', 'Europe/Dublin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Casablanca'],
  ...['America/Sao_Paulo', 'Africa/Cairo', 'Asia/Gaza', 'Asia/Beirut', 'America/Nuuk', 'America/Santiago', 'Etc/UTC'],
  ...['Antarctica/Troll', 'Asia/Jerusalem', 'America/Havana', 'Pacific/Chatham', 'UTC', '+05:30', '-09:30', '+08:00'],
]
export const zones = fc.oneof(fc.constantFrom(...unusualZones), fc.constantFrom(...Intl.supportedValuesOf('timeZone')))

const someBits = (length: number) =>
  fc.array(fc.constantFrom(0, 1), { minLength: length, maxLength: length }).filter((bits) => bits.includes(1))
const interval = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 }))
const monthlyDay = fc.oneof(
  fc.record({ kind: fc.constant('date' as const), dateInMonth: fc.integer({ min: 1, max: 31 }) }),
  fc.record({ kind: fc.constant('last-day' as const) }),
  fc.record({ kind: fc.constant('weeks' as const), weeksInMonth: someBits(5), daysOfWeek: someBits(7) }),
)
export const rules = fc.oneof(
  fc.record({ repeat: fc.constant('none' as const) }),
  fc.record({ repeat: fc.constant('daily' as const), interval }),
  fc.record({ repeat: fc.constant('weekly' as const), interval, daysOfWeek: someBits(7) }),
  fc.record({ repeat: fc.constant('monthly' as const), interval, on: monthlyDay }),
)
