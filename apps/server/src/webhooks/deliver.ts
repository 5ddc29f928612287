import {
  type EventReply,
  eventTypes,
  isEventType,
  isScope,
  type SingleMeetingReply,
  secretMeetingFields,
  type WebhookOwner,
} from '@parley/contract'
import { classifyResponse, type DeliveryOutcome } from '@parley/rules/webhooks/delivery-outcome'
import { mayReceive } from '@parley/rules/webhooks/delivery-right'
import { nextAttempt } from '@parley/rules/webhooks/retry-schedule'
import type { Caller, Credential } from '../access/caller.ts'
import { callerOf } from '../access/credentials/credential-row.ts'
import { trustsEveryAddress } from '../access/trusted-address.ts'
import { recordWebhookEvent } from '../event-log/record-event.ts'
import { viewEvent } from '../event-log/view-event.ts'
import { findAccess } from '../meetings/meeting-access.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import { viewSingleMeeting } from '../meetings/meeting-view.ts'
import { inTransaction } from '../platform/database/database.ts'
import type { Encryption } from '../platform/encryption.ts'
import { FetchRefused } from '../platform/outbound/fetch-refused.ts'
import {
  type AttemptRecord,
  closeWithoutAttempt,
  type DueDelivery,
  findReader,
  finishAttempt,
} from './delivery-store.ts'
import type { Dependencies } from './dependencies.ts'
import type { WebhookFetch } from './webhook-receivers.ts'
import { decryptSecret, signatureOf } from './webhook-secret.ts'
import { disableWebhook } from './webhook-store.ts'

/** `aborted`: the webhook was deleted or switched off meanwhile. */
export const attemptOutcomes = ['taken', 'refused', 'gone', 'aborted'] as const
export type AttemptOutcome = (typeof attemptOutcomes)[number]

type Attempt = { outcome: AttemptOutcome; durationMs: number }

/**
 * Make one attempt at a delivery, and record its outcome. An aborted attempt is not recorded.
 * @returns undefined if nothing was sent
 */
export async function deliverEvent(
  delivery: DueDelivery,
  dependencies: Dependencies,
  signal: AbortSignal,
): Promise<Attempt | undefined> {
  const { database, clock, encryption } = dependencies
  const attemptedAt = clock.now()
  if (!mayDeliver(delivery)) {
    await closeWithoutAttempt(database, delivery, delivery.disabled ? 'failed' : 'withheld', attemptedAt)
    return undefined
  }
  const event = await loadEvent(delivery, dependencies)
  const signed = signEvent(event, delivery, encryption, attemptedAt)
  const { fetch, monotonicNow } = dependencies
  const sent = await sendEvent(delivery.url, signed, { owner: delivery.owner, fetch, now: monotonicNow, signal })
  const { durationMs } = sent
  if (sent.kind === 'no-response' && signal.aborted) return { outcome: 'aborted', durationMs }
  const attempt = toAttemptRecord(delivery.attempts + 1, attemptedAt, signed, sent)
  const outcome = outcomeOf(sent, clock.now())
  await record(delivery, attempt, outcome, dependencies)
  if (outcome.kind === 'gone') await switchOff(delivery, dependencies)
  return { outcome: outcome.kind, durationMs }
}

/** True if the webhook is on and has a right to the event now. */
const mayDeliver = (delivery: DueDelivery): boolean =>
  !delivery.disabled &&
  mayReceive({
    ...delivery,
    right: eventTypes[delivery.type].right,
    grantedScopes: delivery.grantedScopes?.filter(isScope),
  })

/** The body of an attempt. With `payload: full`, it contains the meeting. */
type EventBody = EventReply & { test?: true; meeting?: MeetingWithoutSecrets | null }

/** Load the event of a delivery as its webhook may read it now. */
async function loadEvent(delivery: DueDelivery, dependencies: Dependencies): Promise<EventBody> {
  const { baseUrl } = dependencies.config
  const sample = sampleOf(delivery, baseUrl)
  const event = sample ?? viewEvent(delivery.event, baseUrl)
  const marked = delivery.type === 'webhook.test' ? { ...event, test: true as const } : event
  if (delivery.payload === 'thin' || delivery.meetingId === null) return marked
  return { ...marked, meeting: await readMeetingOf(delivery, delivery.meetingId, dependencies) }
}

/** A test event that names another type is sent as the sample of that type. */
function sampleOf({ event, data: { sampleOf: type } }: DueDelivery, baseUrl: string): EventReply | undefined {
  if (typeof type !== 'string' || !isEventType(type)) return undefined
  const { id, accountId, subject, occurredAt, sequence } = event
  const sample = { id, accountId, subject, occurredAt, sequence, actingGrantId: null }
  return viewEvent({ ...sample, type, data: { ...eventTypes[type].sample } }, baseUrl)
}

type MeetingWithoutSecrets = Omit<SingleMeetingReply, (typeof secretMeetingFields)[number]>

async function readMeetingOf(
  delivery: DueDelivery,
  meetingId: string,
  dependencies: Dependencies,
): Promise<MeetingWithoutSecrets | null> {
  const { database, encryption, config } = dependencies
  const caller = await callerFor(delivery, dependencies)
  if (caller === undefined) return null
  // A webhook of the organisation shows what an administrator sees. The audit log records its creation.
  const found = await findAccess(caller, config, (viewer) => findMeeting(database, meetingId, viewer))
  if (found === undefined) return null
  const { row, rights } = found
  const view: Record<string, unknown> = { ...viewSingleMeeting(row, { caller, encryption, config, rights }) }
  for (const field of secretMeetingFields) delete view[field]
  return view as MeetingWithoutSecrets
}

