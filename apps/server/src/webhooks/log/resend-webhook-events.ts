import { type BodyOf, resendWebhookEvents } from '@parley/contract'
import { addViolations, combine, readOptional } from '@parley/rules/text/reading'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import type { Service } from '../../access/service.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { requireActive } from '../endpoints/webhook-owner.ts'
import { lockWebhookForShare } from '../endpoints/webhook-store.ts'
import { findDelivery } from './delivery-store.ts'
import { resendDeliveries, resendDelivery } from './resend-store.ts'

/** Send events again: one, those of a time, or all that failed. */
export function serveResendWebhookEvents({ serve, clock, config: { baseUrl } }: Service) {
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
