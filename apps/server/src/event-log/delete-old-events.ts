import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { defineStatement } from '../platform/database/define-statement.ts'

/** docs/events.md names it: receivers rely on it. */
export const retentionMs = 30 * 24 * 60 * 60 * 1_000

/** Takes some ten milliseconds. */
const maxBatch = 1_000

/**
 * Positions are those of publication, so that the oldest events come first but for some seconds. In this order the log
 * has one start, which tells a reader whether it has missed events.
 */
const deleteStatement = defineStatement({
  name: 'delete-old-events',
  parameters: { oldest: 'timestamptz' },
  columns: { deleted: 'bigint' },
  text: (p) => sql`with deleted as (
      delete from event where position = any (array(
        select position from (
          select position, occurred_at from event where position is not null order by position limit ${sql.lit(maxBatch)}
        ) first where occurred_at <= ${p.oldest}
      )) returning position
    ), advanced as (
      update event_log set deleted_position = (select max(position) from deleted) where exists (select from deleted)
    ) select count(*) as deleted from deleted`,
})

/** Delete the events of more than 30 days ago. */
export async function deleteOldEvents(database: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - retentionMs)
  let deleted: number
  do [{ deleted } = { deleted: 0 }] = await deleteStatement.execute(database, { oldest })
  while (deleted === maxBatch)
}
