import { Type } from 'typebox'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { findMeetingsHeld } from '../attendance/attendance-record-store.ts'
import { endQuietSession, recordLeave } from '../attendance/room-history.ts'
import type { MediaEngine } from './media-engine.ts'
import { type ReconcileDependencies, reconcileRoom } from './reconcile-room.ts'

export const reconcileRoomsJob = defineJob('reconcile-rooms', Type.Unknown())

/**
 * Reconcile every room that the engine lists or that has a running session, at the start and once a minute: a process
 * may have been down, or a webhook event lost.
 */
export const createReconcileRoomsTask = (dependencies: ReconcileDependencies & { engine: MediaEngine }) =>
  reconcileRoomsJob.handle(async () => {
    const { engine, control, database, log } = dependencies
    const status = await engine.status()
    // The instances on the engine's machine reconcile its rooms.
    if (status === 'out of reach') return
    if (status === 'none') return endAllAttendance(dependencies)
    const logFailure = (error: unknown) =>
      log.warn({ err: error }, 'a room could not be reconciled; the next try is in a minute')
    const listed = await control.listRooms().catch(logFailure)
    // A room that fails does not stop the others.
    for (const meetingId of new Set([...(listed ?? []), ...(await findMeetingsHeld(database))])) {
      await reconcileRoom(dependencies, meetingId).catch(logFailure)
    }
  })

/** End all attendance and sessions: an engine that does not run has no participants. */
export async function endAllAttendance({ database, clock }: ReconcileDependencies): Promise<void> {
  for (const meetingId of await findMeetingsHeld(database)) {
    await recordLeave(database, meetingId, 'all', clock.now(), clock.now())
    await endQuietSession(database, meetingId, clock.now())
  }
}
