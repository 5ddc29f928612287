import { endAppTokens } from '../access/credentials/access-token-store.ts'
import { deletePersonalTokens } from '../access/credentials/personal-token-store.ts'
import { deleteSessions } from '../access/credentials/session-store.ts'
import type { Tx } from '../platform/database/database.ts'
import { queueReconcileRoomsOfAccount } from './account/reconcile-rooms-job.ts'

/** End all access of a disabled account, and disconnect it from its rooms. Enabling the account does not restore it. */
export async function endAccess(tx: Tx, accountId: string, now: Date) {
  await queueReconcileRoomsOfAccount(tx, accountId)
  await deleteSessions(tx, accountId)
  await deletePersonalTokens(tx, accountId)
  await endAppTokens(tx, accountId, now)
  await tx.deleteFrom('mailedLink').where('accountId', '=', accountId).execute()
}
