import { classifyResponse } from '@parley/rules/webhooks/delivery-outcome'
import { Type } from 'typebox'
import type { SignInEnding } from '../accounts/accounts-service.ts'
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

/** The background work of webhooks besides deliveries, which have a loop of their own (delivery-loop.ts). */
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

/** Without one success for so long, the owner is emailed, and then the webhook is switched off. */
export const warnAfterMs = 24 * hourMs
export const disableAfterMs = 3 * 24 * hourMs

/** The first probe (`probeWebhooks`). */
const probeAfterMs = hourMs

/** Each is a transaction; the next hour reports the rest. */
const maxReported = 1_000

export const watchFailingWebhooksJob = defineJob('watch-failing-webhooks', Type.Unknown())

/** Email the owners of webhooks that have failed for a day, and switch off those that have failed for three. */
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

/** From the time that it was switched off. */
export const probeForMs = 5 * 24 * hourMs

/** At the same time; the next minute probes the rest. */
const maxProbes = 50

export const probeWebhooksJob = defineJob('probe-webhooks', Type.Unknown())

/**
 * Ask receivers of webhooks that were switched off without a success whether they are back: each hour for five days, by
 * a test event. One that takes it is switched on.
 */
async function probeWebhooks(dependencies: Dependencies): Promise<void> {
  const { database, clock } = dependencies
  const claimed = await claimProbes(database, clock.now())
  await Promise.all(claimed.map((webhook) => probe(webhook, dependencies)))
}

/** Claimed by the time of the next probe, so that two instances do not send the same one. */
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
  const composed = signEvent(event, { ...webhook, webhookId: webhook.id }, encryption, now)
  const sent = await sendEvent(webhook.url, composed, {
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
    // Its owner may have switched it on, or off for good, meanwhile.
    if (locked?.disabledBecause === 'no_success') await enableWebhook(tx, locked, clock.now())
  })
}

type DisabledWebhook = { id: string; accountId: string; disabledAt: Date | null; failingSince: Date | null }

/**
 * Switch a webhook on again. `webhook.gap` names the events that it was not sent: those since the time of
 * `findMissedSince`.
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
 * Switch off all webhooks that a person has made, those of apps and of the organisation included, when their sign-ins end:
 * another person, who was signed in, may have made them. What waits is given up, and none is probed. Those that were made
 * with tokens end with them. Returns the others that this has switched off.
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

/** Switch off the webhooks of a person who goes on using the account, and email what is off to them. */
export const createDisableWebhooksOfPerson =
  ({ encryption, config: { baseUrl } }: Pick<Dependencies, 'encryption' | 'config'>): SignInEnding =>
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
