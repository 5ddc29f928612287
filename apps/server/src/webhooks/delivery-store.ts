import { type DeliveryState, deliveryStates, type ResentState, resentStates } from '@parley/contract'
import { retryForMs } from '@parley/rules/webhooks/retry-schedule'
import { sql } from 'kysely'
import { accountColumns, credentialTypes } from '../access/credentials/credential-row.ts'
import { grantJoins, sqlLiveGrant } from '../access/credentials/live-grant.ts'
import { visibleActingGrant } from '../event-log/event-store.ts'
import type { EventRow } from '../event-log/view-event.ts'
import { type Database, retryOnConflict, type Tx } from '../platform/database/database.ts'
import {
  defineStatement,
  defineStatementVariants,
  type Fragment,
  type RowOf,
} from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'
import type { WebhookQueue } from './delivery-queue.ts'
import { whereEnded } from './webhook-store.ts'

const dueTypes = {
  ...pick(tables.webhookDelivery, 'webhookId', 'lane', 'attempts', 'attemptsBeforeResend', 'firstAttemptAt', 'eventId'),
  ...pick(
    tables.webhook,
    'owner',
    'url',
    'payload',
    'encryptedSecret',
    'encryptedPreviousSecret',
    'previousSecretUntil',
    'appId',
    'sandbox',
    'grantId',
    'accountId',
  ),
  disabled: 'boolean',
  hasEnded: 'boolean',
  isOwnerLive: 'boolean',
  isOwnEvent: 'boolean',
  isAdministratorOfSubject: 'boolean',
  isAboutApp: 'boolean',
  grantedScopes: 'text[]?',
  webhookAccountId: 'uuid',
  ...pick(tables.event, 'type', 'occurredAt', 'subject', 'meetingId', 'sequence', 'actingGrantId', 'data'),
} as const

const findDueStatement = defineStatement({
  name: 'find-due-webhook-deliveries',
  parameters: { webhookIds: 'uuid[]', lanes: 'uuid[]', now: 'timestamptz' },
  columns: dueTypes,
  text: (p) => sql`select w.id as webhook_id, d.lane, d.attempts, d.attempts_before_resend,
      d.first_attempt_at, w.owner, w.url, w.payload, w.encrypted_secret,
      w.encrypted_previous_secret, w.previous_secret_until,
      w.disabled_at is not null as disabled, ${whereEnded(sql`w`, p.now)} as has_ended,
      maker.disabled_at is null and maker.deleted_at is null as is_owner_live,
      e.account_id = w.account_id as is_own_event,
      maker.administrator and maker.tenant_id = subject.tenant_id as is_administrator_of_subject,
      coalesce(e.app_id = w.app_id, false) as is_about_app,
      (select g.api_scopes from app_grant g ${grantJoins} where ${sqlLiveGrant} and g.expires_at > ${p.now}
        and g.account_id = e.account_id
        and case w.owner when 'grant' then g.id = w.grant_id
          else g.app_id = w.app_id and g.sandbox = w.sandbox end) as granted_scopes,
      w.account_id as webhook_account_id, w.app_id, w.sandbox, w.grant_id, e.id as event_id,
      e.type, e.occurred_at, e.account_id, e.subject, e.meeting_id,
      e.sequence, ${visibleActingGrant(
        sql`e`,
        sql`case when w.app_id is null then e.account_id = w.account_id
          else g.app_id = w.app_id and g.sandbox = w.sandbox end`,
      )} as acting_grant_id, e.data
    from unnest(${p.webhookIds}, ${p.lanes}) as claimed (webhook_id, lane) cross join lateral (
      select * from webhook_delivery
      where webhook_id = claimed.webhook_id and lane = claimed.lane and state = 'waiting'
      order by position limit 1
    ) d join webhook w on w.id = d.webhook_id join account maker on maker.id = w.account_id
      join event e on e.id = d.event_id join account subject on subject.id = e.account_id`,
})

/** The first waiting delivery of a queue, with its webhook and its event. */
export type DueDelivery = RowOf<typeof dueTypes> & { event: EventRow }

