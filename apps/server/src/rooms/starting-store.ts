import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { sql } from 'kysely'
import { briefExceptionsJson, exceptionsType } from '../meetings/exception-store.ts'
import { responseToOccurrence } from '../meetings/occurrence-response-store.ts'
import type { Tx } from '../platform/database/database.ts'
import { defineStatement, type RowOf } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'

/** A batch takes about 5 ms, and a few more for its notifications, during which the publisher waits for its rows. */
export const maxChecked = 100

/** Events after which a meeting has other dates than before. Others leave its next check as it is. */
const dateTypes = [
  'meeting.created',
  'meeting.updated',
  'meeting.cancelled',
  'meeting.occurrence.updated',
  'meeting.occurrence.cancelled',
  'meeting.occurrence.restored',
] as const

const queueStatement = defineStatement({
  name: 'queue-start-checks',
  parameters: { after: 'bigint' },
  text: (p) => sql`insert into start_check (meeting_id, check_at)
    select distinct m.id, '-infinity'::timestamptz from event e join meeting m on m.id = e.meeting_id
    where e.position > ${p.after} and e.type in (${sql.join(dateTypes.map((type) => sql.lit(type)))})
    order by m.id
    on conflict (meeting_id) do update set check_at = excluded.check_at`,
})

/** Have the meetings of the events that were published after a position checked again, in the same transaction. */
export const queueStartChecks = (tx: Tx, after: number) => queueStatement.execute(tx, { after })

/** A statement of its own, so that the meetings are read as they are after the lock. */
const lockStatement = defineStatement({
  name: 'lock-start-checks',
  parameters: { now: 'timestamptz' },
  columns: { meetingId: 'uuid' },
  text: (p) => sql`select meeting_id from start_check where check_at <= ${p.now} order by check_at
    limit ${sql.lit(maxChecked)} for update skip locked`,
})

/** Lock meetings that are due to be checked; those that another instance checks are left to it. */
export const lockStartChecks = async (tx: Tx, now: Date): Promise<string[]> =>
  (await lockStatement.execute(tx, { now })).map(({ meetingId }) => meetingId)

const meetingTypes = {
  ...pick(tables.meeting, 'id', 'topic', 'startsAt', 'endsAt', 'timeZoneIana', 'endsBy', 'cancelledAt'),
  rule: typed<RecurrenceRule>('jsonb'),
  exceptions: exceptionsType,
} as const

const listStatement = defineStatement({
  name: 'list-checked-meetings',
  parameters: { ids: 'uuid[]', now: 'timestamptz' },
  columns: meetingTypes,
  text: (p) => sql`select m.id, m.topic, m.starts_at, m.ends_at, m.time_zone_iana, m.ends_by, m.cancelled_at,
      m.recurrence as rule, ${briefExceptionsJson(sql`m.id`, { after: sql`${p.now}` })} as exceptions
    from meeting m where m.id = any (${p.ids})`,
})

export type CheckedMeeting = RowOf<typeof meetingTypes>

export const listCheckedMeetings = (tx: Tx, ids: readonly string[], now: Date): Promise<CheckedMeeting[]> =>
  listStatement.execute(tx, { ids: [...ids], now })

const attendeesStatement = defineStatement({
  name: 'list-attendees-of-dates',
  parameters: { meetingIds: 'uuid[]', originalStarts: 'timestamptz[]' },
  columns: { ordinal: 'bigint', accountId: 'uuid', byAddress: 'boolean' },
  text: (p) => sql`with starting as materialized (
      select * from unnest(${p.meetingIds}, ${p.originalStarts}) with ordinality as d (meeting_id, original_start, ordinal)
    ), attendee as (
      select d.ordinal, d.meeting_id, m.host_id as account_id, false as by_address
      from starting d join meeting m on m.id = d.meeting_id
      union all
      select d.ordinal, d.meeting_id, guest.id, true
      from starting d join participant p on p.meeting_id = d.meeting_id join account guest on guest.email_key = p.email_key
        left join occurrence_response r on r.meeting_id = p.meeting_id and r.email_key = p.email_key
          and r.original_start = d.original_start
        left join asked_occurrence a on a.meeting_id = p.meeting_id and a.original_start = d.original_start
      where not p.blocked and ${responseToOccurrence} is distinct from 'declined'
    ) select ordinal, account_id, bool_and(by_address) as by_address from attendee
    where not exists (
      select from admission inside where inside.meeting_id = attendee.meeting_id
        and inside.account_id = attendee.account_id and inside.entered_at is not null and inside.left_at is null)
    group by ordinal, account_id`,
})

type AttendedDate = { meetingId: string; originalStart: Date }

/**
 * The accounts of the host and of the guests of each date, by its index, without those who have declined it or are in
 * the call.
 */
export async function listAttendees(
  tx: Tx,
  dates: readonly AttendedDate[],
): Promise<{ index: number; accountId: string; byAddress: boolean }[]> {
  if (dates.length === 0) return []
  const rows = await attendeesStatement.execute(tx, {
    meetingIds: dates.map(({ meetingId }) => meetingId),
    originalStarts: dates.map(({ originalStart }) => originalStart),
  })
  return rows.map(({ ordinal, ...row }) => ({ index: ordinal - 1, ...row }))
}

const dateOfCallStatement = defineStatement({
  name: 'find-date-of-call',
  parameters: { admissionId: 'uuid' },
  columns: {
    ...pick(tables.meeting, 'recurring', 'startsAt', 'endsAt'),
    meetingId: 'uuid',
    subject: tables.meeting.topic,
    originalStart: tables.admission.occurrenceAt,
  },
  text: (p) => sql`select m.id as meeting_id, m.recurring, coalesce(changed.topic, m.topic) as subject,
      case when m.recurring then coalesce(changed.starts_at, a.occurrence_at) else m.starts_at end as starts_at,
      case when m.recurring then coalesce(changed.ends_at, a.occurrence_at + (m.ends_at - m.starts_at))
        else m.ends_at end as ends_at,
      a.occurrence_at as original_start
    from admission a join meeting m on m.id = a.meeting_id
      left join changed_occurrence changed on changed.meeting_id = m.id and changed.original_start = a.occurrence_at
    where a.id = ${p.admissionId}`,
})

/** Find the date that a person has entered the call of. An own room has none. */
export async function findDateOfCall(tx: Tx, admissionId: string) {
  const [found] = await dateOfCallStatement.execute(tx, { admissionId })
  return found
}

const finishStatement = defineStatement({
  name: 'finish-start-checks',
  parameters: { ids: 'uuid[]', checkAts: 'timestamptz?[]' },
  text: (p) => sql`with checked as materialized (
      select * from unnest(${p.ids}, ${p.checkAts}) as one (meeting_id, check_at)
    ), ended as (
      delete from start_check c using checked n where c.meeting_id = n.meeting_id and n.check_at is null
    ) update start_check c set check_at = n.check_at from checked n
      where c.meeting_id = n.meeting_id and n.check_at is not null`,
})

/** Set when meetings are checked next; null: they have no further dates. */
export const finishStartChecks = (tx: Tx, checks: readonly { id: string; checkAt: Date | null }[]) =>
  finishStatement.execute(tx, { ids: checks.map(({ id }) => id), checkAts: checks.map(({ checkAt }) => checkAt) })
