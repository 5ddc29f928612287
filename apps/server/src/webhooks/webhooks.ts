import {
  createWebhook,
  deleteWebhook,
  type EventType,
  isEventType,
  listWebhooks,
  maxWebhookDescriptionLength,
  maxWebhookTypes,
  readWebhook,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
  type Webhook,
} from '@parley/contract'
import {
  collect,
  combine,
  mapParsed,
  type Parsed,
  passed,
  readOptional,
  readRequired,
  refuse,
} from '@parley/rules/text/parsed'
import { readPlainText } from '@parley/rules/text/plain-text'
import { violationAt } from '@parley/rules/text/violation'
import { isLocalHttp, readWebhookUrl } from '@parley/rules/webhooks/webhook-url'
import { type AuditEntry, audit } from '../access/audit.ts'
import { actedThrough, type Caller } from '../access/caller.ts'
import { lockCredentialForShare } from '../access/credentials/lock-credential.ts'
import { lockAccount } from '../accounts/account/account-store.ts'
import { lockTenant } from '../accounts/account/tenant-store.ts'
import { recordWebhookEvent } from '../event-log/record-event.ts'
import { lockOwnApp } from '../oauth-apps/app-store.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { invalidRequest, problem } from '../platform/http/problem.ts'
import type { Random } from '../platform/random.ts'
import { registerDeliveryLog } from './delivery-log.ts'
import type { Dependencies } from './dependencies.ts'
import { enableWebhook } from './webhook-health.ts'
import {
  grantedTypes,
  maxWebhooks,
  maxWebhooksOfAllGrants,
  type RequestedOwner,
  requireActive,
  requireMaker,
  requireOwner,
  requireSessionForSecret,
  requireTypes,
} from './webhook-owner.ts'
import { createReceiverPolicy } from './webhook-receivers.ts'
import { encryptSecret, newWebhookSecret } from './webhook-secret.ts'
import {
  countWebhooks,
  countWebhooksOfAllGrants,
  deleteDeliveries,
  disableForGood,
  insertWebhookRow,
  listWebhookRows,
  lockWebhook,
  lockWebhookForShare,
  requireWebhook,
  updateWebhookRow,
  type WebhookRow,
} from './webhook-store.ts'

/** Register the endpoints of webhooks, and of the log of their deliveries. */
export function registerWebhooks(dependencies: Dependencies): void {
  serveCreateWebhook(dependencies)
  serveReadWebhook(dependencies)
  serveListWebhooks(dependencies)
  serveUpdateWebhook(dependencies)
  serveDeleteWebhook(dependencies)
  serveRotateWebhookSecret(dependencies)
  serveSendTestEvent(dependencies)
  registerDeliveryLog(dependencies)
}

/** Create a webhook. Only this reply contains its secret; the database stores it encrypted. */
function serveCreateWebhook({ serve, clock, random, encryption, attemptLimits, config }: Dependencies) {
  const { baseUrl } = config
  const policies = {
    organisation: createReceiverPolicy(config, 'organisation'),
    others: createReceiverPolicy(config, 'person'),
  }
  serve(createWebhook, {
    read: ({ body, caller }) => {
      const policy = body.everyone ? policies.organisation : policies.others
      return combine({
        url: readRequired(body.url, (text) =>
          readWebhookUrl('/url', text, {
            ...policy,
            allowsLocalHttp: policy.allowsLocalHttp && allowsHttp(caller, body),
          }),
        ),
        types: readOptional(body.types, readTypes),
        description: readOptional(body.description, readDescription),
        whose: readWhose(body),
      })
    },
    handle: async ({ caller, body, input: { url, types = [], description = '' }, request, answer, database }) => {
      if (body.appId !== undefined) requireSessionForSecret(caller)
      const owner = await requireOwner(database, caller, body, baseUrl)
      const granted = grantedTypes(caller, { owner: owner.kind, types }, baseUrl)
      await attemptLimits.countOrRefuse('newWebhooksOfAccount', caller.accountId)
      const sandbox = owner.kind === 'grant' ? owner.sandbox : (body.sandbox ?? false)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        await lockOwner(tx, caller, owner)
        if ((await countWebhooks(tx, owner, sandbox, now)) >= maxWebhooks[owner.kind])
          throw problem('too_many_webhooks')
        if (
          owner.kind === 'grant' &&
          (await countWebhooksOfAllGrants(tx, caller.accountId, now)) >= maxWebhooksOfAllGrants
        )
          throw problem('too_many_webhooks')
        const id = random.uuid(now)
        const secret = newWebhookSecret(random)
        const webhook = await insertWebhookRow(tx, {
          id,
          owner: owner.kind,
          accountId: caller.accountId,
          appId: 'appId' in owner ? owner.appId : null,
          sandbox,
          grantId: owner.kind === 'grant' ? owner.grantId : null,
          personalTokenId: caller.credential.kind === 'personal' ? caller.credential.tokenId : null,
          url,
          types: granted,
          payload: body.payload ?? 'thin',
          description,
          encryptedSecret: encryptSecret(encryption, secret, id),
          createdAt: now,
          modifiedAt: now,
        })
        const detail = { types: webhook.types, payload: webhook.payload }
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.created', detail, now, random })
        answer.header('cache-control', 'no-store')
        return { ...toWebhook(webhook, now), secret }
      })
    },
  })
}

