import type { Encryption } from '../../platform/encryption.ts'
import { decryptSecret, signatureOf } from '../webhook-secret.ts'

export type ComposedEvent = { headers: Readonly<Record<string, string>>; body: string }

type SecretColumns = {
  webhookId: string
  encryptedSecret: Buffer
  encryptedPreviousSecret: Buffer | null
  previousSecretUntil: Date | null
}

/** The headers and the body of an attempt (Standard Webhooks 1.0, "Webhook headers"). */
export function composeEvent(
  event: { id: string },
  webhook: SecretColumns,
  encryption: Encryption,
  now: Date,
): ComposedEvent {
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

/** The secret, and until its end the one before. */
function secretsOf(webhook: SecretColumns, encryption: Encryption, now: Date): string[] {
  const { webhookId, encryptedSecret, encryptedPreviousSecret, previousSecretUntil } = webhook
  const encrypted = [encryptedSecret]
  if (encryptedPreviousSecret !== null && previousSecretUntil !== null && previousSecretUntil > now) {
    encrypted.push(encryptedPreviousSecret)
  }
  return encrypted.map((secret) => decryptSecret(encryption, secret, webhookId))
}
