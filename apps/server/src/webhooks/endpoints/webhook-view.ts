import { isEventType, type Webhook } from '@parley/contract'
import type { WebhookRow } from './webhook-store.ts'

/** A webhook as the API returns it; never its secrets. */
export const viewWebhook = (row: WebhookRow, now: Date): Webhook => ({
  _id: row.id,
  owner: row.owner,
  appId: row.appId,
  sandbox: row.sandbox,
  personalTokenId: row.personalTokenId,
  url: row.url,
  types: row.types.filter(isEventType),
  payload: row.payload,
  description: row.description,
  state: row.disabledAt !== null ? 'disabled' : row.failingSince !== null ? 'failing' : 'active',
  disabledBecause: row.disabledBecause,
  failingSince: row.failingSince?.toISOString() ?? null,
  lastSuccessOn: row.lastSuccessAt?.toISOString() ?? null,
  previousSecretUntil:
    row.previousSecretUntil !== null && row.previousSecretUntil > now ? row.previousSecretUntil.toISOString() : null,
  createdOn: row.createdAt.toISOString(),
  modifiedOn: row.modifiedAt.toISOString(),
})
