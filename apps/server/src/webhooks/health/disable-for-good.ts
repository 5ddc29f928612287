import type { Tx } from '../../platform/database/database.ts'
import { type DisabledBecause, disableWebhook } from '../delivery/outcome-store.ts'

/**
 * Switch a webhook off for its owner. One that is off for its failures is no longer probed. Returns false for one that was
 * off and not probed.
 */
export async function disableForGood(
  tx: Tx,
  webhookId: string,
  now: Date,
  because: Extract<DisabledBecause, 'owner' | 'signed_out'> = 'owner',
): Promise<boolean> {
  if (await disableWebhook(tx, webhookId, because, now, null)) return true
  const { numUpdatedRows } = await tx
    .updateTable('webhook')
    .set({ disabledBecause: because, nextProbeAt: null })
    .where('id', '=', webhookId)
    .$if(because === 'signed_out', (query) => query.where('nextProbeAt', 'is not', null))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
