import type { Tx } from '../../migrations/tables.ts'

/** Every look-up of a token asks its grant: from commit on they are refused, on every instance (oauth.md 3.7). */
export const endGrantsOfApp = (tx: Tx, appId: string, now: Date) =>
  tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'app_deleted' })
    .where('appId', '=', appId)
    .where('revokedAt', 'is', null)
    .execute()

/** Sandbox grants of whoever is neither the owner nor a tester any more. */
export const endGrantsOfFormerTesters = (tx: Tx, app: { id: string; ownerId: string }, now: Date) =>
  tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'tester_removed' })
    .where('appId', '=', app.id)
    .where('sandbox', '=', true)
    .where('revokedAt', 'is', null)
    .where('accountId', '!=', app.ownerId)
    .where('accountId', 'not in', (testers) =>
      testers
        .selectFrom('account')
        .innerJoin('appTester', 'appTester.emailKey', 'account.emailKey')
        .select('account.id')
        .where('appTester.appId', '=', app.id),
    )
    .execute()
