import type { WebhookOwner } from '@parley/contract'
import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Caller, holdsScope } from '../../access/caller.ts'
import { readableTypes } from '../../event-log/event-rights.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { hasEnded } from '../has-ended.ts'
import type { RequestedOwner } from './webhook-owner.ts'

export type WebhookRow = Selectable<Tables['webhook']>

type Where = ExpressionBuilder<Tables, 'webhook'>

/** When webhooks are looked at, and the address of the service, which challenges name. */
type Viewed = { now: Date; baseUrl: string }

const isLive = (now: Date) => (where: Where) => where.not(hasEnded(sql`webhook`, now))

/** List webhooks of an owner that `requireOwner` has found, oldest first. */
export const listWebhookRows = (
  database: Database,
  caller: Caller,
  owner: RequestedOwner,
  viewed: Viewed,
): Promise<WebhookRow[]> =>
  database
    .selectFrom('webhook')
    .selectAll()
    .where(belongsTo(owner))
    .where(isVisibleTo(caller, viewed))
    .orderBy('id')
    .execute()

/** Count the webhooks of an owner; an app's sandbox is counted apart. */
export async function countWebhooks(tx: Tx, owner: RequestedOwner, sandbox: boolean, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('webhook')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(belongsTo(owner))
    .where('sandbox', '=', sandbox)
    .where(isLive(now))
    .executeTakeFirstOrThrow()
  return count
}

/** The class of advisory locks on accounts whose apps make webhooks; an arbitrary, unique number. */
const grantsLockClass = 727_544

/** Count the webhooks that all apps of an account have made for it. Other counts of it wait for the transaction. */
export async function countWebhooksOfAllGrants(tx: Tx, accountId: string, now: Date): Promise<number> {
  await sql`select pg_advisory_xact_lock(${grantsLockClass}, hashtext(${accountId}))`.execute(tx)
  const { count } = await tx
    .selectFrom('webhook')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('grantId', 'is not', null)
    .where(isLive(now))
    .executeTakeFirstOrThrow()
  return count
}

export const insertWebhookRow = (tx: Tx, webhook: Insertable<Tables['webhook']>): Promise<WebhookRow> =>
  tx.insertInto('webhook').values(webhook).returningAll().executeTakeFirstOrThrow()

/** Find a webhook that the caller may see. @throws webhook_not_found */
export async function requireWebhook(
  database: Database,
  caller: Caller,
  webhookId: string,
  viewed: Viewed,
): Promise<WebhookRow> {
  return found(await visible(database, caller, webhookId, viewed)?.executeTakeFirst())
}

/** Find a webhook that the caller may see, and lock it for a change until commit. @throws webhook_not_found */
export async function lockWebhook(tx: Tx, caller: Caller, webhookId: string, viewed: Viewed): Promise<WebhookRow> {
  return found(await visible(tx, caller, webhookId, viewed)?.forNoKeyUpdate().executeTakeFirst())
}

/** Find a webhook that the caller may see, and keep it from being switched off until commit. @throws webhook_not_found */
export async function lockWebhookForShare(
  tx: Tx,
  caller: Caller,
  webhookId: string,
  viewed: Viewed,
): Promise<WebhookRow> {
  return found(await visible(tx, caller, webhookId, viewed)?.forShare().executeTakeFirst())
}

export const updateWebhookRow = (
  tx: Tx,
  webhookId: string,
  changes: Omit<Updateable<Tables['webhook']>, 'id' | 'owner' | 'accountId'>,
): Promise<WebhookRow> =>
  tx.updateTable('webhook').set(changes).where('id', '=', webhookId).returningAll().executeTakeFirstOrThrow()

function visible(database: Database, caller: Caller, webhookId: string, viewed: Viewed) {
  if (!isUuid(webhookId)) return undefined
  return database.selectFrom('webhook').selectAll().where('id', '=', webhookId).where(isVisibleTo(caller, viewed))
}

function found(webhook: WebhookRow | undefined): WebhookRow {
  if (webhook === undefined) throw problem('webhook_not_found')
  return webhook
}

const belongsTo = (owner: RequestedOwner) => (where: Where) => {
  const is = (kind: WebhookOwner) => where('owner', '=', kind)
  switch (owner.kind) {
    case 'person':
      return where.and([is('person'), where('accountId', '=', owner.accountId)])
    case 'app':
      return where.and([is('app'), where('appId', '=', owner.appId)])
    case 'grant':
      return where.and([is('grant'), where('grantId', '=', owner.grantId)])
    case 'organisation':
      return where.and([is('organisation'), where('accountId', 'in', accountsOf(where, owner.tenantId))])
  }
}

const accountsOf = (where: Where, tenantId: string) =>
  where.selectFrom('account').select('account.id').where('account.tenantId', '=', tenantId)

/**
 * What a caller may see of what has not ended: an app the webhooks of its grant; a person their own, those of their apps, and as an
 * administrator those of the organisation. A personal token sees only webhooks whose types it may read, because an
 * address that events are posted to may be a secret.
 */
const isVisibleTo = (caller: Caller, viewed: Viewed) => (where: Where) =>
  where.and([isLive(viewed.now)(where), isOf(caller, viewed)(where)])

const isOf =
  (caller: Caller, { baseUrl }: Viewed) =>
  (where: Where) => {
    const { credential, accountId, tenantId } = caller
    if (credential.kind === 'oauth') return belongsTo({ ...credential, kind: 'grant' })(where)
    const ofPerson = belongsTo({ kind: 'person', accountId })(where)
    const ofApps = where.and([
      where('owner', '=', 'app'),
      where('appId', 'in', (apps) =>
        apps
          .selectFrom('app')
          .innerJoin('account', 'account.id', 'app.ownerId')
          .select('app.id')
          .where('app.ownerId', '=', accountId)
          .where('app.deletedAt', 'is', null)
          .where('account.oauthEnabled', '=', true),
      ),
    ])
    if (credential.kind === 'session') {
      const ofOrganisation = caller.administrator ? [belongsTo({ kind: 'organisation', tenantId })(where)] : []
      return where.or([ofPerson, ofApps, ...ofOrganisation])
    }
    const readable = [...readableTypes(caller, undefined, baseUrl)]
    const isReadable = sql<boolean>`cardinality(webhook.types) > 0 and webhook.types <@ ${readable}::text[]`
    return where.or([where.and([ofPerson, isReadable]), ...(holdsScope(caller, 'apps:manage') ? [ofApps] : [])])
  }
