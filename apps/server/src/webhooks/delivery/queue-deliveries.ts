import { sql } from 'kysely'
import { grantJoins, liveGrant } from '../../access/credentials/live-grant.ts'
import type { Tx } from '../../platform/database/database.ts'
import { defineStatement, type Parameter } from '../../platform/database/define-statement.ts'
import { hasEnded } from '../has-ended.ts'

/** What a webhook is sent on its own account is sent whatever types it names. */
const isWanted = (now: Parameter) => sql`w.disabled_at is null
  and (cardinality(w.types) = 0 or e.type = any(w.types) or e.webhook_id is not null) and not ${hasEnded(sql`w`, now)}`

/** Events of no app and no webhook are of meetings. Webhooks belong to the API: a consent for the MCP server is none for them. */
const isReadable = (now: Parameter) => sql`e.app_id is null and 'meeting:read' = any(g.api_scopes)
  and g.expires_at > ${now} and ${liveGrant}`

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
        where w.owner = 'person' and e.webhook_id is null and ${isWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join app_grant g on g.account_id = e.account_id and g.revoked_at is null ${grantJoins}
          join webhook w on w.grant_id = g.id
        where (${isReadable(p.now)} or e.subject = g.id) and e.webhook_id is null and ${isWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join app_grant g on g.account_id = e.account_id and g.revoked_at is null ${grantJoins}
          join webhook w on w.app_id = g.app_id and w.sandbox = g.sandbox
        where w.owner = 'app' and ${isReadable(p.now)} and e.webhook_id is null and ${isWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join webhook w on w.app_id = e.app_id and w.sandbox = coalesce(e.sandbox, w.sandbox)
        where w.owner = 'app' and ${isWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join account a on a.id = e.account_id join webhook w on w.owner = 'organisation'
          join account o on o.id = w.account_id and o.tenant_id = a.tenant_id
        where e.webhook_id is null and ${isWanted(p.now)}
      union all select w.id, e.id, e.subject, e.position
        from e join webhook w on w.id = e.webhook_id where ${isWanted(p.now)}
    ), lanes as (
      insert into webhook_lane as lane (webhook_id, lane, next_attempt_at)
      select distinct webhook_id, subject, ${p.now} from matched order by 1, 2
      -- Locks the lane, so that it is not deleted as an empty one meanwhile.
      on conflict (webhook_id, lane) do update set next_attempt_at = lane.next_attempt_at
    ) insert into webhook_delivery (webhook_id, event_id, lane, position, state)
      select webhook_id, event_id, subject, position, 'waiting' from matched`,
})

/**
 * Queue events that are being published for the webhooks that want them, in the transaction that publishes them. What an
 * app has no right to is not queued, so that its log does not show it. Rights are evaluated again at each attempt
 * (`mayReceive`).
 */
export const queueDeliveries = (tx: Tx, publishedAfter: number, now: Date) =>
  queueStatement.execute(tx, { after: publishedAfter, now })
