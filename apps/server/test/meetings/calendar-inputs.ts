import type { Series } from '@parley/rules/recurrence/recurrence'
import { CalendarBudget, feedLimits, fileLimits } from '../../src/invitations/calendar/calendar-budget.ts'
import type { CalendarInput } from '../../src/invitations/calendar/calendar-input.ts'
import {
  composeCalendar,
  composeFeed,
  type FeedProperties,
  spanOf,
} from '../../src/invitations/calendar/compose-calendar.ts'

export const compose = (input: CalendarInput): Promise<string> => composeCalendar(input, new CalendarBudget(fileLimits))

export const composeFeedOf = (about: FeedProperties, inputs: readonly CalendarInput[]): Promise<string> =>
  composeFeed(
    () => about,
    { count: inputs.length, spans: inputs.map(({ series }) => spanOf(series)), inputs },
    new CalendarBudget(feedLimits),
  )

/** A meeting on Monday, 5 January 2026, 09:00 to 09:30 in New York, to which Bob is invited. */
export const invitation = (changes: Partial<CalendarInput> = {}): CalendarInput => ({
  method: 'REQUEST',
  uid: '019aa4c2-6f00-7000-8000-5b1d2c3e4f50',
  sequence: 0,
  stamp: new Date('2026-01-01T00:00:00Z'),
  organizer: { name: 'Alice Test', email: 'alice@example.org' },
  attendee: { name: 'Bob Test', email: 'bob@example.org' },
  topic: 'Stand-up',
  description: '',
  location: '',
  entrance: '',
  cutNotice: 'There is more: https://meet.example.org/j/1234567890#pin=abcdef',
  joinLink: 'https://meet.example.org/j/1234567890#pin=abcdef',
  url: 'https://meet.example.org/j/1234567890#pin=abcdef',
  conference: { label: 'Join the meeting', address: 'https://meet.example.org/j/1234567890#pin=abcdef' },
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
  cancelled: [],
  changed: [],
  ...changes,
})
