import { sql } from 'kysely'
import { type Database, retryOnConflict, type Tx } from '../../platform/database/database.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'

type DeliveryKey = { webhookId: string; lane: string; eventId: string }

/** An attempt as the log shows it; texts are cut before. */
export type AttemptRecord = {
  number: number
  attemptedAt: Date
  durationMs: number
  status: number | null
  error: string | null
  requestHeaders: Readonly<Record<string, string>>
  requestBody: string
  responseHeaders: Readonly<Record<string, string>> | null
  responseBody: string | null
}

const key = { webhookId: 'uuid', lane: 'uuid', eventId: 'uuid' } as const
const attemptParameters = {
  ...pick(
    tables.webhookAttempt,
    'number',
    'attemptedAt',
    'durationMs',
    'status',
    'error',
    'requestBody',
    'responseBody',
  ),
  requestHeaders: typed<Readonly<Record<string, string>>>('jsonb'),
  responseHeaders: typed<Readonly<Record<string, string>> | null>('jsonb?'),
} as const

const finishStatement = defineStatement({
  name: 'finish-webhook-attempt',
  parameters: {
    ...key,
    ...attemptParameters,
    now: 'timestamptz',
    state: 'text',
    retryAt: 'timestamptz?',
    leavesLane: 'boolean',
  },
  text: (p) => sql`with done as (
      update webhook_delivery set state = ${p.state}, attempts = ${p.number}, last_attempt_at = ${p.attemptedAt},
        first_attempt_at = coalesce(first_attempt_at, ${p.attemptedAt}), last_status = ${p.status},
        lane = case when ${p.leavesLane} then event_id else lane end
      where webhook_id = ${p.webhookId} and event_id = ${p.eventId} and state = 'waiting' and attempts < ${p.number}
      returning webhook_id, event_id
    ), logged as (
      insert into webhook_attempt (webhook_id, event_id, number, attempted_at, duration_ms, status, error,
        request_headers, request_body, response_headers, response_body)
      select webhook_id, event_id, ${p.number}, ${p.attemptedAt}, ${p.durationMs}, ${p.status}, ${p.error},
        ${p.requestHeaders}, ${p.requestBody}, ${p.responseHeaders}, ${p.responseBody} from done
      on conflict do nothing
    ), own_lane as (
      insert into webhook_lane (webhook_id, lane, next_attempt_at)
      select webhook_id, event_id, ${p.retryAt} from done where ${p.leavesLane} on conflict do nothing
    ), health as (
      update webhook set failing_since = case when ${p.state} = 'delivered' then null
          else coalesce(failing_since, ${p.now}) end,
        warned_at = case when ${p.state} = 'delivered' then null else warned_at end,
        last_success_at = case when ${p.state} = 'delivered' then ${p.now} else last_success_at end
      where id = ${p.webhookId} and exists (select from done) and case when ${p.state} = 'delivered'
        -- Once a minute is enough, so that the webhook's row is not written for each event.
        then failing_since is not null or last_success_at is null or last_success_at < ${p.now} - interval '1 minute'
        else failing_since is null end
    ) update webhook_lane set next_attempt_at = case when ${p.leavesLane} then ${p.now}
        else coalesce(${p.retryAt}, ${p.now}) end
      where webhook_id = ${p.webhookId} and lane = ${p.lane} and exists (select from done)`,
})

type Finished = DeliveryKey & {
  attempt: AttemptRecord
  now: Date
  state: 'delivered' | 'failed' | 'waiting'
  /** When a waiting one is sent again. */
  retryAt: Date | null
  /** Whether it waits beside the others of its lane from now on. */
  leavesLane: boolean
}

/**
 * Record an attempt, and let the lane go on. An attempt that another instance has recorded meanwhile changes nothing. It
 * locks the delivery before the webhook, and `disableWebhook` after it: one of them may lose a deadlock.
 */
export const finishAttempt = (database: Database, { attempt, ...finished }: Finished) =>
  retryOnConflict(() => finishStatement.execute(database, { ...finished, ...attempt }))

const withholdStatement = defineStatement({
  name: 'withhold-webhook-delivery',
  parameters: { ...key, state: 'text', now: 'timestamptz' },
  text: (p) => sql`with done as (
      update webhook_delivery set state = ${p.state}
      where webhook_id = ${p.webhookId} and event_id = ${p.eventId} and state = 'waiting' returning 1
    ) update webhook_lane set next_attempt_at = ${p.now}
      where webhook_id = ${p.webhookId} and lane = ${p.lane} and exists (select from done)`,
})

/** End a delivery without an attempt: its webhook has no right to the event, or is switched off. */
export const endUnsent = (database: Database, delivery: DeliveryKey, state: 'withheld' | 'failed', now: Date) =>
  withholdStatement.execute(database, { ...delivery, state, now })

export type DisabledBecause = 'owner' | 'signed_out' | 'gone' | 'no_success'

/** Switch a webhook off, and give up what waits. Returns false if it was off. */
export async function disableWebhook(
  tx: Tx,
  webhookId: string,
  because: DisabledBecause,
  now: Date,
  nextProbeAt: Date | null,
): Promise<boolean> {
  const disabled = await tx
    .updateTable('webhook')
    .set({ disabledAt: now, disabledBecause: because, nextProbeAt })
    .where('id', '=', webhookId)
    .where('disabledAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (disabled === undefined) return false
  await tx
    .updateTable('webhookDelivery')
    .set({ state: 'failed' })
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
  await tx.deleteFrom('webhookLane').where('webhookId', '=', webhookId).execute()
  return true
}
