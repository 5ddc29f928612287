import { updateWebhook } from '@parley/contract'
import { combine, type Reading, readOptional } from '@parley/rules/text/reading'
import { violationAt } from '@parley/rules/text/violation'
import { isLocalHttp, readWebhookUrl } from '@parley/rules/webhooks/webhook-url'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { invalidRequest } from '../../platform/http/problem.ts'
import { disableForGood } from '../health/disable-for-good.ts'
import { enableWebhook } from '../health/enable-webhook.ts'
import { createReceiverPolicy } from '../receiver-policy.ts'
import { readDescription, readTypes } from './read-fields.ts'
import { auditWebhook } from './webhook-audit.ts'
import { grantedTypes, requireMaker, requireTypes } from './webhook-owner.ts'
import { lockWebhook, updateWebhookRow, type WebhookRow } from './webhook-store.ts'
import { viewWebhook } from './webhook-view.ts'

/** Change a webhook, and switch it off or on. */
export function serveUpdateWebhook({ serve, clock, random, attemptLimits, config }: AccountsService) {
  const { baseUrl } = config
  // Whose it is, the row says: the address is read by the widest policy, and then by that of the owner.
  const policy = createReceiverPolicy(config, 'organisation')
  serve(updateWebhook, {
    read: ({ body }) =>
      combine({
        url: readOptional(body.url, (text) => readWebhookUrl('/url', text, policy)),
        types: readOptional(body.types, readTypes),
        description: readOptional(body.description, readDescription),
      }),
    handle: async ({ caller, params, body, input: { url, types, description }, request, database }) => {
      if (body.active === true) await attemptLimits.countOrRefuse('enabledWebhooksOfAccount', caller.accountId)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const before = await lockWebhook(tx, caller, params.webhookId, { baseUrl, now })
        requireTypes(caller, before, baseUrl)
        requireMaker(caller, before)
        if (url !== undefined) {
          requireHttps(before, url)
          requireReading(readWebhookUrl('/url', url, createReceiverPolicy(config, before.owner)))
        }
        const changes = {
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types: grantedTypes(caller, { owner: before.owner, types }, baseUrl) }),
          ...(body.payload !== undefined && { payload: body.payload }),
          ...(description !== undefined && { description }),
        }
        const { active } = body
        const changed = [...Object.keys(changes), ...(active === undefined ? [] : ['active'])]
        if (changed.length === 0) return viewWebhook(before, now)
        await updateWebhookRow(tx, before.id, { ...changes, modifiedAt: now })
        if (active === false) await disableForGood(tx, before.id, now)
        if (active === true) await enableWebhook(tx, before, now)
        const webhook = await lockWebhook(tx, caller, before.id, { baseUrl, now })
        const detail = {
          changed,
          types: webhook.types,
          payload: webhook.payload,
          ...(active !== undefined && { active }),
        }
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.changed', detail, now, random })
        return viewWebhook(webhook, now)
      })
    },
  })
}

/** @throws invalid_request */
function requireReading(reading: Reading<string>): void {
  if (reading.violations !== undefined) throw invalidRequest([...reading.violations])
}

/** Only the sandbox of an app may be a program on this machine. */
function requireHttps({ appId, sandbox }: WebhookRow, url: string) {
  if (appId === null || sandbox || !isLocalHttp(url)) return
  throw invalidRequest([violationAt('/url', { code: 'not_https', message: 'must begin with https://' })])
}
