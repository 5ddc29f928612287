import type { Tx } from '../../tables/tables.ts'
import { disableWebhook } from '../delivery/outcome-store.ts'

/** Switch a webhook off for its owner. One that is off for its failures is no longer probed. */
export async function disableForGood(tx: Tx, webhookId: string, now: Date): Promise<void> {
  if (await disableWebhook(tx, webhookId, 'owner', now, null)) return
  await tx
    .updateTable('webhook')
    .set({ disabledBecause: 'owner', nextProbeAt: null })
    .where('id', '=', webhookId)
    .execute()
}
