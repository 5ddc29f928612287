import { rotateWebhookSecret } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { encryptSecret, newWebhookSecret } from '../webhook-secret.ts'
import { auditWebhook } from './webhook-audit.ts'
import { previousSecretMs } from './webhook-limits.ts'
import { requireMaker, requireSessionForSecret, requireTypes } from './webhook-owner.ts'
import { lockWebhook, updateWebhookRow } from './webhook-store.ts'
import { viewWebhook } from './webhook-view.ts'

/** Replace the secret. The one before signs for a day more; one from before that ends at once. */
export function serveRotateWebhookSecret({ serve, clock, random, encryption, config: { baseUrl } }: Service) {
  serve(rotateWebhookSecret, {
    handle: ({ caller, params: { webhookId }, request, answer, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const before = await lockWebhook(tx, caller, webhookId, { baseUrl, now })
        if (before.owner === 'app') requireSessionForSecret(caller)
        requireTypes(caller, before, baseUrl)
        requireMaker(caller, before)
        const secret = newWebhookSecret(random)
        const webhook = await updateWebhookRow(tx, before.id, {
          encryptedSecret: encryptSecret(encryption, secret, before.id),
          encryptedPreviousSecret: before.encryptedSecret,
          previousSecretUntil: new Date(now.getTime() + previousSecretMs),
          modifiedAt: now,
        })
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.secret-replaced', now, random })
        answer.header('cache-control', 'no-store')
        return { ...viewWebhook(webhook, now), secret }
      }),
  })
}
