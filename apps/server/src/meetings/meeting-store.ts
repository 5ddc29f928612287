import type { AdvancedOptions } from '@parley/contract'
import type { Participant } from '@parley/rules/meetings/participants'
import type { RecurrenceRule } from '@parley/rules/recurrence/recurrence'
import { statement } from '../platform/database/database.ts'
import type { Database, Tx } from '../tables/tables.ts'
import { type MeetingColumns, type MeetingRow, meetingColumns, meetingRowOf } from './meeting-row.ts'
import type { Viewer } from './view/meeting-viewer.ts'

/** A request for a meeting by a viewer. */
export type MeetingLookup = { id: string; viewer: Viewer }

/**
 * Finds several meetings, each for a viewer. A meeting that its viewer may not know is absent, so that ids cannot be probed.
 */
const findStatement = statement<MeetingColumns & { ordinal: number }>(
  'find-meetings',
  `select requested.ordinal, ${meetingColumns}
   from unnest($2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::uuid[])
     with ordinality as requested (id, account_id, address_key, administrator, tenant_id, ordinal)
   join meeting m on m.id = requested.id join account h on h.id = m.host_id
   where m.host_id = requested.account_id
     or exists (select from participant mine where mine.meeting_id = m.id and mine.email_key = requested.address_key)
     or exists (select from added_meeting a where a.meeting_id = m.id and a.account_id = requested.account_id)
     or (requested.administrator and requested.tenant_id = h.tenant_id)`,
)

const lockStatement = statement<{ id: string }>('lock-meeting', 'select id from meeting where id = $1 for update')

const skippedStatement = statement<{ startsAt: Date }>(
  'find-skipped',
  'select starts_at as "startsAt" from skipped_occurrence where meeting_id = $1 order by starts_at',
)

/** Find meetings, in the order of the requests; undefined for a meeting that the viewer may not know. */
export async function findMeetings(
  database: Database,
  requested: readonly MeetingLookup[],
  namesEveryAddress: boolean,
): Promise<(MeetingRow | undefined)[]> {
  const rows = await findStatement(database, [
    namesEveryAddress,
    requested.map(({ id }) => id),
    requested.map(({ viewer }) => viewer.accountId),
    requested.map(({ viewer }) => viewer.addressKey),
    requested.map(({ viewer }) => viewer.administrator),
    requested.map(({ viewer }) => viewer.tenantId),
  ])
  const found = new Map(rows.map((row) => [row.ordinal, meetingRowOf(row)]))
  return requested.map((_, index) => found.get(index + 1))
}

export async function findMeeting(database: Database, id: string, viewer: Viewer): Promise<MeetingRow | undefined> {
  const [found] = await findMeetings(database, [{ id, viewer }], viewer.namesEveryAddress)
  return found
}

/** `findMeeting` with a row lock until the transaction ends. */
export async function lockMeeting(tx: Tx, id: string, viewer: Viewer): Promise<MeetingRow | undefined> {
  const [locked] = await lockStatement(tx, [id])
  return locked && findMeeting(tx, id, viewer)
}

const findAnyStatement = statement<MeetingColumns>(
  'find-any-meeting',
  `select ${meetingColumns} from meeting m join account h on h.id = m.host_id where m.id = $2`,
)

/** Find a meeting without a viewer, for background jobs. */
export async function findAnyMeeting(database: Database, id: string): Promise<MeetingRow | undefined> {
  // Accounts behind addresses matter to replies only.
  const [found] = await findAnyStatement(database, [false, id])
  return found && meetingRowOf(found)
}

export async function findSkipped(database: Database, meetingId: string): Promise<readonly Date[]> {
  const rows = await skippedStatement(database, [meetingId])
  return rows.map((row) => row.startsAt)
}

/** The columns that create and update write. */
export type MeetingValues = {
  topic: string
  description: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  timeZoneIana: string
  rule: RecurrenceRule
  endsBy: Date | null
  overAt: Date | 'infinity'
  options: AdvancedOptions
  participants: readonly Participant[]
  reminderMinutes: number | null
}

export const peopleValues = (people: readonly Participant[]) => [
  people.map((person) => person.addressKey),
  people.map((person) => person.email),
  people.map((person) => person.invited),
  people.map((person) => person.cohost),
]

