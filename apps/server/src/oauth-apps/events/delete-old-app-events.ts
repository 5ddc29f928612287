import { sql } from 'kysely'
import { defaultRetention, oldestKept } from '../../platform/config/config-retention.ts'
import type { Database } from '../../tables/tables.ts'
import { maxEventsOfKind } from './app-event-store.ts'

/**
 * Delete app events past their retention, and of each app and kind all but the newest `maxEventsOfKind`. Returns how
 * many were deleted.
 */
export async function deleteOldAppEvents(
  database: Database,
  now: Date,
  days = defaultRetention.appEventDays,
): Promise<number> {
  const oldest = oldestKept(now, days) ?? now
  const old = await database.deleteFrom('appEvent').where('createdAt', '<=', oldest).executeTakeFirst()
  // Materialized: otherwise PostgreSQL searches each kind's newest once per event.
  const beyond = await sql`with crowded as materialized (
      select app_id, kind from app_event group by app_id, kind having count(*) > ${maxEventsOfKind}
    ), surplus as materialized (
      select app_id, kind, (select e.id from app_event e where e.app_id = crowded.app_id and e.kind = crowded.kind
        order by e.id desc offset ${maxEventsOfKind} limit 1) as newest from crowded
    ) delete from app_event using surplus
    where app_event.app_id = surplus.app_id and app_event.kind = surplus.kind and app_event.id <= surplus.newest`.execute(
    database,
  )
  return Number(old.numDeletedRows) + Number(beyond.numAffectedRows ?? 0n)
}