/** Find the first waiting delivery of each of these queues. Empty queues have none. */
export async function findDueDeliveries(
  database: Database,
  queues: readonly WebhookQueue[],
  now: Date,
): Promise<DueDelivery[]> {
  const rows = await findDueStatement.execute(database, {
    webhookIds: queues.map(({ webhookId }) => webhookId),
    lanes: queues.map(({ lane }) => lane),
    now,
  })
  return rows.map((row) => ({ ...row, event: { ...row, id: row.eventId } }))
}

const findReaderStatement = defineStatement({
  name: 'find-webhook-reader',
  parameters: { accountId: 'uuid' },
  columns: credentialTypes,
  text: (p) => sql`select ''::bytea as token_hash, a.id, null::timestamptz as expires_at,
    null::timestamptz as last_used_at, ${accountColumns} from account a where a.id = ${p.accountId}`,
})

/** Find the account with whose rights a meeting is read. */
export async function findReader(database: Database, accountId: string) {
  const [row] = await findReaderStatement.execute(database, { accountId })
  return row
}

type DeliveryKey = { webhookId: string; lane: string; eventId: string }

/** An attempt as the log shows it. The caller has cut the texts. */
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
    leavesQueue: 'boolean',
  },
  text: (p) => sql`with done as (
      update webhook_delivery set state = ${p.state}, attempts = ${p.number}, last_attempt_at = ${p.attemptedAt},
        first_attempt_at = coalesce(first_attempt_at, ${p.attemptedAt}), last_status = ${p.status},
        lane = case when ${p.leavesQueue} then event_id else lane end
      where webhook_id = ${p.webhookId} and event_id = ${p.eventId} and state = 'waiting' and attempts < ${p.number}
      returning webhook_id, event_id
    ), logged as (
      insert into webhook_attempt (webhook_id, event_id, number, attempted_at, duration_ms, status, error,
        request_headers, request_body, response_headers, response_body)
      select webhook_id, event_id, ${p.number}, ${p.attemptedAt}, ${p.durationMs}, ${p.status}, ${p.error},
        ${p.requestHeaders}, ${p.requestBody}, ${p.responseHeaders}, ${p.responseBody} from done
      on conflict do nothing
    ), own_queue as (
      insert into webhook_lane (webhook_id, lane, next_attempt_at)
      select webhook_id, event_id, ${p.retryAt} from done where ${p.leavesQueue} on conflict do nothing
    ), health as (
      update webhook set failing_since = case when ${p.state} = 'delivered' then null
          else coalesce(failing_since, ${p.now}) end,
        warned_at = case when ${p.state} = 'delivered' then null else warned_at end,
        last_success_at = case when ${p.state} = 'delivered' then ${p.now} else last_success_at end
      where id = ${p.webhookId} and exists (select from done) and case when ${p.state} = 'delivered'
        -- Once a minute is enough, so that the webhook's row is not written for each event.
        then failing_since is not null or last_success_at is null or last_success_at < ${p.now} - interval '1 minute'
        else failing_since is null end
    ) update webhook_lane set next_attempt_at = case when ${p.leavesQueue} then ${p.now}
        else coalesce(${p.retryAt}, ${p.now}) end
      where webhook_id = ${p.webhookId} and lane = ${p.lane} and exists (select from done)`,
})

type Finished = DeliveryKey & {
  attempt: AttemptRecord
  now: Date
  state: 'delivered' | 'failed' | 'waiting'
  /** The time of the next attempt of a waiting delivery. */
  retryAt: Date | null
  /** Whether the delivery gets a queue of its own. */
  leavesQueue: boolean
}

/**
 * Record an attempt, and let its queue continue. Nothing changes if another instance has recorded the attempt
 * meanwhile. This locks the delivery before the webhook, and `disableWebhook` the webhook first: one of them may lose a
 * deadlock.
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

/** End a delivery without an attempt, because its webhook has no right to the event or is switched off. */
export const closeWithoutAttempt = (
  database: Database,
  delivery: DeliveryKey,
  state: 'withheld' | 'failed',
  now: Date,
) => withholdStatement.execute(database, { ...delivery, state, now })

