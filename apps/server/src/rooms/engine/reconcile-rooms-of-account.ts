import { reconcileRoomsOfAccountJob } from '../../accounts/account/reconcile-rooms-job.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { ReconcileDependencies } from './reconcile-room.ts'

/**
 * Reconcile the rooms of an account that was disabled or has revoked an app's access: the account, or the app acting
 * for it, may no longer be inside. Includes the account's own room, which may have lost its owner.
 */
export const createReconcileRoomsOfAccountTask = ({ database }: ReconcileDependencies) =>
  reconcileRoomsOfAccountJob.handle(({ accountId }) =>
    inTransaction(database, async (tx) => {
      const inside = await tx
        .selectFrom('admission')
        .select('meetingId')
        .where('accountId', '=', accountId)
        .where('state', '=', 'admitted')
        .where('leftAt', 'is', null)
        .execute()
      const { roomId } = await tx
        .selectFrom('account')
        .select('roomId')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow()
      for (const id of new Set([roomId, ...inside.map(({ meetingId }) => meetingId)])) await queueReconcileRoom(tx, id)
    }),
  )
