import { listWebhookDeliveries } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { readPosition, writePosition } from '../../platform/database/cursor.ts'
import { requireTypes } from '../endpoints/webhook-owner.ts'
import { requireWebhook } from '../endpoints/webhook-store.ts'
import { listDeliveries } from './delivery-store.ts'
import { viewDelivery } from './delivery-view.ts'

const defaultLimit = 50

/** List the deliveries of a webhook, the newest first. */
export function serveListWebhookDeliveries({ serve, clock, config: { baseUrl } }: Service) {
  serve(listWebhookDeliveries, {
    read: ({ query }) => readPosition(query.after),
    handle: async ({ caller, params: { webhookId }, query, input: before, database }) => {
      const now = clock.now()
      const webhook = await requireWebhook(database, caller, webhookId, { baseUrl, now })
      requireTypes(caller, webhook, baseUrl)
      const { state, limit = defaultLimit } = query
      const found = await listDeliveries(database, webhook.id, { state, before, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        deliveries: page.map(viewDelivery),
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writePosition(last.position) : null,
      }
    },
  })
}
