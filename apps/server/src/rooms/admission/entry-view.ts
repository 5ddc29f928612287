import type { EntryMeeting } from '@parley/contract'
import type { Occurrence, Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import { readExceptions } from '../../meetings/exception-store.ts'
import { seriesOf } from '../../meetings/meeting-row.ts'
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
      : { startTime: occurrence.startsAt.toISOString(), endTime: occurrence.endsAt.toISOString() },
  timeZone: row.timeZone,
  timeZoneIana: currentTimeZoneName(row.timeZoneIana),
})