type Named = { appId?: string; everyone?: boolean; sandbox?: boolean }

/** The receiver of an app needs a certificate. In the sandbox, it may be a program on the developer's machine. */
const allowsHttp = ({ credential }: Caller, { appId, sandbox = false }: Named) =>
  appId !== undefined ? sandbox : credential.kind !== 'oauth' || credential.sandbox

/**
 * Lock the owner, so that concurrent creations are counted correctly, and the credential, so that the webhook does not
 * outlive it. Closing an account locks in the same order.
 * @throws unauthorized, app_not_found
 */
async function lockOwner(tx: Tx, caller: Caller, owner: RequestedOwner): Promise<void> {
  if (owner.kind === 'organisation') await lockTenant(tx, owner.tenantId)
  const account = await lockAccount(tx, caller.accountId)
  if (account === undefined || !(await lockCredentialForShare(tx, caller))) throw problem('unauthorized')
  if (owner.kind === 'organisation' && !account.administrator) throw problem('administrator_required')
  if (owner.kind === 'app' && (await lockOwnApp(tx, owner.appId, caller.accountId)) === undefined) {
    throw problem('app_not_found')
  }
}

function serveReadWebhook({ serve, clock, config: { baseUrl } }: Dependencies) {
  serve(readWebhook, {
    handle: async ({ caller, params: { webhookId }, database }) => {
      const now = clock.now()
      return toWebhook(await requireWebhook(database, caller, webhookId, { baseUrl, now }), now)
    },
  })
}

function serveListWebhooks({ serve, clock, config: { baseUrl } }: Dependencies) {
  serve(listWebhooks, {
    read: ({ query }) => readWhose(query),
    handle: async ({ caller, query, database }) => {
      const now = clock.now()
      const owner = await requireOwner(database, caller, query, baseUrl)
      const webhooks = await listWebhookRows(database, caller, owner, { baseUrl, now })
      return { webhooks: webhooks.map((webhook) => toWebhook(webhook, now)) }
    },
  })
}

/** Change a webhook, and switch it off or on. */
function serveUpdateWebhook({ serve, clock, random, attemptLimits, config }: Dependencies) {
  const { baseUrl } = config
  // Only the row names the owner: the URL is read by the widest policy first, and by the owner's in `handle`.
  const policy = createReceiverPolicy(config, 'organisation')
  serve(updateWebhook, {
    read: ({ body }) =>
      combine({
        url: readOptional(body.url, (text) => readWebhookUrl('/url', text, policy)),
        types: readOptional(body.types, readTypes),
        description: readOptional(body.description, readDescription),
      }),
    handle: async ({ caller, params, body, input: { url, types, description }, request, database }) => {
      if (body.active === true) await attemptLimits.countOrRefuse('enabledWebhooksOfAccount', caller.accountId)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const before = await lockWebhook(tx, caller, params.webhookId, { baseUrl, now })
        requireTypes(caller, before, baseUrl)
        requireMaker(caller, before)
        if (url !== undefined) {
          requireHttps(before, url)
          requireValidUrl(readWebhookUrl('/url', url, createReceiverPolicy(config, before.owner)))
        }
        const changes = {
          ...(url !== undefined && { url }),
          ...(types !== undefined && { types: grantedTypes(caller, { owner: before.owner, types }, baseUrl) }),
          ...(body.payload !== undefined && { payload: body.payload }),
          ...(description !== undefined && { description }),
        }
        const { active } = body
        const changed = [...Object.keys(changes), ...(active === undefined ? [] : ['active'])]
        if (changed.length === 0) return toWebhook(before, now)
        await updateWebhookRow(tx, before.id, { ...changes, modifiedAt: now })
        if (active === false) await disableForGood(tx, before.id, now)
        if (active === true) await enableWebhook(tx, before, now)
        const webhook = await lockWebhook(tx, caller, before.id, { baseUrl, now })
        const detail = {
          changed,
          types: webhook.types,
          payload: webhook.payload,
          ...(active !== undefined && { active }),
        }
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.changed', detail, now, random })
        return toWebhook(webhook, now)
      })
    },
  })
}

/** @throws invalid_request */
function requireValidUrl(parsed: Parsed<string>): void {
  if (parsed.violations !== undefined) throw invalidRequest([...parsed.violations])
}

/** Only in the sandbox of an app may the receiver be a program on this machine. */
function requireHttps({ appId, sandbox }: WebhookRow, url: string) {
  if (appId === null || sandbox || !isLocalHttp(url)) return
  throw invalidRequest([violationAt('/url', { code: 'not_https', message: 'must begin with https://' })])
}

