import type { AccessEnding } from '../../accounts/accounts-service.ts'

/**
 * Take back every consent of an account, and forget the requests of apps for which somebody has signed in: another person
 * may have given them. Whoever owns the account is asked anew.
 */
export const endGrantsOfAccount: AccessEnding = async (tx, { id: accountId }, now) => {
  await tx
    .updateTable('appGrant')
    .set({ revokedAt: now, revokedBecause: 'owner_claimed' })
    .where('accountId', '=', accountId)
    .where('revokedAt', 'is', null)
    .execute()
  await tx.deleteFrom('authorizationRequest').where('accountId', '=', accountId).execute()
}
