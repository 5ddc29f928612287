import { oldestKept } from '../../platform/config/config-retention.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'

/** A statement of this size takes less than a second. */
const sessionsAtOnce = 1_000

/** Those that still go on are no history. Who is kept out of a meeting stays out. */
const deleteStatement = statement<{ sessions: number }>(
  'forget-room-history',
  `with old as (
    select id from room_session where ended_at <= $1 order by ended_at limit ${sessionsAtOnce}
  ), stays as (
    delete from room_stay where session_id in (select id from old) returning admission_id, session_id
  ), sessions as (
    delete from room_session where id in (select id from old) returning 1
  ) select (select count(*)::integer from sessions) as sessions, (select count(*) from stays) as stays`,
)

const deleteAdmissionsStatement = statement(
  'forget-admissions-of-history',
  `delete from admission a where a.left_at <= $1 and (a.state <> 'denied' or a.account_id is null)
    and not exists (select from room_stay s where s.admission_id = a.id)`,
)

/** Delete who was in calls that ended more than `days` ago; 0 keeps them for as long as their meeting. */
export async function deleteOldHistory(database: Database, now: Date, days: number): Promise<void> {
  const oldest = oldestKept(now, days)
  if (oldest === undefined) return
  for (;;) {
    const [forgotten] = await deleteStatement(database, [oldest])
    if ((forgotten?.sessions ?? 0) < sessionsAtOnce) break
  }
  await deleteAdmissionsStatement(database, [oldest])
}
