import type { EventType, WebhookOwner, WebhookPayload } from '@parley/contract'
import { secureRandom } from '../../src/platform/random.ts'
import { encryptSecret, newWebhookSecret } from '../../src/webhooks/webhook-secret.ts'
import type { TestApp } from '../start-app.ts'
import type { Receiver } from './receiver.ts'

/** Webhooks may post to this machine. */
export const loopbackReceivers = { LOCAL_RECEIVERS: 'on' }

type WebhookOptions = {
  owner?: WebhookOwner
  app?: { appId: string }
  sandbox?: boolean
  grantId?: string
  types?: EventType[]
  payload?: WebhookPayload
  url?: string
  personalTokenId?: string
}

/**
 * Insert a webhook directly into the tables, because tests of deliveries do not depend on the endpoints. Its receiver
 * verifies what it gets.
 */
export async function insertWebhook(
  { database, encryption }: TestApp,
  maker: { profile: { _id: string } },
  receiver: Receiver,
  options: WebhookOptions = {},
): Promise<string> {
  const { owner = 'person', app, sandbox = false, grantId, personalTokenId } = options
  const { types = [], payload = 'thin', url = receiver.url } = options
  const now = new Date()
  const id = secureRandom.uuid(now)
  const secret = newWebhookSecret(secureRandom)
  await database
    .insertInto('webhook')
    .values({
      id,
      owner,
      accountId: maker.profile._id,
      appId: app?.appId ?? null,
      sandbox,
      grantId: grantId ?? null,
      personalTokenId: personalTokenId ?? null,
      url,
      types,
      payload,
      description: '',
      encryptedSecret: encryptSecret(encryption, secret, id),
      createdAt: now,
      modifiedAt: now,
    })
    .execute()
  receiver.secrets.push(secret)
  return id
}

/** Publish what was committed, and make every attempt that is due, until nothing is. */
export async function deliverDue(app: TestApp): Promise<void> {
  await app.publishEvents()
  while ((await app.webhooks.startDue()) > 0) await app.webhooks.idle()
}

/** The states of a webhook's deliveries, in the order of their events. */
export const statesOf = async ({ database }: TestApp, webhookId: string): Promise<string[]> =>
  (
    await database
      .selectFrom('webhookDelivery')
      .select('state')
      .where('webhookId', '=', webhookId)
      .orderBy('position')
      .execute()
  ).map(({ state }) => state)
