import type { Tx } from '../../tables/tables.ts'

/** Sets a password and makes every link that was mailed for the old one worthless. */
export async function setPassword(tx: Tx, accountId: string, passwordHash: string, now: Date): Promise<void> {
  await tx
    .updateTable('account')
    .set({ passwordHash, passwordChangedAt: now, modifiedAt: now })
    .where('id', '=', accountId)
    .execute()
  await tx.deleteFrom('mailedLink').where('accountId', '=', accountId).where('purpose', '=', 'reset-password').execute()
}
