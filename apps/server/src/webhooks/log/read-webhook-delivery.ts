import { readWebhookDelivery } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { requireTypes } from '../endpoints/webhook-owner.ts'
import { requireWebhook } from '../endpoints/webhook-store.ts'
import { findDelivery, listAttempts } from './delivery-store.ts'
import { viewAttempt, viewDelivery } from './delivery-view.ts'

export function serveReadWebhookDelivery({ serve, clock, config: { baseUrl } }: Service) {
  serve(readWebhookDelivery, {
    handle: async ({ caller, params: { webhookId, eventId }, database }) => {
      const now = clock.now()
      const webhook = await requireWebhook(database, caller, webhookId, { baseUrl, now })
      requireTypes(caller, webhook, baseUrl)
      const delivery = isUuid(eventId) ? await findDelivery(database, webhook.id, eventId) : undefined
      if (delivery === undefined) throw problem('delivery_not_found')
      const attempts = await listAttempts(database, webhook.id, eventId)
      return { ...viewDelivery(delivery), attemptLog: attempts.map(viewAttempt) }
    },
  })
}
