import { meetingTexts } from '@parley/contract/meeting-fields'
import { maxChangedOccurrences } from '@parley/rules/meetings/occurrence-change'
import { occurrenceStarts } from '@parley/rules/recurrence/recurrence'
import type { CalendarInput } from '../../src/invitations/calendar/calendar-input.ts'
import { invitation, seriesOf } from './calendar-inputs.ts'

/** Three bytes each, and none that a transfer encoding leaves as it is. */
const long = (length: number) => 'मीटिंग '.repeat(Math.ceil(length / 7)).slice(0, length)
const topic = long(meetingTexts.topic.maxLength)
const description = long(meetingTexts.description.maxLength)

/** As many dates as one person can have answered apart, of those that are not changed. */
const answeredDates = 500
/** As many as can be cancelled. */
const cancelledDates = 3_660

/**
 * The largest meeting that the limits of the API allow: every day from 00:00 to 23:59 in Berlin, whose clock changes make
 * 22 dates ambiguous, with `changedDates` dates that have times, a topic and a description of their own.
 */
export function largestMeeting(
  changes: Partial<CalendarInput> = {},
  changedDates = maxChangedOccurrences,
): CalendarInput {
  const startsAt = new Date('2026-01-01T23:00:00Z')
  const daily = seriesOf({
    startsAt,
    durationMs: 86_340_000,
    timeZone: 'Europe/Berlin',
    rule: { repeat: 'daily', interval: 1 },
  })
  const starts = occurrenceStarts(daily)
    .take(changedDates + answeredDates + cancelledDates)
    .map((startMs) => new Date(startMs))
    .toArray()
  const changed = starts.slice(0, changedDates).map((originalStart) => ({
    originalStart,
    times: {
      startsAt: new Date(originalStart.getTime() + 3_600_000),
      endsAt: new Date(originalStart.getTime() + 7_200_000),
    },
    topic,
    description,
    location: null,
  }))
  const occurrences = starts
    .slice(changedDates, changedDates + answeredDates)
    .map((originalStart) => ({ originalStart, response: 'declined' as const }))
  const cancelled = starts.slice(changedDates + answeredDates)
  return invitation({
    stamp: new Date('2026-01-02T00:00:00Z'),
    topic,
    description,
    location: '',
    entrance: `${invitation().joinLink}\n${'1'.repeat(10)}\n${'2'.repeat(6)}`,
    attendee: { email: 'bob@example.org', name: long(100), occurrences },
    reminderMinutes: 15,
    series: { ...daily, changed, cancelled },
    ...changes,
  })
}