const deliveryTypes = {
  ...pick(tables.webhookDelivery, 'position', 'eventId', 'state', 'attempts', 'lastAttemptAt', 'lastStatus'),
  ...pick(tables.event, 'type', 'subject', 'sequence', 'occurredAt'),
  outOfOrder: 'boolean',
  nextAttemptAt: 'timestamptz?',
} as const

export type WebhookDeliveryRow = RowOf<typeof deliveryTypes>

/** Only the first waiting delivery of a queue has a next attempt: that of the queue. */
const columns = sql`d.position, d.event_id, e.type, e.subject, e.sequence, e.occurred_at,
  d.state, d.lane = d.event_id as out_of_order, d.attempts, d.last_attempt_at,
  d.last_status, case when d.state = 'waiting' then (
    select q.next_attempt_at from webhook_lane q where q.webhook_id = d.webhook_id and q.lane = d.lane
      and not exists (select from webhook_delivery earlier where earlier.webhook_id = d.webhook_id
        and earlier.lane = d.lane and earlier.state = 'waiting' and earlier.position < d.position)
  ) end as next_attempt_at`

/** The state is part of the text, so that the plan can use the indexes of waiting and of failed deliveries. */
const listStatement = defineStatementVariants({
  name: 'list-webhook-deliveries',
  dimensions: { state: [undefined, ...deliveryStates] },
  parameters: { webhookId: tables.webhookDelivery.webhookId, before: 'bigint', limit: 'integer' },
  columns: deliveryTypes,
  text: (p, { state }) => sql`select ${columns} from (
      select * from webhook_delivery where webhook_id = ${p.webhookId} and position < ${p.before}
        ${state === undefined ? sql`` : sql`and state = ${sql.lit(state)}`}
      order by position desc limit ${p.limit}
    ) d join event e on e.id = d.event_id order by d.position desc`,
})

type Page = { state: DeliveryState | undefined; before: number | undefined; limit: number }

/** List deliveries of a webhook, the newest first. */
export const listDeliveries = (database: Database, webhookId: string, { state, before, limit }: Page) =>
  listStatement({ state }).execute(database, { webhookId, before: before ?? Number.MAX_SAFE_INTEGER, limit })

const findDeliveryStatement = defineStatement({
  name: 'find-webhook-delivery',
  parameters: pick(tables.webhookDelivery, 'webhookId', 'eventId'),
  columns: deliveryTypes,
  text: (p) => sql`select ${columns} from webhook_delivery d join event e on e.id = d.event_id
    where d.webhook_id = ${p.webhookId} and d.event_id = ${p.eventId}`,
})

/** Find a delivery of a webhook. */
export async function findDelivery(
  database: Database,
  webhookId: string,
  eventId: string,
): Promise<WebhookDeliveryRow | undefined> {
  const [row] = await findDeliveryStatement.execute(database, { webhookId, eventId })
  return row
}

/** Three days of retries make about twenty attempts. An event that is sent again on request has more. */
const maxAttemptsShown = 100

/** List the last attempts at a delivery, the oldest first. */
export async function listAttempts(database: Database, webhookId: string, eventId: string) {
  const attempts = await database
    .selectFrom('webhookAttempt')
    .selectAll()
    .where('webhookId', '=', webhookId)
    .where('eventId', '=', eventId)
    .orderBy('number', 'desc')
    .limit(maxAttemptsShown)
    .execute()
  return attempts.reverse()
}

/** Locks the webhook for about a second. */
export const maxResent = 10_000

/**
 * Let the deliveries `chosen` wait again, each in a queue of its own and as if it had not been attempted. Queues are
 * locked before deliveries and in one order, so that two requests cannot deadlock. A queue that is being emptied is not
 * deleted.
 */
