import { sql } from 'kysely'
import { defaultRetention, oldestKept } from '../../platform/config/config-retention.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'

/** A statement of this size takes less than a second. */
const rowsAtOnce = 10_000
/** As many rows as three connections can produce in an hour. */
const maxBatches = 20

const parameters = { before: 'timestamptz' } as const
const columns = { rows: 'integer' } as const

const deleteMailsStatement = defineStatement({
  name: 'delete-guest-mails',
  parameters,
  columns,
  text: (p) => sql`with
    old as (select ctid from guest_mail where started_at < ${p.before} limit ${sql.lit(rowsAtOnce)}),
    deleted as (delete from guest_mail where ctid = any (array(select ctid from old)) returning 1)
  select count(*)::integer as rows from deleted`,
})

/**
 * Only of people who are no longer invited and were notified. The calendars of all others still show what their rows
 * record.
 */
const deleteDeliveriesStatement = defineStatement({
  name: 'delete-ended-deliveries',
  parameters,
  columns,
  text: (p) => sql`with old as (
    select meeting_id, email_key from guest_delivery d
    where last_mail_at < ${p.before} and held_sequence is null and not pending and reminder_for is null
    limit ${sql.lit(rowsAtOnce)}
  ), deleted as (
    delete from guest_delivery d using old where d.meeting_id = old.meeting_id and d.email_key = old.email_key
      and d.held_sequence is null and not d.pending and d.reminder_for is null returning 1
  ) select count(*)::integer as rows from deleted`,
})

/** Delete old records of mails about meetings. Responses and calendars do not depend on them. */
export async function deleteOldMails(
  database: Database,
  now: Date,
  days = defaultRetention.mailRecordDays,
): Promise<void> {
  const before = oldestKept(now, days) ?? now
  for (const statement of [deleteMailsStatement, deleteDeliveriesStatement]) {
    for (let batch = 0; batch < maxBatches; batch++) {
      const [deleted] = await statement.execute(database, { before })
      if (deleted === undefined || deleted.rows < rowsAtOnce) break
    }
  }
}
