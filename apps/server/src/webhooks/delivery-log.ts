import {
  type BodyOf,
  listWebhookDeliveries,
  readWebhookDelivery,
  resendWebhookEvents,
  type WebhookAttempt,
  type WebhookDelivery,
} from '@parley/contract'
import { addViolations, combine, readOptional } from '@parley/rules/text/parsed'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import { readPosition, writePosition } from '../platform/database/cursor.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import {
  findDelivery,
  listAttempts,
  listDeliveries,
  resendDeliveries,
  resendDelivery,
  type WebhookDeliveryRow,
} from './delivery-store.ts'
import type { Dependencies } from './dependencies.ts'
import { requireActive, requireTypes } from './webhook-owner.ts'
import { lockWebhookForShare, requireWebhook } from './webhook-store.ts'

/** Register the endpoints of the log of a webhook's deliveries. */
export function registerDeliveryLog(dependencies: Dependencies): void {
  serveListWebhookDeliveries(dependencies)
  serveReadWebhookDelivery(dependencies)
  serveResendWebhookEvents(dependencies)
}

const defaultLimit = 50

/** List the deliveries of a webhook, the newest first. */
function serveListWebhookDeliveries({ serve, clock, config: { baseUrl } }: Dependencies) {
  serve(listWebhookDeliveries, {
    read: ({ query }) => readPosition(query.after),
    handle: async ({ caller, params: { webhookId }, query, input: before, database }) => {
      const now = clock.now()
      const webhook = await requireWebhook(database, caller, webhookId, { baseUrl, now })
      requireTypes(caller, webhook, baseUrl)
      const { state, limit = defaultLimit } = query
      const found = await listDeliveries(database, webhook.id, { state, before, limit: limit + 1 })
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        deliveries: page.map(toDelivery),
        moreAvailable,
        nextCursor: moreAvailable && last !== undefined ? writePosition(last.position) : null,
      }
    },
  })
}

function serveReadWebhookDelivery({ serve, clock, config: { baseUrl } }: Dependencies) {
  serve(readWebhookDelivery, {
    handle: async ({ caller, params: { webhookId, eventId }, database }) => {
      const now = clock.now()
      const webhook = await requireWebhook(database, caller, webhookId, { baseUrl, now })
      requireTypes(caller, webhook, baseUrl)
      const delivery = isUuid(eventId) ? await findDelivery(database, webhook.id, eventId) : undefined
      if (delivery === undefined) throw problem('delivery_not_found')
      const attempts = await listAttempts(database, webhook.id, eventId)
      return { ...toDelivery(delivery), attemptLog: attempts.map(toAttempt) }
    },
  })
}

/** Send events again: a single event, the events of a period, or all events that failed. */
function serveResendWebhookEvents({ serve, clock, config: { baseUrl } }: Dependencies) {
  serve(resendWebhookEvents, {
    read: ({ body }) => readRange(body),
    handle: ({ caller, params, body: { eventId, state = 'failed' }, input: { from, to }, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const webhook = requireActive(
          await lockWebhookForShare(tx, caller, params.webhookId, { baseUrl, now }),
          caller,
          baseUrl,
        )
        const webhookId = webhook.id
        if (eventId !== undefined) return { count: await resendOne(tx, webhookId, eventId, now) }
        return { count: await resendDeliveries(tx, { webhookId, state, from, to, now }) }
      }),
  })
}

function readRange({ eventId, from, to, state }: Partial<BodyOf<typeof resendWebhookEvents>>) {
  const read = combine({
    from: readOptional(from, (text) => readTimestampField('/from', text)),
    to: readOptional(to, (text) => readTimestampField('/to', text)),
  })
  const isEmpty = read.value?.from !== undefined && read.value.to !== undefined && read.value.to <= read.value.from
  const besides = Object.entries({ from, to, state }).filter(([, value]) => value !== undefined)
  return addViolations(
    read,
    isEmpty ? violationAt('/to', { code: 'not_after_start', message: 'must be after from' }) : undefined,
    ...(eventId === undefined ? [] : besides).map(([name]) =>
      violationAt(`/${name}`, { code: 'not_together', message: 'cannot be sent together with eventId' }),
    ),
  )
}

async function resendOne(tx: Tx, webhookId: string, eventId: string, now: Date): Promise<number> {
  if (!isUuid(eventId) || (await findDelivery(tx, webhookId, eventId)) === undefined) {
    throw problem('delivery_not_found')
  }
  return resendDelivery(tx, { webhookId, eventId, now })
}

const toDelivery = (row: WebhookDeliveryRow): WebhookDelivery => ({
  eventId: row.eventId,
  type: row.type,
  subject: row.subject,
  sequence: row.sequence,
  timestamp: row.occurredAt.toISOString(),
  state: row.state,
  outOfOrder: row.outOfOrder,
  attempts: row.attempts,
  lastAttemptOn: row.lastAttemptAt?.toISOString() ?? null,
  lastStatus: row.lastStatus,
  nextAttemptOn: row.nextAttemptAt?.toISOString() ?? null,
})

type AttemptRow = Awaited<ReturnType<typeof listAttempts>>[number]

const toAttempt = (row: AttemptRow): WebhookAttempt => ({
  number: row.number,
  attemptedOn: row.attemptedAt.toISOString(),
  durationMs: row.durationMs,
  status: row.status,
  error: row.error,
  requestHeaders: row.requestHeaders,
  requestBody: row.requestBody,
  responseHeaders: row.responseHeaders,
  responseBody: row.responseBody,
})
