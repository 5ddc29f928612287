import { sql } from 'kysely'
import { accessIdOf, publishAccessEnded } from '../access/access-topic.ts'
import { intersectScopes, scopeColumns } from '../access/credentials/live-grant.ts'
import { recordGrantEvents } from '../event-log/record-event.ts'
import type { Tx } from '../platform/database/database.ts'

const scopesByResource = Object.values(scopeColumns).map((column) => sql.ref(column))

/** The owner is null of clients that no developer has registered. */
type OwnedApp = { id: string; ownerId: string | null }

/**
 * Revoke all grants of an app. Each request checks its grant, so every instance refuses the tokens from commit on. Open
 * streams of the app are notified by its topic.
 */
export async function endGrantsOfApp(
  tx: Tx,
  app: OwnedApp,
  now: Date,
  because: 'app_deleted' | 'app_rejected' = 'app_deleted',
): Promise<void> {
  const revoked = await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: because })
    .where('appId', '=', app.id)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
  await recordGrantEvents(tx, 'grant.revoked', revoked, now)
  await publishAccessEnded(tx, accessIdOf(app))
}

/**
 * Remove from an app's grants the scopes that it no longer registers, in the transaction of that change: a scope that
 * returns after a review needs a new consent. The app's row is locked, so that no consent runs concurrently
 * (consent-form.ts).
 */
export async function trimGrantsOfApp(tx: Tx, app: OwnedApp, now: Date): Promise<void> {
  const { rows: trimmed } = await sql<{ id: string }>`update app_grant g set modified_at = ${now}, ${sql.join(
    scopesByResource.map((scopes) => sql`${scopes} = ${intersectScopes(sql`g.${scopes}`, sql`v.scopes`)}`),
  )}
    from app p join app_revision v on v.app_id = p.id
    where p.id = ${app.id} and g.app_id = p.id and g.revoked_at is null
      and (${sql.join(
        scopesByResource.map((scopes) => sql`not g.${scopes} <@ v.scopes`),
        sql` or `,
      )})
      and v.number = case when g.sandbox then coalesce(p.draft_revision, p.live_revision) else p.live_revision end
    returning g.id`.execute(tx)
  await recordGrantEvents(tx, 'grant.changed', trimmed, now)
  await publishAccessEnded(tx, accessIdOf(app))
}

/** End all invitations of an app, answered or not, and what testers have granted to its sandbox. */
export async function endTesting(tx: Tx, app: OwnedApp, now: Date): Promise<void> {
  await tx
    .updateTable('appTester')
    .set({ removedAt: now })
    .where('appId', '=', app.id)
    .where('removedAt', 'is', null)
    .execute()
  await endGrantsOfFormerTesters(tx, app, now)
}

/** Revoke the sandbox grants of accounts that are neither the owner's nor an accepted tester's. */
export async function endGrantsOfFormerTesters(tx: Tx, app: OwnedApp, now: Date): Promise<void> {
  const revoked = await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'tester_removed' })
    .where('appId', '=', app.id)
    .where('sandbox', '=', true)
    .where('revokedAt', 'is', null)
    .where('accountId', 'is distinct from', app.ownerId)
    .where('accountId', 'not in', (testers) =>
      testers
        .selectFrom('account')
        .innerJoin('appTester', 'appTester.emailKey', 'account.emailKey')
        .select('account.id')
        .where('appTester.appId', '=', app.id)
        .where('appTester.state', '=', 'accepted')
        .where('appTester.removedAt', 'is', null),
    )
    .returning('id')
    .execute()
  await recordGrantEvents(tx, 'grant.revoked', revoked, now)
  await publishAccessEnded(tx, accessIdOf(app))
}