const resend = (chosen: Fragment, now: Fragment) => sql`with chosen as materialized (${chosen}), queues as (
    insert into webhook_lane as queue (webhook_id, lane, next_attempt_at)
    select webhook_id, event_id, ${now} from chosen order by event_id
    on conflict (webhook_id, lane) do update set next_attempt_at = excluded.next_attempt_at
    returning webhook_id, lane
  ), resent as (
    update webhook_delivery d set state = 'waiting', lane = d.event_id, attempts_before_resend = d.attempts,
      first_attempt_at = null
    from queues where d.webhook_id = queues.webhook_id and d.event_id = queues.lane and d.state <> 'waiting' returning 1
  ) select count(*) as resent from resent`

const resendOneStatement = defineStatement({
  name: 'resend-webhook-delivery',
  parameters: { ...pick(tables.webhookDelivery, 'webhookId', 'eventId'), now: 'timestamptz' },
  columns: { resent: 'bigint' },
  text: (p) =>
    resend(
      sql`select webhook_id, event_id from webhook_delivery
        where webhook_id = ${p.webhookId} and event_id = ${p.eventId} and state <> 'waiting'`,
      sql`${p.now}`,
    ),
})

/** Send one event again. @returns how many deliveries wait again: none if it was waiting */
export async function resendDelivery(tx: Tx, key: { webhookId: string; eventId: string; now: Date }): Promise<number> {
  const [row] = await resendOneStatement.execute(tx, key)
  return row?.resent ?? 0
}

const resendStatement = defineStatementVariants({
  name: 'resend-webhook-deliveries',
  dimensions: { state: resentStates },
  parameters: {
    webhookId: tables.webhookDelivery.webhookId,
    from: 'timestamptz?',
    to: 'timestamptz?',
    now: 'timestamptz',
  },
  columns: { resent: 'bigint' },
  text: (p, { state }) =>
    resend(
      sql`select d.webhook_id, d.event_id from webhook_delivery d join event e on e.id = d.event_id
        where d.webhook_id = ${p.webhookId}
          and ${state === 'any' ? sql`d.state <> 'waiting'` : sql`d.state = ${sql.lit(state)}`}
          and (${p.from} is null or e.occurred_at >= ${p.from}) and (${p.to} is null or e.occurred_at < ${p.to})
        order by d.position limit ${sql.lit(maxResent)}`,
      sql`${p.now}`,
    ),
})

type Range = { webhookId: string; state: ResentState; from: Date | undefined; to: Date | undefined; now: Date }

/** Send events again, the oldest first. @returns how many deliveries wait again */
export async function resendDeliveries(tx: Tx, { webhookId, state, from, to, now }: Range): Promise<number> {
  const [row] = await resendStatement({ state }).execute(tx, { webhookId, from: from ?? null, to: to ?? null, now })
  return row?.resent ?? 0
}

/** The deliveries that ended because the webhook was switched off: their three days of retries were not over. */
const findMissedStatement = defineStatement({
  name: 'find-missed-webhook-events',
  parameters: { webhookId: tables.webhookDelivery.webhookId, retriedSince: 'timestamptz' },
  columns: { since: 'timestamptz?' },
  text: (p) => sql`select min(e.occurred_at) as since
    from webhook_delivery d join event e on e.id = d.event_id
    where d.webhook_id = ${p.webhookId} and d.state = 'failed'
      and (d.first_attempt_at is null or d.first_attempt_at >= ${p.retriedSince})`,
})

type DisabledWebhook = { id: string; disabledAt: Date; failingSince: Date | null }

/**
 * Find the time since which a webhook that was switched off has missed events: the time of the oldest event that was
 * not delivered, the time of the first refusal, or the time when it was switched off, whichever is first.
 */
export async function findMissedSince(tx: Tx, { id, disabledAt, failingSince }: DisabledWebhook): Promise<Date> {
  const retriedSince = new Date(disabledAt.getTime() - retryForMs)
  const [row] = await findMissedStatement.execute(tx, { webhookId: id, retriedSince })
  const times = [row?.since, failingSince, disabledAt].flatMap((time) => (time ? [time.getTime()] : []))
  return new Date(Math.min(...times))
}
