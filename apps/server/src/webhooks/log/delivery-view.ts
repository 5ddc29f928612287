import type { WebhookAttempt, WebhookDelivery } from '@parley/contract'
import type { DeliveryRow, listAttempts } from './delivery-store.ts'

export const viewDelivery = (row: DeliveryRow): WebhookDelivery => ({
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

export const viewAttempt = (row: AttemptRow): WebhookAttempt => ({
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
