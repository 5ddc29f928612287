import { sql } from 'kysely'
import { type Database, retryOnConflict } from '../platform/database/database.ts'
import { defineStatement, defineStatementVariants } from '../platform/database/define-statement.ts'
import { tables } from '../platform/database/tables.ts'
import { hasEnded } from './has-ended.ts'

/** Takes some ten milliseconds: the log of a busy webhook would exceed the time limit of one statement. */
const maxBatch = 2_000

/** Attempts first: a delivery that is left shows no attempts that it did not have. */
const logTables = ['webhook_attempt', 'webhook_delivery'] as const

const deleteLogStatement = defineStatementVariants({
  name: 'delete-log-of-webhook',
  dimensions: { table: logTables },
  parameters: { webhookId: 'uuid' },
  columns: { deleted: 'bigint' },
  text: (p, { table }) => sql`with deleted as (
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where webhook_id = ${p.webhookId} limit ${sql.lit(maxBatch)})) returning 1
    ) select count(*) as deleted from deleted`,
})

/** Delete the log of a webhook, and what waits, before the webhook itself. */
export async function deleteDeliveries(database: Database, webhookId: string): Promise<void> {
  for (const table of logTables) {
    let deleted: number
    do {
      const [row] = await retryOnConflict(() => deleteLogStatement({ table }).execute(database, { webhookId }))
      deleted = row?.deleted ?? 0
    } while (deleted === maxBatch)
  }
}

/** Delete the webhooks of a closed account, and all that it made. */
export async function deleteWebhooksOfAccount(database: Database, accountId: string): Promise<void> {
  const webhooks = await database.selectFrom('webhook').select('id').where('accountId', '=', accountId).execute()
  for (const { id } of webhooks) await deleteWithLog(database, id)
}

const findEndedStatement = defineStatement({
  name: 'find-ended-webhooks',
  parameters: { now: 'timestamptz' },
  columns: { id: tables.webhook.id },
  text: (p) => sql`select w.id from webhook w where ${hasEnded(sql`w`, p.now)}`,
})

/** Delete the webhooks of tokens, grants and apps that have ended: nothing was sent to them since. */
export async function deleteEndedWebhooks(database: Database, now: Date): Promise<void> {
  const webhooks = await findEndedStatement.execute(database, { now })
  for (const { id } of webhooks) await deleteWithLog(database, id)
}

async function deleteWithLog(database: Database, id: string): Promise<void> {
  await deleteDeliveries(database, id)
  await retryOnConflict(() => database.deleteFrom('webhook').where('id', '=', id).execute())
}
