import type { EntryMeeting } from '@parley/contract'
import { heldSeries } from '@parley/rules/meetings/cancellation'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import { type Occurrence, occurrenceAt, type Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { isHeld } from '@parley/rules/rooms/admission'
import { readExceptions } from '../../meetings/exception-store.ts'
import { seriesOf } from '../../meetings/meeting-row.ts'
import { viewNamedDates } from '../../meetings/view/occurrence-view.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

/** The series of a meeting; of a cancelled one, what it keeps. */
export function seriesForEntry(row: MeetingForEntry): Series {
  const whole = seriesOf(row, readExceptions(row.exceptions))
  return row.cancelledAt === null ? whole : (heldSeries(whole, row.cancelledAt) ?? whole)
}

export const cancellationOf = ({ cancelledAt, rule }: MeetingForEntry) => ({
  cancelledAt,
  repeats: rule.repeat !== 'none',
})

/** Whether a date of the meeting, named by its original start, is cancelled or gone. */
export function isDateCancelled(row: MeetingForEntry, originalStart: Date): boolean {
  if (row.rule.repeat === 'none') return row.cancelledAt !== null
  const date = occurrenceAt(seriesForEntry(row), originalStart)
  return date === undefined || date.excluded
}

export const viewMeetingForEntry = (row: MeetingForEntry, occurrence: Occurrence | undefined): EntryMeeting => ({
  kind: row.kind,
  topic: occurrence?.change?.topic ?? row.topic,
  hostName: `${row.host.name} ${row.host.lname}`.trim(),
  startTime: row.startsAt.toISOString(),
  endTime: row.endsAt.toISOString(),
  recur: row.rule.repeat !== 'none',
  nextOccurrence: isHeld(cancellationOf(row), occurrence)
    ? viewNamedDates(occurrence, statusOf(occurrence, row.cancelledAt))
    : null,
  timeZone: row.timeZone,
  timeZoneIana: currentTimeZoneName(row.timeZoneIana),
})
