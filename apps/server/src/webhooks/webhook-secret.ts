import { createHmac } from 'node:crypto'
import type { Encryption } from '../platform/encryption.ts'
import type { Random } from '../platform/random.ts'

/** Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32
const prefix = 'whsec_'
const purpose = 'webhook secret'

export const newWebhookSecret = (random: Random): string => prefix + random.bytes(secretBytes).toString('base64')

/** Encrypt a secret for one webhook. In the row of another webhook, it cannot be decrypted. */
export const encryptSecret = (encryption: Encryption, secret: string, webhookId: string): Buffer =>
  encryption.encrypt(secret, purpose, webhookId)

export const decryptSecret = (encryption: Encryption, encrypted: Buffer, webhookId: string): string =>
  encryption.decrypt(encrypted, purpose, webhookId)

type Signed = { id: string; timestamp: number; body: string }

/**
 * Compute the value of `webhook-signature`: one `v1` signature per secret, separated by spaces (Standard Webhooks 1.0,
 * "Signature scheme"). `timestamp` is in seconds since 1970.
 */
export const signatureOf = ({ id, timestamp, body }: Signed, secrets: readonly string[]): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')
