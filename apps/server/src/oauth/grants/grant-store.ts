import { isScope, type Scope, scopeNames } from '@parley/contract'
import { after, grantLifetimeMs } from '@parley/rules/oauth/lifetimes'
import { type Resource, resources } from '@parley/rules/oauth/resource'
import { inRegisteredOrder } from '@parley/rules/oauth/scope-set'
import { sql } from 'kysely'
import { publishAccessEnded } from '../../access/access-topic.ts'
import { grantedScopes, scopeColumns, sqlOwnerActive } from '../../access/credentials/live-grant.ts'
import { endReplyAddresses } from '../../access/credentials/reply-addresses.ts'
import { isReviewed } from '../../access/shown-app.ts'
import type { OnAccessRevoked } from '../../accounts/dependencies.ts'
import { recordGrantEvents } from '../../event-log/record-event.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Random } from '../../platform/random.ts'

/** A user's live consent to an app, seen from one resource. */
type Grant = {
  id: string
  /** What was consented to for the resource. */
  scopes: readonly Scope[]
  /** The other resources that something was consented to for. */
  otherResources: readonly Resource[]
}

/**
 * Find a user's live grant to an app, or to its sandbox, with its scopes for a resource; undefined when there is none,
 * or the grant was revoked or has expired.
 */
export async function findLiveGrant(
  database: Database,
  accountId: string,
  appId: string,
  sandbox: boolean,
  resource: Resource,
  now: Date,
): Promise<Grant | undefined> {
  const row = await database
    .selectFrom('appGrant')
    .select(['id', ...Object.values(scopeColumns)])
    .where('accountId', '=', accountId)
    .where('appId', '=', appId)
    .where('sandbox', '=', sandbox)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const otherResources = resources.filter((each) => each !== resource && row[scopeColumns[each]].length > 0)
  return { id: row.id, scopes: row[scopeColumns[resource]].filter(isScope), otherResources }
}

/** Whether a user has allowed an app anything, for any resource. */
export async function hasLiveGrant(
  database: Database,
  accountId: string,
  { appId, sandbox }: { appId: string; sandbox: boolean },
  now: Date,
): Promise<boolean> {
  return (await findLiveGrant(database, accountId, appId, sandbox, 'api', now)) !== undefined
}

type GrantExtension = {
  accountId: string
  appId: string
  sandbox: boolean
  resource: Resource
  scopes: readonly Scope[]
  /** Absent: 365 days, in the sandbox 7. */
  lifetimeMs?: number
  now: Date
  random: Random
}

/**
 * Add scopes for a resource to the user's grant to an app, or create the grant. The grant then lasts 365 days from now,
 * in the sandbox 7 (docs/oauth-reference.md, "Lifetimes"). The scopes of an expired grant are not renewed.
 */
export async function extendGrant(tx: Tx, extension: GrantExtension): Promise<{ id: string }> {
  const { accountId, appId, sandbox, resource, scopes, lifetimeMs = grantLifetimeMs(sandbox), now, random } = extension
  const expired = await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'expired' })
    .where('accountId', '=', accountId)
    .where('appId', '=', appId)
    .where('sandbox', '=', sandbox)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '<=', now)
    .returning('id')
    .execute()
  await recordGrantEvents(tx, 'grant.revoked', expired, now)
  const expiresAt = after(now, lifetimeMs)
  const newId = random.uuid(now)
  const column = scopeColumns[resource]
  const { id, [column]: before } = await tx
    .insertInto('appGrant')
    .values({
      id: newId,
      accountId,
      appId,
      sandbox,
      apiScopes: [],
      mcpScopes: [],
      [column]: inRegisteredOrder(scopeNames, scopes),
      createdAt: now,
      modifiedAt: now,
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      revokedBecause: null,
    })
    // Locks an existing row, so that concurrent consents add up.
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'appId', 'sandbox'])
        .where('revokedAt', 'is', null)
        .doUpdateSet({ modifiedAt: now, expiresAt }),
    )
    .returning(['id', column])
    .executeTakeFirstOrThrow()
  const all = inRegisteredOrder(scopeNames, [...before, ...scopes])
  if (all.length > before.length)
    await tx
      .updateTable('appGrant')
      .set({ [column]: all })
      .where('id', '=', id)
      .execute()
  if (id === newId) await recordGrantEvents(tx, 'grant.created', [{ id }], now)
  else if (all.length > before.length) await recordGrantEvents(tx, 'grant.changed', [{ id }], now)
  return { id }
}

