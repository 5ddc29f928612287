import type { UndoableCancellation } from '@parley/rules/meetings/undo'
import { sql } from 'kysely'
import type { Actor } from '../access/caller.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Fragment } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import { countShards } from './meeting-store.ts'

const rowsOf = (table: Fragment) => sql`(select coalesce(json_agg(r), '[]') from ${table} r where r.meeting_id = m.id)`

const insertStatement = defineStatement({
  name: 'insert-undoable-cancellation',
  parameters: { ...pick(tables.undoableCancellation, 'meetingId', 'cancelledBy'), until: 'timestamptz' },
  text: (p) => sql`insert into undoable_cancellation (meeting_id, cancelled_by, undoable_until, version, recurrence,
    ends_by, over_at, former_rows)
  select m.id, ${p.cancelledBy}, ${p.until}, m.version + 1, m.recurrence, m.ends_by, m.over_at, json_build_object(
    'skipped', ${rowsOf(sql`skipped_occurrence`)}, 'changed', ${rowsOf(sql`changed_occurrence`)},
    'dropped', ${rowsOf(sql`dropped_cancellation`)}, 'responses', ${rowsOf(sql`occurrence_response`)},
    'asked', ${rowsOf(sql`asked_occurrence`)}, 'proposals', ${rowsOf(sql`time_proposal`)}, 'reminders', ${rowsOf(sql`meeting_reminder`)})
  from meeting m where m.id = ${p.meetingId}
  on conflict (meeting_id) do update set cancelled_by = excluded.cancelled_by, undoable_until = excluded.undoable_until,
    version = excluded.version, undone_at = null, recurrence = excluded.recurrence, ends_by = excluded.ends_by,
    over_at = excluded.over_at, former_rows = excluded.former_rows`,
})

/** Store the state of a meeting before the same transaction, which has locked it, cancels it. */
export const insertUndoable = (tx: Tx, meetingId: string, actor: Actor, until: Date) =>
  insertStatement.execute(tx, { meetingId, cancelledBy: actor.accountId, until })

const findStatement = defineStatement({
  name: 'find-undoable-cancellation',
  parameters: { meetingId: tables.undoableCancellation.meetingId },
  columns: pick(tables.undoableCancellation, 'cancelledBy', 'undoableUntil', 'version', 'undoneAt'),
  text: (p) => sql`select u.cancelled_by, u.undoable_until, u.version,
    u.undone_at
  from undoable_cancellation u join meeting m on m.id = u.meeting_id join account h on h.id = m.host_id
  where u.meeting_id = ${p.meetingId} and h.deleted_at is null`,
})

/** Find the last cancellation that could be undone. The meetings of a host who has left stay cancelled. */
export async function findUndoable(tx: Tx, meetingId: string): Promise<UndoableCancellation | undefined> {
  const [found] = await findStatement.execute(tx, { meetingId })
  return found
}

const restoreStatement = defineStatement({
  name: 'restore-former-state',
  parameters: { meetingId: tables.undoableCancellation.meetingId, actorId: 'uuid', now: 'timestamptz' },
  text: (p) => sql`with undone as (
    update undoable_cancellation set undone_at = ${p.now} where meeting_id = ${p.meetingId} returning *
  ), former as (select id, host_id, cancelled_at from meeting where id = ${p.meetingId}
  ), restored as (
    update meeting m set cancelled_at = null, recurrence = undone.recurrence, ends_by = undone.ends_by,
      over_at = undone.over_at, modified_by = ${p.actorId}, modified_at = ${p.now}, version = m.version + 1,
      sequence = m.sequence + 1, state_sequence = m.sequence + 1
    from undone where m.id = undone.meeting_id
  ), restored_for_people as (
    update participant set meeting_cancelled = false where meeting_id = ${p.meetingId}
  ), skipped as (delete from skipped_occurrence where meeting_id = ${p.meetingId}
  ), changed as (delete from changed_occurrence where meeting_id = ${p.meetingId}
  ), dropped as (delete from dropped_cancellation where meeting_id = ${p.meetingId}
  ) insert into hosted_meeting_count as hosted (host_id, shard, active, cancelled)
    select host_id, pg_backend_pid() % ${sql.lit(countShards)}, 1, -1 from former where cancelled_at is not null
    on conflict (host_id, shard) do update set active = hosted.active + 1, cancelled = hosted.cancelled - 1`,
})

/**
 * Restore the former rows. Answers since the cancellation stay, and so does the next reminder of the rest of a series.
 */
const restoreRowsStatement = defineStatement({
  name: 'restore-rows-of-meeting',
  parameters: { meetingId: tables.undoableCancellation.meetingId },
  text: (p) => {
    const kept = (table: Fragment, name: string) => sql`insert into ${table} select r.* from undoable_cancellation u,
      json_populate_recordset(null::${table}, u.former_rows::json -> ${sql.lit(name)}) r
      where u.meeting_id = ${p.meetingId} on conflict do nothing`
    return sql`with skipped as (${kept(sql`skipped_occurrence`, 'skipped')}),
      changed as (${kept(sql`changed_occurrence`, 'changed')}), dropped as (${kept(sql`dropped_cancellation`, 'dropped')}),
      responses as (${kept(sql`occurrence_response`, 'responses')}), asked as (${kept(sql`asked_occurrence`, 'asked')}),
      proposals as (${kept(sql`time_proposal`, 'proposals')}) ${kept(sql`meeting_reminder`, 'reminders')}`
  },
})

/** Give a meeting the times, exceptions and answers again that it had before it was cancelled. */
export async function restoreFormerState(tx: Tx, meetingId: string, actor: Actor, now: Date): Promise<void> {
  await restoreStatement.execute(tx, { meetingId, actorId: actor.accountId, now })
  await restoreRowsStatement.execute(tx, { meetingId })
}

/** Delete what can no longer be undone. */
export const deleteUndoables = (database: Database, now: Date) =>
  database.deleteFrom('undoableCancellation').where('undoableUntil', '<=', now).execute()
