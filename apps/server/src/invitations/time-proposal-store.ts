import { maxProposals } from '@parley/rules/invitations/time-proposal'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'

type TimeProposal = {
  meetingId: string
  addressKey: string
  /** The original start of the occurrence that the proposal is about; null: the meeting. */
  originalStart: Date | null
  startsAt: Date
  endsAt: Date
  comment: string | null
  /** In whole seconds. */
  proposedAt: Date
  recordedAt: Date
}

/** Dismissed proposals beyond the limit make room, the oldest first. */
const makeRoomStatement = defineStatement({
  name: 'make-room-for-proposal',
  parameters: { ...pick(tables.timeProposal, 'meetingId', 'originalStart'), addressKey: 'text' },
  columns: { count: 'integer' },
  text: (p) => sql`with other as materialized (
    select id, dismissed_at, row_number() over (order by dismissed_at is null desc, proposed_at desc, id desc) as place
    from time_proposal where meeting_id = ${p.meetingId} and email_key = ${p.addressKey}
      and original_start is distinct from ${p.originalStart}
  ), deleted as (
    delete from time_proposal where id in (
      select id from other where place >= ${sql.lit(maxProposals)} and dismissed_at is not null)
    returning 1
  ) select (count(*) - (select count(*) from deleted))::integer as count from other`,
})

const recordStatement = defineStatement({
  name: 'record-time-proposal',
  parameters: {
    ...pick(tables.timeProposal, 'id', 'meetingId', 'originalStart', 'startsAt', 'endsAt', 'comment', 'proposedAt'),
    addressKey: 'text',
    recordedAt: 'timestamptz',
  },
  columns: { id: tables.timeProposal.id },
  text: (p) => sql`insert into time_proposal as known
    (id, meeting_id, email_key, original_start, starts_at, ends_at, comment, proposed_at, recorded_at)
    values (${p.id}, ${p.meetingId}, ${p.addressKey}, ${p.originalStart}, ${p.startsAt}, ${p.endsAt}, ${p.comment},
      ${p.proposedAt}, ${p.recordedAt})
    on conflict (meeting_id, email_key, coalesce(original_start, '-infinity')) do update set id = excluded.id,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at, comment = excluded.comment,
      proposed_at = excluded.proposed_at, recorded_at = excluded.recorded_at, dismissed_at = null
    where known.proposed_at < excluded.proposed_at
    returning id`,
})

/**
 * Keep a proposal in place of the guest's former one for the same date. `outdated` where the former proposal is not
 * older, so that a mail that arrives twice does not bring back a dismissed proposal.
 */
export async function recordProposal(
  database: Database,
  id: string,
  proposal: TimeProposal,
): Promise<'recorded' | 'outdated' | 'too-many'> {
  const { meetingId, addressKey, originalStart } = proposal
  const [others] = await makeRoomStatement.execute(database, { meetingId, addressKey, originalStart })
  if (others !== undefined && others.count >= maxProposals) return 'too-many'
  const recorded = await recordStatement.execute(database, { id, ...proposal })
  return recorded.length === 0 ? 'outdated' : 'recorded'
}

/** The proposals of a large meeting. */
const maxListedProposals = 200

const listStatement = defineStatement({
  name: 'list-time-proposals',
  parameters: { meetingId: tables.timeProposal.meetingId, now: 'timestamptz' },
  columns: {
    ...pick(tables.timeProposal, 'id', 'originalStart', 'startsAt', 'endsAt', 'comment', 'proposedAt'),
    email: tables.participant.email,
  },
  text: (p) => sql`select t.id, p.email, t.original_start, t.starts_at,
    t.ends_at, t.comment, t.proposed_at
  from time_proposal t join participant p on p.meeting_id = t.meeting_id and p.email_key = t.email_key
  where t.meeting_id = ${p.meetingId} and t.dismissed_at is null and t.starts_at > ${p.now}
  order by t.proposed_at, t.id limit ${sql.lit(maxListedProposals)}`,
})

/** List the proposals whose time has not passed, oldest first. */
export const listProposals = (database: Database, meetingId: string, now: Date) =>
  listStatement.execute(database, { meetingId, now })

/** Mark a proposal as dismissed; false where there is no such proposal. Dismissing a proposal again changes nothing. */
export async function markDismissed(database: Database, meetingId: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable('timeProposal')
    .set((row) => ({ dismissedAt: row.fn.coalesce('dismissedAt', sql<Date>`${now}`) }))
    .where('meetingId', '=', meetingId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
