import { classifyResponse, type DeliveryOutcome } from '@parley/rules/webhooks/delivery-outcome'
import { nextAttempt } from '@parley/rules/webhooks/retry-schedule'
import type { WithDatabase } from '../../access/service.ts'
import { recordWebhookEvent } from '../../event-log/record-event.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { type ComposedEvent, composeEvent } from './compose-event.ts'
import type { DueDelivery } from './find-due-deliveries.ts'
import { type AttemptRecord, disableWebhook, endUnsent, finishAttempt } from './outcome-store.ts'
import { type SentEvent, sendEvent, type WebhookFetch } from './send-event.ts'
import { viewDeliveredEvent } from './view-delivered-event.ts'

export type DeliveryDependencies = Pick<WithDatabase, 'database' | 'clock' | 'random' | 'encryption' | 'config'> & {
  fetch: WebhookFetch
  /** Monotonic, in milliseconds. */
  monotonicNow: () => number
}

/** `aborted`: the webhook was deleted or switched off meanwhile. */
export const attemptOutcomes = ['taken', 'refused', 'gone', 'aborted'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

type Attempt = { outcome: AttemptOutcome; durationMs: number }

/**
 * Make one attempt at a delivery, and record what came of it. One that is aborted is not recorded.
 * @returns undefined where nothing was sent
 */
export async function deliverEvent(
  delivery: DueDelivery,
  dependencies: DeliveryDependencies,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const { database, clock, encryption } = dependencies
  const attemptedAt = clock.now()
  if (!delivery.allowed) {
    await endUnsent(database, delivery, delivery.disabled ? 'failed' : 'withheld', attemptedAt)
    return undefined
  }
  const event = await viewDeliveredEvent(delivery, dependencies)
  const composed = composeEvent(event, delivery, encryption, attemptedAt)
  const { fetch, monotonicNow } = dependencies
  const sent = await sendEvent(delivery.url, composed, { owner: delivery.owner, fetch, now: monotonicNow, signal })
  const { durationMs } = sent
  if (sent.kind === 'no-response' && signal.aborted) return { outcome: 'aborted', durationMs }
  const attempt = recordOf(delivery.attempts + 1, attemptedAt, composed, sent)
  const outcome = outcomeOf(sent, clock.now())
  await record(delivery, attempt, outcome, dependencies)
  if (outcome.kind === 'gone') await switchOff(delivery, dependencies)
  return { outcome: outcome.kind, durationMs }
}

const outcomeOf = (sent: SentEvent, now: Date): DeliveryOutcome =>
  sent.kind === 'response'
    ? classifyResponse(sent.status, sent.headers['retry-after'], now)
    : { kind: 'refused', retryAfterMs: undefined }

async function record(
  delivery: DueDelivery,
  attempt: AttemptRecord,
  outcome: DeliveryOutcome,
  { database, clock, random }: DeliveryDependencies,
) {
  const now = clock.now()
  const ended = { ...delivery, attempt, now, retryAt: null, leavesLane: false }
  if (outcome.kind === 'taken') return finishAttempt(database, { ...ended, state: 'delivered' })
  if (outcome.kind === 'gone') return finishAttempt(database, { ...ended, state: 'failed' })
  const next = nextAttempt({
    refusals: attempt.number - delivery.attemptsBeforeResend,
    firstAttemptAt: delivery.firstAttemptAt ?? attempt.attemptedAt,
    now,
    retryAfterMs: outcome.retryAfterMs,
    random: random.bytes(4).readUInt32BE() / 2 ** 32,
  })
  if (next.kind === 'give-up') return finishAttempt(database, { ...ended, state: 'failed' })
  const leavesLane = next.outOfOrder && delivery.lane !== delivery.eventId
  return finishAttempt(database, { ...ended, state: 'waiting', retryAt: next.at, leavesLane })
}

/** A receiver that answers 410 wants nothing more, and is not probed. */
const switchOff = ({ webhookId, webhookAccountId }: DueDelivery, { database, clock }: DeliveryDependencies) =>
  inTransaction(database, async (tx) => {
    const now = clock.now()
    if (!(await disableWebhook(tx, webhookId, 'gone', now, null))) return
    await recordWebhookEvent(tx, { type: 'webhook.disabled', webhookId, accountId: webhookAccountId, data: {}, now })
  })

/** Of each body and of all response headers together, the log keeps so many characters. */
export const maxLoggedLength = 4 * 1024

function recordOf(number: number, attemptedAt: Date, composed: ComposedEvent, sent: SentEvent): AttemptRecord {
  const response =
    sent.kind === 'response'
      ? {
          status: sent.status,
          error: null,
          responseHeaders: sent.isLoggable ? cutHeaders(sent.headers) : null,
          responseBody: sent.isLoggable ? loggable(sent.body) : null,
        }
      : { status: null, error: sent.error, responseHeaders: null, responseBody: null }
  return {
    number,
    attemptedAt,
    durationMs: sent.durationMs,
    requestHeaders: composed.headers,
    requestBody: loggable(composed.body),
    ...response,
  }
}

/** PostgreSQL stores no NUL. */
const loggable = (text: string) => text.slice(0, maxLoggedLength).replaceAll('\0', '\uFFFD')

/** A long header leaves room for the others. */
const maxLoggedHeaderLength = 512

function cutHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept: Record<string, string> = {}
  let left = maxLoggedLength
  for (const [name, value] of Object.entries(headers)) {
    const cut = loggable(value).slice(0, maxLoggedHeaderLength)
    if (name.length + cut.length > left) continue
    left -= name.length + cut.length
    kept[name] = cut
  }
  return kept
}
