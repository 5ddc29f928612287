import type { DeliveryState, WebhookOwner, WebhookPayload } from '@parley/contract'
import type { Generated, JSONColumnType } from 'kysely'

export type WebhookTables = {
  webhook: WebhookTable
  webhookDelivery: WebhookDeliveryTable
  /** A queue with waiting deliveries. */
  webhookLane: { webhookId: string; lane: string; nextAttemptAt: Date }
  webhookAttempt: WebhookAttemptTable
}

type WebhookTable = {
  id: string
  owner: WebhookOwner
  accountId: string
  appId: string | null
  sandbox: boolean
  grantId: string | null
  /** The personal token that made it; refers to nothing once that is deleted. */
  personalTokenId: string | null
  url: string
  types: string[]
  payload: WebhookPayload
  description: string
  encryptedSecret: Buffer
  encryptedPreviousSecret: Buffer | null
  previousSecretUntil: Date | null
  createdAt: Date
  modifiedAt: Date
  failingSince: Date | null
  lastSuccessAt: Date | null
  warnedAt: Date | null
  disabledAt: Date | null
  disabledBecause: 'owner' | 'signed_out' | 'gone' | 'no_success' | null
  nextProbeAt: Date | null
}

type WebhookDeliveryTable = {
  webhookId: string
  eventId: string
  /** The subject of the event, or after six refusals the event itself. */
  lane: string
  position: number
  state: DeliveryState
  attempts: Generated<number>
  /** The waits between attempts are those since a request to send it again. */
  attemptsBeforeResend: Generated<number>
  firstAttemptAt: Date | null
  lastAttemptAt: Date | null
  lastStatus: number | null
}

type WebhookAttemptTable = {
  webhookId: string
  eventId: string
  number: number
  attemptedAt: Date
  durationMs: number
  status: number | null
  error: string | null
  requestHeaders: JSONColumnType<Record<string, string>>
  requestBody: string
  responseHeaders: JSONColumnType<Record<string, string>> | null
  responseBody: string | null
}
