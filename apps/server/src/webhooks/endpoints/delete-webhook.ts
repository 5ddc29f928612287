import { deleteWebhook } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { deleteDeliveries } from '../delete-webhooks.ts'
import { auditWebhook } from './webhook-audit.ts'
import { requireMaker } from './webhook-owner.ts'
import { lockWebhook, requireWebhook } from './webhook-store.ts'

/** Delete a webhook. An attempt that is under way is not recorded. */
export function serveDeleteWebhook({ serve, clock, random, config: { baseUrl } }: Service) {
  serve(deleteWebhook, {
    handle: async ({ caller, params: { webhookId }, request, database }) => {
      const now = clock.now()
      const found = await requireWebhook(database, caller, webhookId, { baseUrl, now })
      requireMaker(caller, found)
      const { id } = found
      await deleteDeliveries(database, id)
      return inTransaction(database, async (tx) => {
        const webhook = await lockWebhook(tx, caller, id, { baseUrl, now })
        await tx.deleteFrom('webhook').where('id', '=', id).execute()
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.deleted', now, random })
        return { status: 'The webhook is deleted.' }
      })
    },
  })
}
