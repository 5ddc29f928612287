import type { EntryMeeting } from '@parley/contract'
import type { Occurrence, Series } from '@parley/rules/recurrence/recurrence'
import { currentTimeZoneName } from '@parley/rules/recurrence/time-zone-name'
import type { MeetingForEntry } from './meeting-for-entry.ts'

export const seriesForEntry = ({ startsAt, endsAt, timeZoneIana, rule, endsBy, skipped }: MeetingForEntry): Series => ({
  startsAt,
  durationMs: endsAt.getTime() - startsAt.getTime(),
  timeZone: timeZoneIana,
  rule,
  endsBy,
  // A single meeting has no skipped occurrences.
  excluded: rule.repeat === 'none' ? [] : skipped.map((text) => new Date(text)),
})

export const viewMeetingForEntry = (row: MeetingForEntry, occurrence: Occurrence | undefined): EntryMeeting => ({
  kind: row.kind,
  topic: row.topic,
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
