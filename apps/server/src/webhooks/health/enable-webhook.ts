import { recordWebhookEvent } from '../../event-log/record-event.ts'
import type { Tx } from '../../platform/database/database.ts'
import { findMissedSince } from './find-missed-since.ts'

type DisabledWebhook = { id: string; accountId: string; disabledAt: Date | null; failingSince: Date | null }

/**
 * Switch a webhook on again. `webhook.gap` names the events that it was not sent: those since the time of
 * `findMissedSince`.
 */
export async function enableWebhook(tx: Tx, webhook: DisabledWebhook, now: Date): Promise<void> {
  const { id, accountId, disabledAt } = webhook
  if (disabledAt === null) return
  const from = await findMissedSince(tx, { ...webhook, disabledAt })
  await tx
    .updateTable('webhook')
    .set({ disabledAt: null, disabledBecause: null, failingSince: null, warnedAt: null, nextProbeAt: null })
    .where('id', '=', id)
    .execute()
  const data = { from: from.toISOString(), to: now.toISOString() }
  await recordWebhookEvent(tx, { type: 'webhook.gap', webhookId: id, accountId, data, now })
}
