import { type DeliveryState, deliveryStates } from '@parley/contract'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, defineStatementVariants, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'

const deliveryTypes = {
  ...pick(tables.webhookDelivery, 'position', 'eventId', 'state', 'attempts', 'lastAttemptAt', 'lastStatus'),
  ...pick(tables.event, 'type', 'subject', 'sequence', 'occurredAt'),
  outOfOrder: 'boolean',
  nextAttemptAt: 'timestamptz?',
} as const

export type DeliveryRow = RowOf<typeof deliveryTypes>

/** The first waiting delivery of a lane is sent when the lane is due; those behind it wait for it. */
const columns = sql`d.position, d.event_id, e.type, e.subject, e.sequence, e.occurred_at,
  d.state, d.lane = d.event_id as out_of_order, d.attempts, d.last_attempt_at,
  d.last_status, case when d.state = 'waiting' then (
    select l.next_attempt_at from webhook_lane l where l.webhook_id = d.webhook_id and l.lane = d.lane
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

const findStatement = defineStatement({
  name: 'find-webhook-delivery',
  parameters: pick(tables.webhookDelivery, 'webhookId', 'eventId'),
  columns: deliveryTypes,
  text: (p) => sql`select ${columns} from webhook_delivery d join event e on e.id = d.event_id
    where d.webhook_id = ${p.webhookId} and d.event_id = ${p.eventId}`,
})

export async function findDelivery(
  database: Database,
  webhookId: string,
  eventId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await findStatement.execute(database, { webhookId, eventId })
  return row
}

/** Three days have some twenty attempts; an event that is sent again by requests has more. */
const maxAttemptsShown = 100

/** The last attempts at a delivery, in order. */
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
