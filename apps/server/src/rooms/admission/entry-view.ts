import type { EntryMeeting } from '@parley/contract'
import { statusOf } from '@parley/rules/meetings/occurrence-status'
import type { Occurrence, Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { readExceptions } from '../../meetings/exception-store.ts'
import { seriesOf } from '../../meetings/meeting-row.ts'
import { viewNamedDates } from '../../meetings/view/occurrence-view.ts'
import type { MeetingForEntry } from './meeting-for-entry.ts'

export const seriesForEntry = (row: MeetingForEntry): Series => seriesOf(row, readExceptions(row.exceptions))

export const viewMeetingForEntry = (row: MeetingForEntry, occurrence: Occurrence | undefined): EntryMeeting => ({
  kind: row.kind,
  topic: occurrence?.change?.topic ?? row.topic,
  hostName: `${row.host.name} ${row.host.lname}`.trim(),
  startTime: row.startsAt.toISOString(),
  endTime: row.endsAt.toISOString(),
  recur: row.rule.repeat !== 'none',
  nextOccurrence:
    occurrence === undefined || row.cancelledAt !== null
      ? null
      : viewNamedDates(occurrence, statusOf(occurrence, null)),
  timeZone: row.timeZone,
  timeZoneIana: currentTimeZoneName(row.timeZoneIana),
})