/** Find the caller whose rights decide what is read: the person who granted the app, or the owner of the webhook. */
async function callerFor(delivery: DueDelivery, { database, config }: Dependencies): Promise<Caller | undefined> {
  const isOfApp = delivery.appId !== null
  const accountId = isOfApp ? delivery.accountId : delivery.webhookAccountId
  const row = await findReader(database, accountId)
  return row && callerOf(row, credentialOf(delivery), trustsEveryAddress(config))
}

function credentialOf({ webhookId, appId, grantId, sandbox, grantedScopes }: DueDelivery): Credential {
  if (appId === null) return { kind: 'personal', tokenId: webhookId, scopes: ['meeting:read'] }
  const scopes = (grantedScopes ?? []).filter(isScope)
  return { kind: 'oauth', grantId: grantId ?? webhookId, familyId: null, appId, sandbox, scopes }
}

type SignedEvent = { headers: Readonly<Record<string, string>>; body: string }

type SecretColumns = {
  webhookId: string
  encryptedSecret: Buffer
  encryptedPreviousSecret: Buffer | null
  previousSecretUntil: Date | null
}

/** Write the headers and the body of an attempt, and sign them (Standard Webhooks 1.0, "Webhook headers"). */
export function signEvent(
  event: { id: string },
  webhook: SecretColumns,
  encryption: Encryption,
  now: Date,
): SignedEvent {
  const body = JSON.stringify(event)
  const timestamp = Math.floor(now.getTime() / 1_000)
  const signature = signatureOf({ id: event.id, timestamp, body }, secretsOf(webhook, encryption, now))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    },
  }
}

/** The secret, and during a rotation also the previous one. */
function secretsOf(webhook: SecretColumns, encryption: Encryption, now: Date): string[] {
  const { webhookId, encryptedSecret, encryptedPreviousSecret, previousSecretUntil } = webhook
  const encrypted = [encryptedSecret]
  if (encryptedPreviousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now) {
    encrypted.push(encryptedPreviousSecret)
  }
  return encrypted.map((secret) => decryptSecret(encryption, secret, webhookId))
}

/** The response, or the code of `FetchRefused` as `error`. `isLoggable`: the owner may read the response. */
type SentEvent = { durationMs: number } & (
  | { kind: 'response'; status: number; headers: Record<string, string>; body: string; isLoggable: boolean }
  | { kind: 'no-response'; error: string }
)

/**
 * Post an event. Only the organisation's log shows responses of servers inside the network: with a webhook, other
 * owners could read such servers. A missing response and an aborted attempt are results, not errors.
 */
export async function sendEvent(
  url: string,
  { headers, body }: SignedEvent,
  { owner, fetch, now, signal }: { owner: WebhookOwner; fetch: WebhookFetch; now: () => number; signal?: AbortSignal },
): Promise<SentEvent> {
  const startedAt = now()
  const durationMs = () => Math.round(now() - startedAt)
  try {
    const fetched = await fetch(owner)(url, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
      readBody: 'start',
      ...(signal && { signal }),
    })
    return {
      kind: 'response',
      status: fetched.status,
      headers: Object.fromEntries(Object.entries(fetched.headers).map(([name, value]) => [name, String(value)])),
      body: new TextDecoder().decode(fetched.bytes),
      isLoggable: owner === 'organisation' || fetched.isPublic,
      durationMs: durationMs(),
    }
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error
    return { kind: 'no-response', error: error.code, durationMs: durationMs() }
  }
}

const outcomeOf = (sent: SentEvent, now: Date): DeliveryOutcome =>
  sent.kind === 'response'
    ? classifyResponse(sent.status, sent.headers['retry-after'], now)
    : { kind: 'refused', retryAfterMs: undefined }

async function record(
  delivery: DueDelivery,
  attempt: AttemptRecord,
  outcome: DeliveryOutcome,
  { database, clock, random }: Dependencies,
) {
  const now = clock.now()
  const ended = { ...delivery, attempt, now, retryAt: null, leavesQueue: false }
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
  const leavesQueue = next.outOfOrder && delivery.lane !== delivery.eventId
  return finishAttempt(database, { ...ended, state: 'waiting', retryAt: next.at, leavesQueue })
}

/** Switch off a webhook whose receiver has answered 410. Such a receiver is not probed. */
const switchOff = ({ webhookId, webhookAccountId }: DueDelivery, { database, clock }: Dependencies) =>
  inTransaction(database, async (tx) => {
    const now = clock.now()
    if (!(await disableWebhook(tx, webhookId, 'gone', now, null))) return
    await recordWebhookEvent(tx, { type: 'webhook.disabled', webhookId, accountId: webhookAccountId, data: {}, now })
  })

/** Maximum length of each body in the log, and of all response headers together, in characters. */
export const maxLoggedLength = 4 * 1024

function toAttemptRecord(number: number, attemptedAt: Date, signed: SignedEvent, sent: SentEvent): AttemptRecord {
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
    requestHeaders: signed.headers,
    requestBody: loggable(signed.body),
    ...response,
  }
}

/** Cut a text for the log, and replace NUL, which PostgreSQL cannot store. */
const loggable = (text: string) => text.slice(0, maxLoggedLength).replaceAll('\0', '\uFFFD')

/** Maximum length of one header in the log; the others need room as well. */
const maxLoggedHeaderLength = 512

function cutHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const logged: Record<string, string> = {}
  let left = maxLoggedLength
  for (const [name, value] of Object.entries(headers)) {
    const cut = loggable(value).slice(0, maxLoggedHeaderLength)
    if (name.length + cut.length > left) continue
    left -= name.length + cut.length
    logged[name] = cut
  }
  return logged
}
