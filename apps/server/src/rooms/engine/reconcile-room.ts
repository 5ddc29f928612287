import type { Logger } from 'pino'
import type { Service } from '../../access/service.ts'
import { reconcileRoomJob } from '../../meetings/reconcile-room-job.ts'
import { isUuid } from '../../platform/database/uuid.ts'

import type { Database } from '../../tables/tables.ts'
import { changeAdmission } from '../admission/admission-store.ts'
import { findPermittedParticipants, type PersonInside } from '../admission/find-permitted-participants.ts'
import { findKnown } from '../attendance/attendance-record-store.ts'
import { endQuietSession, noteJoined, noteLeft } from '../attendance/room-history.ts'
import { connectionOf, isConnected } from '../attendance/room-report.ts'
import { hasRights, type MediaControl, type ParticipantInfo } from '../media-control.ts'
import { publishRoomChange } from '../room-topics.ts'

/** What an engine lists may be older than what it has just reported. */
const listIsOldMs = 10_000

export type ReconcileDependencies = Pick<Service, 'clock' | 'random' | 'config'> & {
  database: Database
  control: MediaControl
  log: Logger
}

/**
 * Has the engine's room agree with the rows, and the rows with what the engine has: whoever may not be inside is put out,
 * whoever has other rights than they should gets these, and history learns of comings and goings that were not reported.
 * Every control of a host is kept this way, whatever dies between the row and the engine.
 * @throws media_unavailable when the engine is away
 */
export async function reconcileRoom(means: ReconcileDependencies, meetingId: string): Promise<void> {
  const { control, database, clock } = means
  const listedAt = clock.now()
  const inside = (await control.listParticipants(meetingId)).filter(isPerson)
  const ids = inside.map(({ identity }) => identity).filter(isUuid)
  const allowed = await findPermittedParticipants(means, meetingId, ids, clock.now())
  if (allowed === undefined) return
  const known = await findKnown(
    database,
    inside.map(({ sid }) => sid),
  )
  for (const participant of inside) {
    const admissionId = participant.identity
    const admission = allowed.get(admissionId)
    if (admission === undefined) {
      await control.removeParticipant({ meetingId, admissionId })
      continue
    }
    await keepRole(database, admission)
    if (isConnected(participant) && !known.has(participant.sid))
      await noteJoined(means, connectionOf(meetingId, participant, listedAt), listedAt)
    const { role, hardMuted } = admission
    if (!hasRights(participant, { role, hardMuted })) {
      await control.setRights({ meetingId, admissionId, role, hardMuted })
    }
  }
  // Ids are in order of time, our own: what was noted since then may be newer than the list.
  const beforeId = means.random.uuid(new Date(listedAt.getTime() - listIsOldMs))
  await noteLeft(database, meetingId, { notAmong: inside.map(({ sid }) => sid), beforeId }, listedAt, clock.now())
  await endQuietSession(database, meetingId, clock.now())
}

/** Whoever the meeting has made a cohost, or made one no longer, since they came in. */
async function keepRole(database: Database, { id, role, hardMuted, kept }: PersonInside) {
  if (role !== kept.role || hardMuted !== kept.hardMuted) await changeAdmission(database, id, { role, hardMuted })
}

/** Recorders, agents and telephones are not among those whom we let in. */
const isPerson = ({ kind }: ParticipantInfo) => kind === 0

export const createReconcileRoomTask = (dependencies: ReconcileDependencies) =>
  reconcileRoomJob.handle(async ({ meetingId, changed }) => {
    if (changed) await publishRoomChange(dependencies.database, meetingId)
    await reconcileRoom(dependencies, meetingId)
  })
