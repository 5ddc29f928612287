import { listWebhooks } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { readWhose } from './read-fields.ts'
import { requireOwner } from './webhook-owner.ts'
import { listWebhookRows } from './webhook-store.ts'
import { viewWebhook } from './webhook-view.ts'

export function serveListWebhooks({ serve, clock, config: { baseUrl } }: Service) {
  serve(listWebhooks, {
    read: ({ query }) => readWhose(query),
    handle: async ({ caller, query, database }) => {
      const now = clock.now()
      const owner = await requireOwner(database, caller, query, baseUrl)
      const webhooks = await listWebhookRows(database, caller, owner, { baseUrl, now })
      return { webhooks: webhooks.map((webhook) => viewWebhook(webhook, now)) }
    },
  })
}
