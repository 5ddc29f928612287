import { sql } from 'kysely'
import { defaultRetention, oldestKept } from '../../platform/config/config-retention.ts'
import type { Database } from '../../platform/database/database.ts'
import { maxEventsOfKind } from './app-event-store.ts'

/**
 * Delete app events past their retention, and of each app and kind all but the newest `maxEventsOfKind`. Lines that
 * refusals share are counted apart, so that a stranger displaces no other lines. Returns how many were deleted.
 */
export async function deleteOldAppEvents(
  database: Database,
  now: Date,
  days = defaultRetention.appEventDays,
): Promise<number> {
  const oldest = oldestKept(now, days) ?? now
  const old = await database.deleteFrom('appEvent').where('lastOccurredAt', '<=', oldest).executeTakeFirst()
  // Materialized: otherwise PostgreSQL searches each kind's newest once per event.
  const beyond = await sql`with crowded as materialized (
      select app_id, kind, shared_hour is null as own from app_event group by app_id, kind, own
      having count(*) > ${maxEventsOfKind}
    ), surplus as materialized (
      select crowded.*, newest.* from crowded, lateral (
        select e.last_occurred_at, e.id from app_event e
        where e.app_id = crowded.app_id and e.kind = crowded.kind and (e.shared_hour is null) = crowded.own
        order by e.last_occurred_at desc, e.id desc offset ${maxEventsOfKind} limit 1
      ) newest
    ) delete from app_event e using surplus s
    where e.app_id = s.app_id and e.kind = s.kind and (e.shared_hour is null) = s.own
      and (e.last_occurred_at, e.id) <= (s.last_occurred_at, s.id)`.execute(database)
  return Number(old.numDeletedRows) + Number(beyond.numAffectedRows ?? 0n)
}