/** Revoke a grant: its codes and tokens are refused from the next request on. Return false when the grant was not live. */
export async function revokeGrantRow(tx: Tx, grantId: string, because: string, now: Date): Promise<boolean> {
  const revoked = await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: because })
    .where('id', '=', grantId)
    .where('revokedAt', 'is', null)
    .returning('accountId')
    .executeTakeFirst()
  if (revoked === undefined) return false
  await recordGrantEvents(tx, 'grant.revoked', [{ id: grantId }], now)
  await publishAccessEnded(tx, revoked.accountId)
  await endReplyAddresses(tx, revoked.accountId)
  return true
}

/** More apps than one person connects; the list fits on one page. */
const maxGrantsListed = 500

/** List an account's live grants with the app's name, links and logo; deleted apps are absent. */
export const listGrantRows = (database: Database, accountId: string, now: Date) =>
  database
    .selectFrom('appGrant as g')
    .innerJoin('app as p', 'p.id', 'g.appId')
    .innerJoin('appRevision as r', (join) =>
      join
        .onRef('r.appId', '=', 'p.id')
        .on((on) =>
          on(
            'r.number',
            '=',
            on
              .case()
              .when('g.sandbox', '=', true)
              .then(on.fn.coalesce('p.draftRevision', 'p.liveRevision'))
              .else(on.fn.coalesce('p.liveRevision', 'p.draftRevision'))
              .end(),
          ),
        ),
    )
    .select(['g.id', 'g.appId', 'g.sandbox', 'g.apiScopes', 'g.mcpScopes', 'g.createdAt', 'g.lastUsedAt'])
    .select(sql<string[]>`${grantedScopes}`.as('scopes'))
    .leftJoin('account as o', 'o.id', 'p.ownerId')
    // app-identity.ts serves no logo of an app that cannot be used.
    .leftJoin('appLogo as l', (join) =>
      join
        .onRef('l.appId', '=', 'r.appId')
        .onRef('l.revision', '=', 'r.number')
        .on('p.status', '!=', 'suspended')
        .on(sql<boolean>`${sqlOwnerActive} and ${isReviewed}`),
    )
    .select(['r.name', 'r.homepageUrl', 'r.number as revision', 'l.appId as logoOf', 'p.registration', 'p.clientId'])
    .select('r.callbackUrls')
    .select(isReviewed.as('isReviewed'))
    // An app whose owner may not have apps behaves like a suspended one.
    .select(sql<boolean>`p.status = 'suspended' or not ${sqlOwnerActive}`.as('suspended'))
    .where('g.accountId', '=', accountId)
    .where('g.revokedAt', 'is', null)
    .where('g.expiresAt', '>', now)
    .where('p.deletedAt', 'is', null)
    .orderBy('g.id', 'desc')
    .limit(maxGrantsListed)
    .execute()

/** Lock a live grant of the account; undefined for another account's and for a revoked one. */
export const lockOwnGrant = (tx: Tx, accountId: string, grantId: string) =>
  tx
    .selectFrom('appGrant as g')
    .innerJoin('app as p', 'p.id', 'g.appId')
    .leftJoin('appRevision as r', (join) =>
      join.onRef('r.appId', '=', 'p.id').on(sql<boolean>`r.number = coalesce(p.live_revision, p.draft_revision)`),
    )
    .select(['g.appId', 'g.sandbox', 'p.registration', 'p.clientId', 'r.name', 'r.callbackUrls'])
    .select(isReviewed.as('isReviewed'))
    .where('g.id', '=', grantId)
    .where('g.accountId', '=', accountId)
    .where('g.revokedAt', 'is', null)
    .forUpdate('g')
    .executeTakeFirst()

/**
 * Revoke every grant of an account, and delete the authorization requests that it confirmed: another person may have
 * given them before the owner claimed the account. The owner is asked for consent again.
 */
export const endGrantsOfAccount: OnAccessRevoked = async (tx, { id: accountId }, now) => {
  const revoked = await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'owner_claimed' })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
  await recordGrantEvents(tx, 'grant.revoked', revoked, now)
  await tx.deleteFrom('authorizationRequest').where('accountId', '=', accountId).execute()
}
