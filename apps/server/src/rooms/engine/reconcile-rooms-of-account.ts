import { reconcileRoomsOfAccountJob } from '../../accounts/account/reconcile-rooms-job.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { ReconcileDependencies } from './reconcile-room.ts'

/**
 * An account that was switched off, or has taken an app's right away, is out of the rooms that it, or the app for it, may not
 * be in any more; its own room is settled, too, since whoever is inside has lost its owner.
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
