import { Type } from 'typebox'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { findMeetingsHeld } from '../attendance/attendance-record-store.ts'
import { endQuietSession, noteLeft } from '../attendance/room-history.ts'
import type { MediaEngine } from './media-engine.ts'
import { type ReconcileDependencies, reconcileRoom } from './reconcile-room.ts'

export const reconcileRoomsJob = defineJob('look-after-rooms', Type.Unknown())

/**
 * Settles every room that the engine or the rows know of: at the start and once a minute, for what nobody reported, because
 * a process was down or a webhook was lost.
 */
export const createReconcileRoomsTask = (dependencies: ReconcileDependencies & { engine: MediaEngine }) =>
  reconcileRoomsJob.handle(async () => {
    const { engine, control, database, log } = dependencies
    const place = await engine.place()
    // The instances of its machine look after the rooms.
    if (place === 'out of reach') return
    if (place === 'none') return endAllAttendance(dependencies)
    const isBelated = (error: unknown) =>
      log.warn({ err: error }, 'a room could not be looked after; it is in a minute')
    const listed = await control.listRooms().catch(isBelated)
    // One that fails holds up no other.
    for (const meetingId of new Set([...(listed ?? []), ...(await findMeetingsHeld(database))])) {
      await reconcileRoom(dependencies, meetingId).catch(isBelated)
    }
  })

/** An engine that does not run has nobody inside. */
export async function endAllAttendance({ database, clock }: ReconcileDependencies): Promise<void> {
  for (const meetingId of await findMeetingsHeld(database)) {
    await noteLeft(database, meetingId, 'all', clock.now(), clock.now())
    await endQuietSession(database, meetingId, clock.now())
  }
}
