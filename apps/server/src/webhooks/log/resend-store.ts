import { type ResentState, resentStates } from '@parley/contract'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement, defineStatementVariants, type Fragment } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'

/** Takes a second, for which the webhook cannot be changed. */
export const maxResent = 10_000

/**
 * Let the deliveries `chosen` wait again, each in a lane of its own and as if it had not been attempted. Lanes are locked
 * before deliveries, in one order, so that two requests do not block each other; a lane that is just being emptied stays.
 */
const resend = (chosen: Fragment, now: Fragment) => sql`with chosen as materialized (${chosen}), lanes as (
    insert into webhook_lane as lane (webhook_id, lane, next_attempt_at)
    select webhook_id, event_id, ${now} from chosen order by event_id
    on conflict (webhook_id, lane) do update set next_attempt_at = excluded.next_attempt_at
    returning webhook_id, lane
  ), resent as (
    update webhook_delivery d set state = 'waiting', lane = d.event_id, attempts_before_resend = d.attempts,
      first_attempt_at = null
    from lanes where d.webhook_id = lanes.webhook_id and d.event_id = lanes.lane and d.state <> 'waiting' returning 1
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

/** Send one event again. Returns how many are: none if it waits already. */
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

/** Send events again, the oldest first. Returns how many are. */
export async function resendDeliveries(tx: Tx, { webhookId, state, from, to, now }: Range): Promise<number> {
  const [row] = await resendStatement({ state }).execute(tx, { webhookId, from: from ?? null, to: to ?? null, now })
  return row?.resent ?? 0
}