/** Delete a webhook. A running attempt is not recorded. */
function serveDeleteWebhook({ serve, clock, random, config: { baseUrl } }: Dependencies) {
  serve(deleteWebhook, {
    handle: async ({ caller, params: { webhookId }, request, database }) => {
      const now = clock.now()
      const found = await requireWebhook(database, caller, webhookId, { baseUrl, now })
      requireMaker(caller, found)
      const { id } = found
      await deleteDeliveries(database, id)
      return inTransaction(database, async (tx) => {
        const webhook = await lockWebhook(tx, caller, id, { baseUrl, now })
        await tx.deleteFrom('webhook').where('id', '=', id).execute()
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.deleted', now, random })
        return { status: 'The webhook is deleted.' }
      })
    },
  })
}

/** The previous secret is valid this long, so that the receiver can be deployed with the new one. */
export const previousSecretMs = 24 * 60 * 60 * 1_000

/** Replace the secret. The previous one signs for another day; an older one ends at once. */
function serveRotateWebhookSecret({ serve, clock, random, encryption, config: { baseUrl } }: Dependencies) {
  serve(rotateWebhookSecret, {
    handle: ({ caller, params: { webhookId }, request, answer, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const before = await lockWebhook(tx, caller, webhookId, { baseUrl, now })
        if (before.owner === 'app') requireSessionForSecret(caller)
        requireTypes(caller, before, baseUrl)
        requireMaker(caller, before)
        const secret = newWebhookSecret(random)
        const webhook = await updateWebhookRow(tx, before.id, {
          encryptedSecret: encryptSecret(encryption, secret, before.id),
          encryptedPreviousSecret: before.encryptedSecret,
          previousSecretUntil: new Date(now.getTime() + previousSecretMs),
          modifiedAt: now,
        })
        const { address } = request
        await auditWebhook(tx, { webhook, caller, address, action: 'webhook.secret-replaced', now, random })
        answer.header('cache-control', 'no-store')
        return { ...toWebhook(webhook, now), secret }
      }),
  })
}

/** Record a test event. The delivery loop sends the sample of its type. */
function serveSendTestEvent({ serve, clock, attemptLimits, config: { baseUrl } }: Dependencies) {
  serve(sendTestEvent, {
    handle: async ({ caller, params: { webhookId }, body: { type = 'webhook.test' }, database }) => {
      const now = clock.now()
      const { id } = requireActive(await requireWebhook(database, caller, webhookId, { baseUrl, now }), caller, baseUrl)
      await attemptLimits.countOrRefuse('testEventsOfAccount', caller.accountId)
      const event = await inTransaction(database, async (tx) => {
        const { accountId } = requireActive(
          await lockWebhookForShare(tx, caller, id, { baseUrl, now }),
          caller,
          baseUrl,
        )
        const data = type === 'webhook.test' ? {} : { sampleOf: type }
        return recordWebhookEvent(tx, { type: 'webhook.test', webhookId: id, accountId, data, now })
      })
      return { eventId: event.id }
    },
  })
}

const readDescription = (text: string) =>
  readPlainText('/description', text, { maxLength: maxWebhookDescriptionLength })

/** Read the names of event types, without duplicates. */
function readTypes(types: readonly (string | undefined)[]): Parsed<EventType[]> {
  if (types.length > maxWebhookTypes) {
    return refuse(violationAt('/types', { code: 'too_many', message: `must hold at most ${maxWebhookTypes}` }))
  }
  const readType = (name: string, index: number): Parsed<EventType> =>
    isEventType(name)
      ? { value: name }
      : refuse(violationAt(`/types/${index}`, { code: 'unknown_type', message: 'is no type of event' }))
  const read = collect(types.map((type, index) => readRequired(type, (name) => readType(name, index))))
  return mapParsed(read, (names) => [...new Set(names)])
}

/** Check that the fields of a request name one owner. */
function readWhose({ appId, everyone, sandbox = false }: Named): Parsed<undefined> {
  if (appId !== undefined && everyone) {
    return refuse(violationAt('/everyone', { code: 'not_together', message: 'cannot be sent together with appId' }))
  }
  if (sandbox && appId === undefined) {
    return refuse(violationAt('/sandbox', { code: 'not_together', message: 'can be sent with appId only' }))
  }
  return passed
}

/** Convert a webhook to the reply of the API, which never contains its secrets. */
const toWebhook = (row: WebhookRow, now: Date): Webhook => ({
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

type WebhookChange = {
  webhook: WebhookRow
  caller: Caller
  address: string
  action: Extract<AuditEntry['action'], `webhook.${string}`>
  detail?: object
  now: Date
  random: Random
}

/**
 * Record a change of a webhook in the transaction of the change. Only the host of its URL is recorded, because the rest
 * may be a secret of the receiver.
 */
async function auditWebhook(tx: Tx, change: WebhookChange): Promise<void> {
  const { webhook, caller, address, action, detail = {}, now, random } = change
  const { id, owner, appId, sandbox, accountId, url } = webhook
  const ofApp = appId === null ? {} : { appId, sandbox }
  const { credential } = caller
  const through = credential.kind === 'oauth' ? { grantId: credential.grantId } : actedThrough(caller)
  await audit(tx, random, now, {
    tenantId: caller.tenantId,
    actorId: caller.accountId,
    subjectId: accountId,
    action,
    detail: { webhookId: id, name: new URL(url).host, owner, ...ofApp, ...detail, ...through },
    address,
  })
}
