import type { OnAccessRevoked } from '../../accounts/dependencies.ts'
import { recordGrantEvents } from '../../event-log/record-event.ts'

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
