import type { WebhookOwner } from '@parley/contract'
import { type ExpressionBuilder, type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Caller, holdsScope } from '../access/caller.ts'
import { sinceSignOut } from '../access/credentials/live-grant.ts'
import { readableTypes } from '../event-log/event-rights.ts'
import { type Database, retryOnConflict, type Tx } from '../platform/database/database.ts'
import {
  defineStatement,
  defineStatementVariants,
  type Fragment,
  type Parameter,
} from '../platform/database/define-statement.ts'
import { type Tables, tables } from '../platform/database/tables.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import type { RequestedOwner } from './webhook-owner.ts'

export type WebhookRow = Selectable<Tables['webhook']>

type Where = ExpressionBuilder<Tables, 'webhook'>

/** The time of the request, and the address of the service for challenges. */
type Viewed = { now: Date; baseUrl: string }

const isLive = (now: Date) => (where: Where) => where.not(whereEnded(sql`webhook`, now))

/** List the webhooks of an owner that `requireOwner` has found, the oldest first. */
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

/** The class of advisory locks on accounts whose apps create webhooks; an arbitrary, unique number. */
const grantsLockClass = 727_544

/**
 * Count the webhooks that all apps of an account have created for it. Other counts wait until this transaction ends.
 */
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

/** Find a webhook that the caller may see, and prevent changes of it until commit. @throws webhook_not_found */
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
 * Select the webhooks that a caller may see, without those that have ended. An app sees those of its grant; a person
 * sees their own, those of their apps, and as an administrator those of the organisation. A personal token sees only
 * webhooks whose types it may read, because the URL of a webhook may be a secret.
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

/**
 * The SQL condition that a webhook has ended with the credential that created it, or with its app: the personal token
 * was deleted or has expired; the grant has ended, the app has revoked its tokens, or the user has signed out; or the
 * app was deleted. Such a webhook never returns, and a job deletes it.
 */
export const whereEnded = (webhook: Fragment, now: Fragment | Parameter | Date) => sql<boolean>`case
  when ${webhook}.personal_token_id is not null then not exists (select from personal_token t
    where t.id = ${webhook}.personal_token_id and (t.expires_at is null or t.expires_at > ${now}))
  when ${webhook}.grant_id is not null then not exists (select from app_grant g join account a on a.id = g.account_id
    where g.id = ${webhook}.grant_id and g.revoked_at is null and g.expires_at > ${now}
      and (g.tokens_ended_at is null or ${webhook}.created_at > g.tokens_ended_at)
      and ${sinceSignOut(sql`${webhook}.created_at`)})
  when ${webhook}.app_id is not null then exists (select from app
    where app.id = ${webhook}.app_id and app.deleted_at is not null)
  else false end`

type DisabledBecause = 'owner' | 'signed_out' | 'gone' | 'no_success'

/** Switch a webhook off, and end its waiting deliveries. @returns false if it was off */
export async function disableWebhook(
  tx: Tx,
  webhookId: string,
  because: DisabledBecause,
  now: Date,
  nextProbeAt: Date | null,
): Promise<boolean> {
  const disabled = await tx
    .updateTable('webhook')
    .set({ disabledAt: now, disabledBecause: because, nextProbeAt })
    .where('id', '=', webhookId)
    .where('disabledAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (disabled === undefined) return false
  await tx
    .updateTable('webhookDelivery')
    .set({ state: 'failed' })
    .where('webhookId', '=', webhookId)
    .where('state', '=', 'waiting')
    .execute()
  await tx.deleteFrom('webhookLane').where('webhookId', '=', webhookId).execute()
  return true
}

/**
 * Switch a webhook off for its owner. A webhook that is off for its failures is no longer probed.
 * @returns false if it was off and not probed
 */
export async function disableForGood(
  tx: Tx,
  webhookId: string,
  now: Date,
  because: Extract<DisabledBecause, 'owner' | 'signed_out'> = 'owner',
): Promise<boolean> {
  if (await disableWebhook(tx, webhookId, because, now, null)) return true
  const { numUpdatedRows } = await tx
    .updateTable('webhook')
    .set({ disabledBecause: because, nextProbeAt: null })
    .where('id', '=', webhookId)
    .$if(because === 'signed_out', (query) => query.where('nextProbeAt', 'is not', null))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * This many rows take about ten milliseconds. The log of a busy webhook would exceed the time limit of one statement.
 */
const maxDeletedLogRows = 2_000

/** Attempts are deleted first: after an interruption, no attempt is left without its delivery. */
const logTables = ['webhook_attempt', 'webhook_delivery'] as const

const deleteLogStatement = defineStatementVariants({
  name: 'delete-log-of-webhook',
  dimensions: { table: logTables },
  parameters: { webhookId: 'uuid' },
  columns: { deleted: 'bigint' },
  text: (p, { table }) => sql`with deleted as (
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where webhook_id = ${p.webhookId} limit ${sql.lit(maxDeletedLogRows)})) returning 1
    ) select count(*) as deleted from deleted`,
})

/** Delete the log of a webhook, and its waiting deliveries, before the webhook itself. */
export async function deleteDeliveries(database: Database, webhookId: string): Promise<void> {
  for (const table of logTables) {
    let deleted: number
    do {
      const [row] = await retryOnConflict(() => deleteLogStatement({ table }).execute(database, { webhookId }))
      deleted = row?.deleted ?? 0
    } while (deleted === maxDeletedLogRows)
  }
}

/** Delete all webhooks that a closed account has created. */
export async function deleteWebhooksOfAccount(database: Database, accountId: string): Promise<void> {
  const webhooks = await database.selectFrom('webhook').select('id').where('accountId', '=', accountId).execute()
  for (const { id } of webhooks) await deleteWithLog(database, id)
}

const findEndedStatement = defineStatement({
  name: 'find-ended-webhooks',
  parameters: { now: 'timestamptz' },
  columns: { id: tables.webhook.id },
  text: (p) => sql`select w.id from webhook w where ${whereEnded(sql`w`, p.now)}`,
})

/** Delete the webhooks of tokens, grants and apps that have ended. Nothing has been sent to them since then. */
export async function deleteEndedWebhooks(database: Database, now: Date): Promise<void> {
  const webhooks = await findEndedStatement.execute(database, { now })
  for (const { id } of webhooks) await deleteWithLog(database, id)
}

async function deleteWithLog(database: Database, id: string): Promise<void> {
  await deleteDeliveries(database, id)
  await retryOnConflict(() => database.deleteFrom('webhook').where('id', '=', id).execute())
}
