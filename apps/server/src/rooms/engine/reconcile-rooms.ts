import { Type } from 'typebox'
import { audit } from '../../access/audit.ts'
import { reconcileRoomsOfAccountJob } from '../../accounts/end-access.ts'
import { type EndedCall, queueReconcileRoom, reconcileRoomJob } from '../../meetings/reconcile-room-job.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { listDatesInCall, updateAdmission } from '../admission/admission-store.ts'
import { findMeetingForEntryById, isDateCancelled } from '../admission/meeting-for-entry.ts'
import { findPermittedParticipants, type PermittedParticipant } from '../admission/permitted-participants.ts'
import { findRecorded, listMeetingsHeld } from '../attendance-store.ts'
import type { ReceivedDependencies } from '../dependencies.ts'
import {
  connectionOf,
  endQuietSession,
  endSessionNow,
  isConnected,
  recordJoin,
  recordLeave,
} from '../record-attendance.ts'
import { lockRoomRow } from '../room-store.ts'
import { publishRoomChange } from '../room-topics.ts'
import { correctRights } from './correct-rights.ts'
import type { MediaControl, ParticipantInfo } from './media-control.ts'
import type { MediaEngine } from './media-engine.ts'

/** The engine's list may be older than its latest webhook events. */
const listIsOldMs = 10_000

export type ReconcileDependencies = Pick<ReceivedDependencies, 'clock' | 'random' | 'config' | 'database' | 'log'> & {
  control: MediaControl
}

/**
 * Reconcile the engine's room with the database: disconnect participants who may not be inside, correct the rights of
 * the others, and record joins and leaves that were not reported. Host controls thereby hold even if a process dies
 * between the commit and the call to the engine.
 * @throws media_unavailable if the engine cannot be reached
 */
async function reconcileRoom(dependencies: ReconcileDependencies, meetingId: string): Promise<void> {
  const { control, database, clock } = dependencies
  const listedAt = clock.now()
  const inside = (await control.listParticipants(meetingId)).filter(isPerson)
  const ids = inside.map(({ identity }) => identity).filter(isUuid)
  const permitted = await findPermittedParticipants(dependencies, meetingId, ids, clock.now())
  if (permitted === undefined) return
  const known = await findRecorded(
    database,
    inside.map(({ sid }) => sid),
  )
  for (const participant of inside) {
    const admissionId = participant.identity
    const admission = permitted.get(admissionId)
    if (admission === undefined) {
      await control.removeParticipant({ meetingId, admissionId })
      continue
    }
    await updateRole(database, admission)
    if (isConnected(participant) && !known.has(participant.sid))
      await recordJoin(dependencies, connectionOf(meetingId, participant, listedAt), listedAt)
    await correctRights(control, meetingId, participant, admission)
  }
  // UUIDv7 ids are ordered by time: attendance that was recorded since then may be newer than the list.
  const beforeId = dependencies.random.uuid(new Date(listedAt.getTime() - listIsOldMs))
  await recordLeave(database, meetingId, { notAmong: inside.map(({ sid }) => sid), beforeId }, listedAt, clock.now())
  await endQuietSession(database, meetingId, clock.now())
}

/** Store a role that an update of the meeting has changed since the person entered. */
async function updateRole(database: Database, { id, role, storedRole }: PermittedParticipant) {
  if (role !== storedRole) await updateAdmission(database, id, { role })
}

/** LiveKit's recorders, agents and SIP participants have no admissions. */
const isPerson = ({ kind }: ParticipantInfo) => kind === 0

/**
 * End the call that was in progress when its date was cancelled. The room itself is not ended: once the cancellation is
 * undone, people enter as before. A call of another date, or one that began later, stays.
 */
const endCancelledCall = (
  { database, clock, random }: ReconcileDependencies,
  meetingId: string,
  { at, actorId, actingGrantId, address }: EndedCall,
): Promise<void> =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    const meeting = await findMeetingForEntryById(tx, meetingId)
    const dates = await listDatesInCall(tx, meetingId, new Date(at))
    if (meeting === undefined || !dates.some((date) => isDateCancelled(meeting, date))) return
    const now = clock.now()
    await endSessionNow(tx, meetingId, actingGrantId, now)
    await audit(tx, random, now, {
      tenantId: meeting.host.tenantId,
      actorId,
      subjectId: null,
      action: 'room.ended',
      detail: { meetingId },
      address,
    })
  })

export const createReconcileRoomTask = (dependencies: ReconcileDependencies) =>
  reconcileRoomJob.handle(async ({ meetingId, changed, endedCall }) => {
    if (endedCall) await endCancelledCall(dependencies, meetingId, endedCall)
    if (changed) await publishRoomChange(dependencies.database, meetingId)
    await reconcileRoom(dependencies, meetingId)
  })

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
    for (const meetingId of new Set([...(listed ?? []), ...(await listMeetingsHeld(database))])) {
      await reconcileRoom(dependencies, meetingId).catch(logFailure)
    }
  })

/** End all attendance and sessions: an engine that does not run has no participants. */
export async function endAllAttendance({ database, clock }: ReconcileDependencies): Promise<void> {
  for (const meetingId of await listMeetingsHeld(database)) {
    await recordLeave(database, meetingId, 'all', clock.now(), clock.now())
    await endQuietSession(database, meetingId, clock.now())
  }
}

/**
 * Reconcile the rooms of an account that was disabled or has revoked an app's access: the account, or the app acting
 * for it, may no longer be inside. Include the account's own room, which may have lost its owner.
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
