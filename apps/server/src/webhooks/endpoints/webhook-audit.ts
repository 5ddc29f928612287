import { type AuditEntry, audit } from '../../access/audit.ts'
import { actedThrough, type Caller } from '../../access/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'
import type { WebhookRow } from './webhook-store.ts'

type WebhookChange = {
  webhook: WebhookRow
  caller: Caller
  address: string
  action: Extract<AuditEntry['action'], `webhook.${string}`>
  detail?: object
  now: Date
  random: Random
}

/**
 * Record a change of a webhook in the transaction of the change. Of its URL, only the host is recorded: the rest may be
 * a secret of the receiver.
 */
export async function auditWebhook(tx: Tx, change: WebhookChange): Promise<void> {
  const { webhook, caller, address, action, detail = {}, now, random } = change
  const { id, owner, appId, sandbox, accountId, url } = webhook
  const ofApp = appId === null ? {} : { appId, sandbox }
  const { credential } = caller
  const through = credential.kind === 'oauth' ? { grantId: credential.grantId } : actedThrough(caller)
  await audit(tx, random, now, {
    tenantId: caller.tenantId,
    actorId: caller.accountId,
    subjectId: accountId,
    action,
    detail: { webhookId: id, name: new URL(url).host, owner, ...ofApp, ...detail, ...through },
    address,
  })
}
