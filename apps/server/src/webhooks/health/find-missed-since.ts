import { retryForMs } from '@parley/rules/webhooks/retry-schedule'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { tables } from '../../platform/database/tables.ts'

/** What was given up when the webhook was switched off: events whose three days of retries were not over. */
const findStatement = defineStatement({
  name: 'find-missed-webhook-events',
  parameters: { webhookId: tables.webhookDelivery.webhookId, retriedSince: 'timestamptz' },
  columns: { since: 'timestamptz?' },
  text: (p) => sql`select min(e.occurred_at) as since
    from webhook_delivery d join event e on e.id = d.event_id
    where d.webhook_id = ${p.webhookId} and d.state = 'failed'
      and (d.first_attempt_at is null or d.first_attempt_at >= ${p.retriedSince})`,
})

type DisabledWebhook = { id: string; disabledAt: Date; failingSince: Date | null }

/**
 * Find the time from which on a webhook that was switched off has missed events: that of the oldest event that was given
 * up then, which may have happened before the first refusal; or else that of the switching off.
 */
export async function findMissedSince(tx: Tx, { id, disabledAt, failingSince }: DisabledWebhook): Promise<Date> {
  const retriedSince = new Date(disabledAt.getTime() - retryForMs)
  const [row] = await findStatement.execute(tx, { webhookId: id, retriedSince })
  const times = [row?.since, failingSince, disabledAt].flatMap((time) => (time ? [time.getTime()] : []))
  return new Date(Math.min(...times))
}
