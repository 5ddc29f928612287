import { sendTestEvent } from '@parley/contract'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import { recordWebhookEvent } from '../../event-log/record-event.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { requireActive } from './webhook-owner.ts'
import { lockWebhookForShare, requireWebhook } from './webhook-store.ts'

/** Record a test event; the delivery loop sends the sample of its type. */
export function serveSendTestEvent({ serve, clock, attemptLimits, config: { baseUrl } }: AccountsService) {
  serve(sendTestEvent, {
    handle: async ({ caller, params: { webhookId }, body: { type = 'webhook.test' }, database }) => {
      const now = clock.now()
      const { id } = requireActive(await requireWebhook(database, caller, webhookId, { baseUrl, now }), caller, baseUrl)
      await attemptLimits.countOrRefuse('testEventsOfAccount', caller.accountId)
      const event = await inTransaction(database, async (tx) => {
        const { accountId } = requireActive(
          await lockWebhookForShare(tx, caller, id, { baseUrl, now }),
          caller,
          baseUrl,
        )
        const data = type === 'webhook.test' ? {} : { sampleOf: type }
        return recordWebhookEvent(tx, { type: 'webhook.test', webhookId: id, accountId, data, now })
      })
      return { eventId: event.id }
    },
  })
}
