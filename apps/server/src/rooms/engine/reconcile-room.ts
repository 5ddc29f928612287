import type { Logger } from 'pino'
import { audit } from '../../access/audit.ts'
import type { Service } from '../../access/service.ts'
import { type EndedCall, reconcileRoomJob } from '../../meetings/reconcile-room-job.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { changeAdmission, findDatesInCall } from '../admission/admission-store.ts'
import { isDateCancelled } from '../admission/entry-view.ts'
import { findMeetingForEntryById } from '../admission/find-meeting-for-entry.ts'
import { findPermittedParticipants, type PermittedParticipant } from '../admission/find-permitted-participants.ts'
import { findRecorded, lockRoomRow } from '../attendance/attendance-record-store.ts'
import { endQuietSession, endSessionNow, recordJoin, recordLeave } from '../attendance/room-history.ts'
import { connectionOf, isConnected } from '../attendance/room-report.ts'
import { hasRights, type MediaControl, type ParticipantInfo } from '../media-control.ts'
import { publishRoomChange } from '../room-topics.ts'

/** The engine's list may be older than its latest webhook events. */
const listIsOldMs = 10_000

export type ReconcileDependencies = Pick<Service, 'clock' | 'random' | 'config'> & {
  database: Database
  control: MediaControl
  log: Logger
}

/**
 * Reconcile the engine's room with the database: disconnect participants who may not be inside, correct the rights of
 * the others, and record joins and leaves that were not reported. Host controls thereby hold even if a process dies
 * between the commit and the call to the engine.
 * @throws media_unavailable if the engine cannot be reached
 */
export async function reconcileRoom(dependencies: ReconcileDependencies, meetingId: string): Promise<void> {
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
    const { role, hardMuted, kept } = admission
    const rights = { role, hardMuted, guest: kept.accountId === null }
    if (!hasRights(participant, rights)) {
      await control.setRights({ meetingId, admissionId, ...rights })
    }
  }
  // UUIDv7 ids are ordered by time: attendance that was recorded since then may be newer than the list.
  const beforeId = dependencies.random.uuid(new Date(listedAt.getTime() - listIsOldMs))
  await recordLeave(database, meetingId, { notAmong: inside.map(({ sid }) => sid), beforeId }, listedAt, clock.now())
  await endQuietSession(database, meetingId, clock.now())
}

/** Store a role that an update of the meeting has changed since the person entered. */
async function updateRole(database: Database, { id, role, hardMuted, kept }: PermittedParticipant) {
  if (role !== kept.role || hardMuted !== kept.hardMuted) await changeAdmission(database, id, { role, hardMuted })
}

/** LiveKit's recorders, agents and SIP participants have no admissions. */
const isPerson = ({ kind }: ParticipantInfo) => kind === 0

/**
 * End the call that was in progress when its date was cancelled. The room itself is not ended: once the cancellation is
 * undone, people enter as before. Changes nothing when the call is that of another date, or began later.
 */
const endCancelledCall = (
  { database, clock, random }: ReconcileDependencies,
  meetingId: string,
  { at, actorId, actingGrantId, address }: EndedCall,
): Promise<void> =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    const row = await findMeetingForEntryById(tx, meetingId)
    const dates = await findDatesInCall(tx, meetingId, new Date(at))
    if (row === undefined || !dates.some((date) => isDateCancelled(row, date))) return
    const now = clock.now()
    await endSessionNow(tx, meetingId, actingGrantId, now)
    await audit(tx, random, now, {
      tenantId: row.host.tenantId,
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
