import type { Tx } from '../../platform/database/database.ts'
import type { AccountRow } from './account-store.ts'

/** Set a password and delete the account's links to reset it. */
export async function setPassword(tx: Tx, accountId: string, passwordHash: string, now: Date): Promise<void> {
  await tx
    .updateTable('account')
    .set({ passwordHash, passwordChangedAt: now, modifiedAt: now })
    .where('id', '=', accountId)
    .execute()
  await tx.deleteFrom('mailedLink').where('accountId', '=', accountId).where('purpose', '=', 'reset-password').execute()
}

/** Whether an account still has the password that it had when it was read before. */
export const hasSamePassword = (current: AccountRow, before: AccountRow): boolean =>
  current.passwordChangedAt?.getTime() === before.passwordChangedAt?.getTime()
