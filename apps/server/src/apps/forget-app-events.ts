import { sql } from 'kysely'
import type { Database } from '../../migrations/tables.ts'
import { eventMemoryMs, mostEventsOfApp } from './app-event-store.ts'

/** Deletes what no developer looks back at any more: by age, and of each app all but the newest. Returns how many went. */
export async function forgetAppEvents(database: Database, now: Date): Promise<number> {
  const oldest = new Date(now.getTime() - eventMemoryMs)
  const old = await database.deleteFrom('appEvent').where('createdAt', '<=', oldest).executeTakeFirst()
  // Materialized: else PostgreSQL looks for each app's newest once an event.
  const beyond = await sql`with surplus as materialized (
      select id, (select e.id from app_event e where e.app_id = app.id
        order by e.id desc offset ${mostEventsOfApp} limit 1) as newest from app
    ) delete from app_event using surplus
    where app_event.app_id = surplus.id and app_event.id <= surplus.newest`.execute(database)
  return Number(old.numDeletedRows) + Number(beyond.numAffectedRows ?? 0n)
}
