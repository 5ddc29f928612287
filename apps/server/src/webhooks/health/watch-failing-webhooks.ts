import { Type } from 'typebox'
import type { WithDatabase } from '../../access/service.ts'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import { recordWebhookEvent } from '../../event-log/record-event.ts'
import { type Database, inTransaction, type Tx } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { disableWebhook } from '../delivery/outcome-store.ts'
import { webhookFailureEmail } from '../webhook-emails.ts'

const hourMs = 60 * 60 * 1_000

/** Without one success for so long, the owner is emailed, and then the webhook is switched off. */
export const warnAfterMs = 24 * hourMs
export const disableAfterMs = 3 * 24 * hourMs

/** The first probe (probe-webhooks.ts). */
const probeAfterMs = hourMs

/** Each is a transaction; the next hour reports the rest. */
const maxReported = 1_000

export const watchFailingWebhooksJob = defineJob('watch-failing-webhooks', Type.Unknown())

type Dependencies = Pick<WithDatabase, 'database' | 'encryption' | 'config'>

/** Email the owners of webhooks that have failed for a day, and switch off those that have failed for three. */
export async function watchFailingWebhooks(dependencies: Dependencies, now: Date): Promise<void> {
  const { database } = dependencies
  for (const { id } of await findFailing(database, new Date(now.getTime() - disableAfterMs), 'disable')) {
    await inTransaction(database, (tx) => switchOff(tx, dependencies, id, now))
  }
  for (const { id } of await findFailing(database, new Date(now.getTime() - warnAfterMs), 'warn')) {
    await inTransaction(database, (tx) => warn(tx, dependencies, id, now))
  }
}

const findFailing = (database: Database, since: Date, step: 'warn' | 'disable') =>
  database
    .selectFrom('webhook')
    .select('id')
    .where('failingSince', '<=', since)
    .where('disabledAt', 'is', null)
    .$if(step === 'warn', (query) => query.where('warnedAt', 'is', null))
    .orderBy('failingSince')
    .limit(maxReported)
    .execute()

async function switchOff(tx: Tx, dependencies: Dependencies, id: string, now: Date) {
  const webhook = await lockFailing(tx, id, new Date(now.getTime() - disableAfterMs))
  const nextProbeAt = new Date(now.getTime() + probeAfterMs)
  if (webhook === undefined || !(await disableWebhook(tx, id, 'no_success', now, nextProbeAt))) return
  const { accountId } = webhook
  await recordWebhookEvent(tx, { type: 'webhook.disabled', webhookId: id, accountId, data: {}, now })
  await queueNotice(tx, dependencies, webhook, 'disabled')
}

async function warn(tx: Tx, dependencies: Dependencies, id: string, now: Date) {
  const webhook = await lockFailing(tx, id, new Date(now.getTime() - warnAfterMs))
  if (webhook === undefined || webhook.warnedAt !== null) return
  await tx.updateTable('webhook').set({ warnedAt: now }).where('id', '=', id).execute()
  await queueNotice(tx, dependencies, webhook, 'failing')
}

/** An event that was taken meanwhile, or another instance, may have been first. */
const lockFailing = (tx: Tx, id: string, since: Date) =>
  tx
    .selectFrom('webhook')
    .innerJoin('account', 'account.id', 'webhook.accountId')
    .select(['webhook.accountId', 'webhook.appId', 'webhook.url', 'webhook.warnedAt'])
    .select(['account.email', 'account.language', 'account.disabledAt as accountDisabledAt'])
    .where('webhook.id', '=', id)
    .where('webhook.failingSince', '<=', since)
    .where('webhook.disabledAt', 'is', null)
    .forUpdate('webhook')
    .executeTakeFirst()

type NoticedWebhook = NonNullable<Awaited<ReturnType<typeof lockFailing>>>

async function queueNotice(
  tx: Tx,
  { encryption, config }: Pick<Dependencies, 'encryption' | 'config'>,
  { email: to, language, url, accountDisabledAt }: NoticedWebhook,
  state: 'failing' | 'disabled',
) {
  // Deleted accounts have no address.
  if (to === '' || accountDisabledAt !== null) return
  const email = { baseUrl: config.baseUrl, to, language: emailLanguage(language), receiver: new URL(url).host, state }
  await queueEmail(tx, { encryption }, webhookFailureEmail(email))
}
