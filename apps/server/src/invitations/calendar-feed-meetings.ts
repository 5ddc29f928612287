import { heldSeries } from '@parley/rules/cancellation'
import { firstOccurrence, type Series } from '@parley/rules/recurrence'
import type { Database } from '../../migrations/tables.ts'
import { type ScheduleRow, seriesOf } from '../meetings/meeting-row.ts'
import { statement } from '../platform/database.ts'

/** What calendars are told of a meeting; nobody's participants are. */
export type CalendarMeeting = ScheduleRow & {
  id: string
  code: string
  topic: string
  description: string
  sealedSecrets: Buffer
  sequence: number
  cancelledAt: Date | null
  modifiedAt: Date
  host: { name: string; lname: string; email: string }
}

type FeedRow = CalendarMeeting & { skipped: readonly string[] }

/** Some months of the past, for whoever looks back; calendars are read again and again, whole. */
const PAST_MS = 90 * 24 * 3_600_000
/** Under a second of our time and a megabyte of text. Series and what is soonest come first. */
const MOST_MEETINGS = 1000

const feedStatement = statement<FeedRow>(
  'list-calendar',
  `select m.id, m.code, m.topic, m.description, m.starts_at as "startsAt", m.ends_at as "endsAt",
    m.time_zone_iana as "timeZoneIana", m.recurrence as rule, m.ends_by as "endsBy",
    m.sealed_secrets as "sealedSecrets", m.sequence, m.cancelled_at as "cancelledAt", m.modified_at as "modifiedAt",
    json_build_object('name', h.name, 'lname', h.lname, 'email', h.email) as host,
    (select coalesce(json_agg(s.starts_at order by s.starts_at), '[]') from skipped_occurrence s
      where s.meeting_id = m.id) as skipped
  from meeting m join account h on h.id = m.host_id
  where m.id in (
      select id from meeting where host_id = $1 and over_at > $3
      union select meeting_id from participant where email_key = $2 and response is distinct from 'declined'
    ) and m.over_at > $3 and (m.cancelled_at is null or m.recurring)
  order by m.recurring desc, m.over_at, m.id limit ${MOST_MEETINGS}`,
)

/**
 * The meetings of a calendar with what takes place of them: of a cancelled series what was held, of a cancelled meeting
 * nothing. `addressKey` is null while the address is not confirmed: invitations to it may be somebody else's.
 */
export async function findCalendarMeetings(
  database: Database,
  { accountId, addressKey, now }: { accountId: string; addressKey: string | null; now: Date },
): Promise<{ meeting: CalendarMeeting; series: Series }[]> {
  const rows = await feedStatement(database, [accountId, addressKey, new Date(now.getTime() - PAST_MS)])
  return rows.flatMap(({ skipped, ...meeting }) => {
    const series = takenPlace(
      meeting,
      skipped.map((date) => new Date(date)),
    )
    return series === undefined ? [] : [{ meeting, series }]
  })
}

/** Undefined when the meeting does not take place at all. */
export function takenPlace(meeting: CalendarMeeting, skipped: readonly Date[]): Series | undefined {
  const whole = seriesOf(meeting, skipped)
  const series = meeting.cancelledAt === null ? whole : heldSeries(whole, meeting.cancelledAt)
  return series !== undefined && firstOccurrence(series) !== undefined ? series : undefined
}
