import { classifyResponse } from '@parley/rules/webhooks/delivery-outcome'
import { Type } from 'typebox'
import { viewEvent } from '../../event-log/view-event.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { composeEvent } from '../delivery/compose-event.ts'
import type { DeliveryDependencies } from '../delivery/deliver-event.ts'
import { sendEvent } from '../delivery/send-event.ts'
import { enableWebhook } from './enable-webhook.ts'

const hourMs = 60 * 60 * 1_000

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
export async function probeWebhooks(dependencies: DeliveryDependencies): Promise<void> {
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

async function probe(
  webhook: Probed,
  { database, clock, random, encryption, config, ...sending }: DeliveryDependencies,
) {
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
  const composed = composeEvent(event, { ...webhook, webhookId: webhook.id }, encryption, now)
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