export const insertPeople = (meeting: string, firstValue: number) => `insert into participant
  (meeting_id, email_key, email, position, invited, cohost, starts_at, meeting_recurring)
  select ${meeting}.id, person.email_key, person.email, person.position, person.invited, person.cohost,
    ${meeting}.starts_at, ${meeting}.recurring
  from ${meeting}, unnest($${firstValue}::text[], $${firstValue + 1}::text[], $${firstValue + 2}::boolean[],
    $${firstValue + 3}::boolean[]) with ordinality as person (email_key, email, invited, cohost, position)`

/** Few enough rows to add up for each list, enough that concurrent creates rarely lock the same one. */
export const countShards = 64

const replaceStatement = statement<{ id: string }>(
  'replace-meeting',
  `with replaced as (
    update meeting set topic = $2, description = $3, starts_at = $4, ends_at = $5, time_zone = $6, time_zone_iana = $7,
      recurrence = $8, ends_by = $9, over_at = $10, options = $11, modified_by = $12, modified_at = $13,
      version = version + 1, reminder_minutes = $18, sequence = $19, state_sequence = $21
    where id = $1 returning id, starts_at, recurring
  ) ${insertPeople('replaced', 14)}
  on conflict (meeting_id, email_key) do update set email = excluded.email, position = excluded.position,
    invited = excluded.invited, cohost = excluded.cohost, starts_at = excluded.starts_at,
    meeting_recurring = excluded.meeting_recurring,
    response = case when not $20::boolean then participant.response end`,
)

type Replacement = {
  modifiedBy: string
  sequence: number
  stateSequence: number
  /** Reset the responses of participants, which were for another time. */
  asksAgain: boolean
  now: Date
}

export async function replaceMeeting(
  tx: Tx,
  id: string,
  values: MeetingValues,
  { modifiedBy, sequence, stateSequence, asksAgain, now }: Replacement,
) {
  const keys = values.participants.map((person) => person.addressKey)
  await deletePeopleStatement(tx, [id, keys])
  await replaceStatement(tx, [
    id,
    values.topic,
    values.description,
    values.startsAt,
    values.endsAt,
    values.timeZone,
    values.timeZoneIana,
    values.rule,
    values.endsBy,
    values.overAt,
    values.options,
    modifiedBy,
    now,
    ...peopleValues(values.participants),
    values.reminderMinutes,
    sequence,
    asksAgain,
    stateSequence,
  ])
}

const deletePeopleStatement = statement<{ id: string }>(
  'forget-people',
  'delete from participant where meeting_id = $1 and email_key <> all ($2::text[])',
)

export const insertSkipped = (tx: Tx, meetingId: string, startsAt: Date, skippedBy: string, now: Date) =>
  tx.insertInto('skippedOccurrence').values({ meetingId, startsAt, skippedBy, skippedAt: now }).execute()

/** Keep the meeting, with another end of its last occurrence. */
export const setOverAt = (tx: Tx, id: string, overAt: Date | 'infinity', modifiedBy: string, now: Date) =>
  tx
    .updateTable('meeting')
    .set((row) => ({
      overAt,
      modifiedBy,
      modifiedAt: now,
      version: row('version', '+', 1),
      sequence: row('sequence', '+', 1),
      stateSequence: row('sequence', '+', 1),
    }))
    .where('id', '=', id)
    .execute()

const endStatement = statement<{ id: string }>(
  'end-meeting',
  `with ended as (
    update meeting set cancelled_at = $2, over_at = $3, modified_by = $4, modified_at = $2, version = version + 1,
      sequence = sequence + 1, state_sequence = sequence + 1
    where id = $1 returning host_id
  ), cancelled_for_people as (
    update participant set meeting_cancelled = true where meeting_id = $1
  ) insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled)
    select host_id, pg_backend_pid() % ${countShards}, -1, 1 from ended
    on conflict (host_id, shard) do update set active = hosted.active - 1, cancelled = hosted.cancelled + 1`,
)

export const endMeeting = (tx: Tx, id: string, overAt: Date, modifiedBy: string, now: Date) =>
  endStatement(tx, [id, now, overAt, modifiedBy])
