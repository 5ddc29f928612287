import { classifyResponse } from '@parley/rules/webhooks/delivery-outcome'
import { Type } from 'typebox'
import type { OnSignedOut } from '../accounts/dependencies.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { recordWebhookEvent } from '../event-log/record-event.ts'
import { viewEvent } from '../event-log/view-event.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { defineJob } from '../platform/jobs/define-job.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { sendEvent, signEvent } from './deliver.ts'
import { findMissedSince } from './delivery-store.ts'
import type { Dependencies } from './dependencies.ts'
import { webhookFailureEmail, webhooksSwitchedOffEmail } from './webhook-emails.ts'
import { deleteEndedWebhooks, disableForGood, disableWebhook } from './webhook-store.ts'

/** The jobs of webhooks. Deliveries are no jobs (delivery-loop.ts). */
export const createWebhookJobs = (dependencies: Dependencies): ModuleJobs => ({
  tasks: {
    ...watchFailingWebhooksJob.handle(() => watchFailingWebhooks(dependencies)),
    ...probeWebhooksJob.handle(() => probeWebhooks(dependencies)),
  },
  hourly: [watchFailingWebhooksJob.name],
  minutely: [probeWebhooksJob.name],
  deleteExpired: (now) => deleteEndedWebhooks(dependencies.database, now),
})

const hourMs = 60 * 60 * 1_000

/** Time without a success after which the owner is emailed. */
export const warnAfterMs = 24 * hourMs

/** Time without a success after which the webhook is switched off. */
export const disableAfterMs = 3 * 24 * hourMs

/** Time from switching off to the first probe. */
const probeAfterMs = hourMs

/** Maximum of webhooks for each step of a run. Each needs a transaction; the next run does the rest. */
const maxReportedWebhooks = 1_000

export const watchFailingWebhooksJob = defineJob('watch-failing-webhooks', Type.Unknown())

/** Email the owners of webhooks that have failed for a day, and switch off webhooks that have failed for three days. */
async function watchFailingWebhooks(dependencies: Dependencies): Promise<void> {
  const { database, clock } = dependencies
  const now = clock.now()
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
    .limit(maxReportedWebhooks)
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

/** Lock a webhook that still fails: an event may have been taken meanwhile, or another instance may have been first. */
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
  { encryption, config }: Dependencies,
  { email: to, language, url, accountDisabledAt }: NoticedWebhook,
  state: 'failing' | 'disabled',
) {
  // Deleted accounts have no address.
  if (to === '' || accountDisabledAt !== null) return
  const email = { baseUrl: config.baseUrl, to, language: emailLanguage(language), receiver: new URL(url).host, state }
  await queueEmail(tx, { encryption }, webhookFailureEmail(email))
}

export const probeEveryMs = hourMs

/** Probes end this long after the webhook was switched off. */
export const probeForMs = 5 * 24 * hourMs

/** Maximum of concurrent probes. The next minute probes the rest. */
const maxProbes = 50

export const probeWebhooksJob = defineJob('probe-webhooks', Type.Unknown())

/**
 * Send a test event to webhooks that were switched off for their failures, each hour for five days. A webhook whose
 * receiver takes the event is switched on.
 */
async function probeWebhooks(dependencies: Dependencies): Promise<void> {
  const { database, clock } = dependencies
  const claimed = await claimProbes(database, clock.now())
  await Promise.all(claimed.map((webhook) => probe(webhook, dependencies)))
}

/** Claim probes by moving the time of the next one, so that two instances do not send the same probe. */
async function claimProbes(database: Database, now: Date) {
  const due = await inTransaction(database, async (tx) => {
    const rows = await tx
      .selectFrom('webhook')
      .selectAll()
      .where('nextProbeAt', '<=', now)
      .orderBy('nextProbeAt')
      .limit(maxProbes)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { id, disabledAt } of rows) {
      const next = new Date(now.getTime() + probeEveryMs)
      const isOver = disabledAt === null || next.getTime() > disabledAt.getTime() + probeForMs
      await tx
        .updateTable('webhook')
        .set({ nextProbeAt: isOver ? null : next })
        .where('id', '=', id)
        .execute()
    }
    return rows
  })
  return due.filter(({ disabledBecause }) => disabledBecause === 'no_success')
}

