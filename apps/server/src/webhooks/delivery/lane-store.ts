import { sql } from 'kysely'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** A queue of a webhook, by the subject of its events. */
export type Lane = { webhookId: string; lane: string }

type Claim = {
  now: Date
  /** When another instance may assume that this one has died. */
  until: Date
  /** Webhooks with as many attempts under way as they may have. */
  busy: readonly string[]
  /** Webhooks whose receivers were slow the last time. */
  slow: readonly string[]
  /** At most so many lanes of a webhook; one of a webhook that fails or is slow. */
  perWebhook: number
  limit: number
}

/** Looks at the lanes of each webhook, so that no webhook with a million of them delays the others. */
const claimStatement = defineStatement({
  name: 'claim-webhook-lanes',
  parameters: {
    now: 'timestamptz',
    until: 'timestamptz',
    busy: 'uuid[]',
    slow: 'uuid[]',
    perWebhook: 'integer',
    limit: 'integer',
  },
  columns: { webhookId: 'uuid', lane: 'uuid' },
  text: (p) => sql`with recursive waiting (webhook_id) as (
      (select webhook_id from webhook_lane order by webhook_id limit 1)
      union all
      select (select l.webhook_id from webhook_lane l where l.webhook_id > waiting.webhook_id
        order by l.webhook_id limit 1)
      from waiting where waiting.webhook_id is not null
    ), claimed as materialized (
      select due.webhook_id, due.lane from waiting join webhook w on w.id = waiting.webhook_id cross join lateral (
        select l.webhook_id, l.lane from webhook_lane l
        where l.webhook_id = w.id and l.next_attempt_at <= ${p.now}
        order by l.next_attempt_at 
        limit case when w.failing_since is not null or w.id = any (${p.slow}) then 1 else ${p.perWebhook} end
        for update skip locked
      ) due where w.id <> all (${p.busy}) limit ${p.limit}
    ) update webhook_lane l set next_attempt_at = ${p.until} from claimed
      where l.webhook_id = claimed.webhook_id and l.lane = claimed.lane
      returning l.webhook_id as "webhookId", l.lane`,
})

/** Claim lanes that are due, for one attempt each. */
export const claimLanes = (database: Database, { busy, slow, ...claim }: Claim): Promise<Lane[]> =>
  claimStatement.execute(database, { ...claim, busy: [...busy], slow: [...slow] })

const lockStatement = defineStatement({
  name: 'lock-webhook-lane',
  parameters: { webhookId: 'uuid', lane: 'uuid' },
  text: (p) => sql`select 1 from webhook_lane
    where webhook_id = ${p.webhookId} and lane = ${p.lane} for update`,
})

const deleteStatement = defineStatement({
  name: 'delete-empty-webhook-lane',
  parameters: { webhookId: 'uuid', lane: 'uuid' },
  text: (p) => sql`delete from webhook_lane l where l.webhook_id = ${p.webhookId} and l.lane = ${p.lane}
    and not exists (select from webhook_delivery d
      where d.webhook_id = l.webhook_id and d.lane = l.lane and d.state = 'waiting')`,
})

/**
 * Delete a lane unless a delivery was added. The lock is a statement of its own, so that the next one sees what was
 * added before it was obtained.
 */
export async function deleteEmptyLane(tx: Tx, lane: Lane): Promise<void> {
  await lockStatement.execute(tx, lane)
  await deleteStatement.execute(tx, lane)
}
