import { sql } from 'kysely'
import { oldestKept } from '../../platform/config/config-retention.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'

/** A statement for this many sessions takes less than a second. */
const batchSize = 1_000

/** Running sessions are kept. */
const deleteStatement = defineStatement({
  name: 'delete-room-history',
  parameters: { oldest: 'timestamptz' },
  columns: { sessions: 'integer', stays: 'bigint' },
  text: (p) => sql`with old as (
    select id from room_session where ended_at <= ${p.oldest} order by ended_at limit ${sql.lit(batchSize)}
  ), stays as (
    delete from room_stay where session_id in (select id from old) returning admission_id, session_id
  ), sessions as (
    delete from room_session where id in (select id from old) returning 1
  ) select (select count(*)::integer from sessions) as sessions, (select count(*) from stays) as stays`,
})

const deleteAdmissionsStatement = defineStatement({
  name: 'delete-admissions-of-history',
  parameters: { oldest: 'timestamptz' },
  text: (
    p,
  ) => sql`delete from admission a where a.left_at <= ${p.oldest} and (a.state <> 'denied' or a.account_id is null)
    and not exists (select from room_stay s where s.admission_id = a.id)`,
})

/**
 * Delete the attendance of sessions that ended more than `days` ago; 0 keeps it as long as the meeting. Denied accounts
 * stay denied.
 */
export async function deleteOldHistory(database: Database, now: Date, days: number): Promise<void> {
  const oldest = oldestKept(now, days)
  if (oldest === undefined) return
  for (;;) {
    const [deleted] = await deleteStatement.execute(database, { oldest })
    if ((deleted?.sessions ?? 0) < batchSize) break
  }
  await deleteAdmissionsStatement.execute(database, { oldest })
}