type Probed = Awaited<ReturnType<typeof claimProbes>>[number]

async function probe(webhook: Probed, { database, clock, random, encryption, config, ...sending }: Dependencies) {
  const now = clock.now()
  const row = {
    id: random.uuid(now),
    type: 'webhook.test' as const,
    occurredAt: now,
    accountId: webhook.accountId,
    subject: webhook.id,
    sequence: null,
    actingGrantId: null,
    data: { webhookId: webhook.id },
  }
  const event = { ...viewEvent(row, config.baseUrl), test: true }
  const signed = signEvent(event, { ...webhook, webhookId: webhook.id }, encryption, now)
  const sent = await sendEvent(webhook.url, signed, {
    owner: webhook.owner,
    fetch: sending.fetch,
    now: sending.monotonicNow,
  })
  if (sent.kind !== 'response' || classifyResponse(sent.status, undefined, now).kind !== 'taken') return
  await inTransaction(database, async (tx) => {
    const locked = await tx
      .selectFrom('webhook')
      .select(['id', 'accountId', 'disabledAt', 'disabledBecause', 'failingSince'])
      .where('id', '=', webhook.id)
      .forUpdate()
      .executeTakeFirst()
    // The owner may have switched the webhook on or off meanwhile.
    if (locked?.disabledBecause === 'no_success') await enableWebhook(tx, locked, clock.now())
  })
}

type DisabledWebhook = { id: string; accountId: string; disabledAt: Date | null; failingSince: Date | null }

/**
 * Switch a webhook on again. The event `webhook.gap` names the period whose events the webhook may have missed.
 */
export async function enableWebhook(tx: Tx, webhook: DisabledWebhook, now: Date): Promise<void> {
  const { id, accountId, disabledAt } = webhook
  if (disabledAt === null) return
  const from = await findMissedSince(tx, { ...webhook, disabledAt })
  await tx
    .updateTable('webhook')
    .set({ disabledAt: null, disabledBecause: null, failingSince: null, warnedAt: null, nextProbeAt: null })
    .where('id', '=', id)
    .execute()
  const data = { from: from.toISOString(), to: now.toISOString() }
  await recordWebhookEvent(tx, { type: 'webhook.gap', webhookId: id, accountId, data, now })
}

/**
 * Switch off all webhooks that a person has created, including those of apps and of the organisation, when the person's
 * sign-ins end: another person who was signed in may have created them. Waiting deliveries fail, and no webhook is
 * probed.
 * @returns the webhooks that this has switched off, without those of tokens and grants, which end with them
 */
export async function disableWebhooksOfPerson(
  tx: Tx,
  accountId: string,
  now: Date,
): Promise<{ id: string; url: string }[]> {
  const webhooks = await tx
    .selectFrom('webhook')
    .select(['id', 'url', 'owner', 'personalTokenId'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()
  const disabled = []
  for (const { id, url, owner, personalTokenId } of webhooks) {
    const isChanged = await disableForGood(tx, id, now, 'signed_out')
    if (isChanged && owner !== 'grant' && personalTokenId === null) disabled.push({ id, url })
  }
  return disabled
}

/** Switch off the webhooks of a person who continues to use the account, and email the person a list of them. */
export const createDisableWebhooksOfPerson =
  ({ encryption, config: { baseUrl } }: Pick<Dependencies, 'encryption' | 'config'>): OnSignedOut =>
  async (tx, accountId, now) => {
    const disabled = await disableWebhooksOfPerson(tx, accountId, now)
    if (disabled.length === 0) return
    for (const { id: webhookId } of disabled) {
      await recordWebhookEvent(tx, { type: 'webhook.disabled', webhookId, accountId, data: {}, now })
    }
    const { email: to, language } = await tx
      .selectFrom('account')
      .select(['email', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const receivers = [...new Set(disabled.map(({ url }) => new URL(url).host))]
    const email = webhooksSwitchedOffEmail({ baseUrl, to, language: emailLanguage(language), receivers })
    await queueEmail(tx, { encryption }, email)
  }
