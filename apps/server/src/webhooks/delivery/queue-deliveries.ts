import { sql } from 'kysely'
import { defineStatement } from '../../platform/database/define-statement.ts'
import type { Tx } from '../../tables/tables.ts'

/** What a webhook is sent on its own account is sent whatever types it names. */
const isWanted = sql`w.disabled_at is null
  and (cardinality(w.types) = 0 or e.type = any(w.types) or e.webhook_id is not null)`

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
        where w.owner = 'person' and e.webhook_id is null and ${isWanted}
      union all select w.id, e.id, e.subject, e.position
        from e join app_grant g on g.account_id = e.account_id and g.revoked_at is null
          join webhook w on w.grant_id = g.id
        where (e.app_id is null or e.subject = g.id) and e.webhook_id is null and ${isWanted}
      union all select w.id, e.id, e.subject, e.position
        from e join app_grant g on g.account_id = e.account_id and g.revoked_at is null
          join webhook w on w.app_id = g.app_id and w.sandbox = g.sandbox
        where w.owner = 'app' and e.app_id is null and e.webhook_id is null and ${isWanted}
      union all select w.id, e.id, e.subject, e.position
        from e join webhook w on w.app_id = e.app_id and w.sandbox = coalesce(e.sandbox, w.sandbox)
        where w.owner = 'app' and ${isWanted}
      union all select w.id, e.id, e.subject, e.position
        from e join account a on a.id = e.account_id join webhook w on w.owner = 'organisation'
          join account o on o.id = w.account_id and o.tenant_id = a.tenant_id
        where e.webhook_id is null and ${isWanted}
      union all select w.id, e.id, e.subject, e.position
        from e join webhook w on w.id = e.webhook_id where ${isWanted}
    ), lanes as (
      insert into webhook_lane as lane (webhook_id, lane, next_attempt_at)
      select distinct webhook_id, subject, ${p.now} from matched order by 1, 2
      -- Locks the lane, so that it is not deleted as an empty one meanwhile.
      on conflict (webhook_id, lane) do update set next_attempt_at = lane.next_attempt_at
    ) insert into webhook_delivery (webhook_id, event_id, lane, position, state)
      select webhook_id, event_id, subject, position, 'waiting' from matched`,
})

/**
 * Queue events that are being published for the webhooks that want them, in the transaction that publishes them. Rights
 * are evaluated at each attempt (`mayReceive`).
 */
export const queueDeliveries = (tx: Tx, publishedAfter: number, now: Date) =>
  queueStatement.execute(tx, { after: publishedAfter, now })
