import { readWebhook } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { requireWebhook } from './webhook-store.ts'
import { viewWebhook } from './webhook-view.ts'

export function serveReadWebhook({ serve, clock, config: { baseUrl } }: Service) {
  serve(readWebhook, {
    handle: async ({ caller, params: { webhookId }, database }) => {
      const now = clock.now()
      return viewWebhook(await requireWebhook(database, caller, webhookId, { baseUrl, now }), now)
    },
  })
}
