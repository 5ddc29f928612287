import type { Tx } from '../../migrations/tables.ts'
import { endAppTokens } from '../access/access-token-store.ts'
import { deletePersonalTokens } from '../access/personal-token-store.ts'
import { deleteSessions } from '../access/session-store.ts'
import { queueLeaveRooms } from './leave-rooms-job.ts'

/** End whatever opens an account that is disabled, and put it out of its calls. None of it comes back. */
export async function endAccess(tx: Tx, accountId: string, now: Date) {
  await queueLeaveRooms(tx, accountId)
  await deleteSessions(tx, accountId)
  await deletePersonalTokens(tx, accountId)
  await endAppTokens(tx, accountId, now)
  await tx.deleteFrom('mailedLink').where('accountId', '=', accountId).execute()
}
