import { sql } from 'kysely'
import { grantJoins, sqlLiveGrant } from '../access/credentials/live-grant.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Parameter } from '../platform/database/define-statement.ts'
import { pick, tables } from '../platform/database/tables.ts'
import { whereEnded } from './webhook-store.ts'

/** Events about the webhook itself are sent regardless of its event types. */
const whereWanted = (now: Parameter) => sql`w.disabled_at is null
  and (cardinality(w.types) = 0 or e.type = any(w.types) or e.webhook_id is not null) and not ${whereEnded(sql`w`, now)}`

/**
 * An event without an app is about a meeting. Webhooks belong to the API: a consent for the MCP server does not count.
 */
const whereReadable = (now: Parameter) => sql`e.app_id is null and 'meeting:read' = any(g.api_scopes)
  and g.expires_at > ${now} and ${sqlLiveGrant}`

const queueStatement = defineStatement({
  name: 'queue-webhook-deliveries',
  parameters: { after: 'bigint', now: 'timestamptz' },
  text: (p) => sql`with e as materialized (
      select id, type, account_id, app_id, subject, position, (data ->> 'webhookId')::uuid as webhook_id,
        (data ->> 'sandbox')::boolean as sandbox
      from event where position > ${p.after}
    ), matched as materialized (
      select w.id as webhook_id, e.id as event_id, e.subject, e.position
        from e join webhook w on w.account_id = e.account_id
        where w.owner = 'person' and e.webhook_id is null and ${whereWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join app_grant g on g.account_id = e.account_id and g.revoked_at is null ${grantJoins}
          join webhook w on w.grant_id = g.id
        where (${whereReadable(p.now)} or e.subject = g.id) and e.webhook_id is null and ${whereWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join app_grant g on g.account_id = e.account_id and g.revoked_at is null ${grantJoins}
          join webhook w on w.app_id = g.app_id and w.sandbox = g.sandbox
        where w.owner = 'app' and ${whereReadable(p.now)} and e.webhook_id is null and ${whereWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join webhook w on w.app_id = e.app_id and w.sandbox = coalesce(e.sandbox, w.sandbox)
        where w.owner = 'app' and ${whereWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join account a on a.id = e.account_id join webhook w on w.owner = 'organisation'
          join account o on o.id = w.account_id and o.tenant_id = a.tenant_id
        where e.webhook_id is null and ${whereWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join webhook w on w.id = e.webhook_id where ${whereWanted(p.now)}
    ), queues as (
      insert into webhook_lane as queue (webhook_id, lane, next_attempt_at)
      select distinct webhook_id, subject, ${p.now} from matched order by 1, 2
      -- Locks the queue, so that it is not deleted as empty meanwhile.
      on conflict (webhook_id, lane) do update set next_attempt_at = queue.next_attempt_at
    ) insert into webhook_delivery (webhook_id, event_id, lane, position, state)
      select webhook_id, event_id, subject, position, 'waiting' from matched`,
})

/**
 * Queue the events of a transaction for the webhooks that want them, before it publishes them. An event that an app has
 * no right to is not queued, because the app's log would show it. Each attempt evaluates the right again
 * (`mayReceive`).
 */
export const queueDeliveries = (tx: Tx, publishedAfter: number, now: Date) =>
  queueStatement.execute(tx, { after: publishedAfter, now })

/**
 * The queue of one webhook and one subject, such as a meeting; `lane` is the subject, or an event that left its queue.
 */
export type WebhookQueue = { webhookId: string; lane: string }

/** With the account that created the webhook. Attempts are shared among accounts. */
export type ClaimedQueue = WebhookQueue & { accountId: string }

type Claim = {
  now: Date
  /** The time after which another instance may assume that this instance has died. */
  until: Date
  /** The running attempts of this instance. */
  running: readonly { accountId: string; webhookId: string }[]
  /** Accounts whose receivers are slow. */
  slow: readonly string[]
  /**
   * Maximum of concurrent attempts of a webhook. A webhook that fails, is slow or has never succeeded gets one attempt
   * at a time.
   */
  perWebhook: number
  /** An account gets at most the free slots divided by this. */
  freeSlotsDivisor: number
  free: number
  /** How many of the free slots slow accounts may use. */
  freeForSlow: number
  /** Orders accounts, and webhooks, with equally many attempts. Random for each claim. */
  seed: number
}

/** The webhooks that have queues. Each costs one step in the index, regardless of the number of its queues. */
const webhooksWithQueues = sql`waiting (webhook_id) as (
      (select webhook_id from webhook_lane order by webhook_id limit 1)
      union all
      select (select q.webhook_id from webhook_lane q where q.webhook_id > waiting.webhook_id
        order by q.webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    )`

/**
 * The first attempt of each account goes before the second of any account; within an account, the same holds for its
 * webhooks. Running attempts count. Neither the age nor the length of a queue gives an advantage.
 */
const claimStatement = defineStatement({
  name: 'claim-webhook-queues',
  parameters: {
    now: 'timestamptz',
    until: 'timestamptz',
    accounts: 'uuid[]',
    webhooks: 'uuid[]',
    slow: 'uuid[]',
    perWebhook: 'integer',
    freeSlotsDivisor: 'integer',
    free: 'integer',
    freeForSlow: 'integer',
    seed: 'bigint',
  },
  columns: { accountId: tables.webhook.accountId, ...pick(tables.webhookLane, 'webhookId', 'lane') },
  text: (p) => sql`with recursive ${webhooksWithQueues}, of_webhook as (
      select webhook_id, count(*) as under_way from unnest(${p.webhooks}) as u (webhook_id) group by 1
    ), of_account as (
      select account_id, count(*) as under_way from unnest(${p.accounts}) as u (account_id) group by 1
    ), due as (
      select w.account_id, w.slow, q.webhook_id, q.lane,
        w.under_way + row_number() over (partition by q.webhook_id order by q.next_attempt_at) as turn
      from (
        select w.id, w.account_id, w.account_id = any (${p.slow}) as slow, coalesce(o.under_way, 0) as under_way,
          w.failing_since is not null or w.last_success_at is null or w.account_id = any (${p.slow}) as one_at_a_time
        from waiting join webhook w on w.id = waiting.webhook_id left join of_webhook o on o.webhook_id = w.id
      ) w cross join lateral (
        select q.webhook_id, q.lane, q.next_attempt_at from webhook_lane q
        where q.webhook_id = w.id and q.next_attempt_at <= ${p.now} order by q.next_attempt_at
        limit greatest(case when w.one_at_a_time then 1 else ${p.perWebhook} end - w.under_way, 0)
      ) q
    ), in_account as (
      select due.account_id, due.slow, due.webhook_id, due.lane, coalesce(o.under_way, 0) + row_number() over (
          partition by due.account_id order by due.turn, hashtextextended(due.webhook_id::text, ${p.seed})) as turn,
        case when due.slow then ${p.freeForSlow} else ${p.free} end as free
      from due left join of_account o on o.account_id = due.account_id
    ), in_all as (
      select *, row_number() over (
          partition by slow order by turn, hashtextextended(account_id::text, ${p.seed})) - 1 as before
      from in_account
    ), chosen as materialized (
      select account_id, webhook_id, lane from in_all
      where before < free and turn <= greatest(1, (free - before) / ${p.freeSlotsDivisor})
      order by turn, hashtextextended(account_id::text, ${p.seed}) limit ${p.free}
    ), claimed as materialized (
      select chosen.account_id, q.webhook_id, q.lane
      from chosen join webhook_lane q on q.webhook_id = chosen.webhook_id and q.lane = chosen.lane
      -- Another instance may have claimed it meanwhile.
      where q.next_attempt_at <= ${p.now} for update of q skip locked
    ) update webhook_lane q set next_attempt_at = ${p.until} from claimed
      where q.webhook_id = claimed.webhook_id and q.lane = claimed.lane
      returning claimed.account_id, q.webhook_id, q.lane`,
})

/** Claim queues that are due, for one attempt each. */
export const claimQueues = (database: Database, { running, slow, ...claim }: Claim): Promise<ClaimedQueue[]> =>
  claimStatement.execute(database, {
    ...claim,
    accounts: running.map(({ accountId }) => accountId),
    webhooks: running.map(({ webhookId }) => webhookId),
    slow: [...slow],
  })

const findLiveStatement = defineStatement({
  name: 'find-live-webhooks',
  parameters: { webhookIds: 'uuid[]' },
  columns: { id: tables.webhook.id },
  text: (p) => sql`select id from webhook where id = any (${p.webhookIds}) and disabled_at is null`,
})

/** Find which of these webhooks are neither deleted nor switched off. */
export async function findLiveWebhooks(database: Database, webhookIds: readonly string[]): Promise<Set<string>> {
  return new Set((await findLiveStatement.execute(database, { webhookIds })).map(({ id }) => id))
}

const lockStatement = defineStatement({
  name: 'lock-webhook-queue',
  parameters: pick(tables.webhookLane, 'webhookId', 'lane'),
  text: (p) => sql`select 1 from webhook_lane
    where webhook_id = ${p.webhookId} and lane = ${p.lane} for update`,
})

const deleteStatement = defineStatement({
  name: 'delete-empty-webhook-queue',
  parameters: pick(tables.webhookLane, 'webhookId', 'lane'),
  text: (p) => sql`delete from webhook_lane q where q.webhook_id = ${p.webhookId} and q.lane = ${p.lane}
    and not exists (select from webhook_delivery d
      where d.webhook_id = q.webhook_id and d.lane = q.lane and d.state = 'waiting')`,
})

/**
 * Delete a queue unless a delivery was added. The lock is a statement of its own: the second statement then sees what
 * was added before the lock was obtained.
 */
export async function deleteEmptyQueue(tx: Tx, queue: WebhookQueue): Promise<void> {
  await lockStatement.execute(tx, queue)
  await deleteStatement.execute(tx, queue)
}
