import type { ParticipantInfo_State } from '@livekit/protocol'
import { recordCall } from '../accounts/account/tenant-store.ts'
import { recordMeetingEvent } from '../event-log/record-event.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import {
  type AttendanceFilter,
  type Connection,
  type EndedAttendance,
  endAttendance,
  endSession,
  findRecorded,
  insertAttendance,
  isInside,
  markInside,
  markOutside,
  markWasInside,
  openSession,
  resetOwnRoomAdmissions,
} from './attendance-store.ts'
import type { Dependencies } from './dependencies.ts'
import type { ParticipantInfo } from './engine/media-control.ts'
import { recordParticipantEvents } from './participant-events.ts'
import { lockRoomRow, resetCall, unlockRoom } from './room-store.ts'
import { publishRoomChange, publishWaitingRoomChange } from './room-topics.ts'
import { callStartJob } from './starting.ts'

/** A session survives a page reload and a restart of the media engine. */
const sessionLingersMs = 30_000

/**
 * Record that a participant joined. A report that is repeated, or arrives after the report of leaving, changes nothing.
 */
export const recordJoin = (
  { database, random }: Pick<Dependencies, 'database' | 'random'>,
  connection: Connection,
  now: Date,
): Promise<void> =>
  inTransaction(database, async (tx) => {
    const { meetingId, admissionId, participantSid } = connection
    await lockRoomRow(tx, meetingId)
    if ((await findRecorded(tx, [participantSid])).size > 0) return
    const wasInside = await isInside(tx, admissionId)
    const sessionId = await startSession(tx, random.uuid(now), connection, now)
    const role = await insertAttendance(tx, { ...connection, id: random.uuid(now), sessionId, leftAt: null })
    if (role === undefined) return
    await markInside(tx, admissionId, now)
    if (!wasInside) await recordParticipantEvents(tx, 'participant.joined', [admissionId], null, now)
    await publishWaitingRoomChange(tx, meetingId)
    if (role !== 'participant') await publishRoomChange(tx, meetingId)
  })

/** Find the session of a meeting, or start it. @returns its id */
async function startSession(
  tx: Tx,
  newId: string,
  { meetingId, admissionId, joinedAt }: Connection,
  now: Date,
): Promise<string> {
  const { id, isNew } = await openSession(tx, newId, meetingId, joinedAt)
  if (isNew) {
    await recordMeetingEvent(tx, { type: 'meeting.started', meetingId, more: {}, actingGrantId: null, now })
    await recordCall(tx, meetingId, now)
    await callStartJob.queue(tx, { admissionId })
  }
  return id
}

/** Record the attendance of a participant who left and whose joining was not reported. */
export const recordPastAttendance = (
  { database, random }: Pick<Dependencies, 'database' | 'random'>,
  connection: Connection,
  leftAt: Date,
  now: Date,
) =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, connection.meetingId)
    if ((await findRecorded(tx, [connection.participantSid])).size > 0) return
    const { admissionId } = connection
    const wasInside = await isInside(tx, admissionId)
    const sessionId = await startSession(tx, random.uuid(now), connection, now)
    const role = await insertAttendance(tx, { ...connection, id: random.uuid(now), sessionId, leftAt })
    if (role === undefined || wasInside) return
    await markWasInside(tx, connection, leftAt)
    await recordParticipantEvents(tx, 'participant.joined', [admissionId], null, now)
    await recordParticipantEvents(tx, 'participant.left', [admissionId], null, now)
  })

/** Record that participants left. Return how many attendances ended. */
export const recordLeave = (database: Database, meetingId: string, which: AttendanceFilter, leftAt: Date, now: Date) =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    const ended = await endAttendance(tx, meetingId, which, leftAt)
    await updateAfterLeaving(tx, meetingId, ended, now)
    return ended.length
  })

async function updateAfterLeaving(tx: Tx, meetingId: string, ended: readonly EndedAttendance[], now: Date) {
  if (ended.length === 0) return
  const left = await markOutside(
    tx,
    ended.map(({ admissionId }) => admissionId),
    now,
  )
  await recordParticipantEvents(tx, 'participant.left', left, null, now)
  await publishWaitingRoomChange(tx, meetingId)
  if (ended.some(({ role }) => role !== 'participant')) await publishRoomChange(tx, meetingId)
}

/**
 * End all attendance and the session of a meeting at once.
 * @param actingGrantId the grant by which an app ends it; null if a person does
 */
export async function endSessionNow(tx: Tx, meetingId: string, actingGrantId: string | null, now: Date): Promise<void> {
  await updateAfterLeaving(tx, meetingId, await endAttendance(tx, meetingId, 'all', now), now)
  const hasEnded = await endSession(tx, meetingId, new Date(8.64e15))
  await resetCall(tx, meetingId)
  if (hasEnded) await recordMeetingEvent(tx, { type: 'meeting.ended', meetingId, more: {}, actingGrantId, now })
}

/** End the session of an empty room. Its lock ends too, because no host is inside to unlock it. */
export const endQuietSession = (database: Database, meetingId: string, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    if (!(await endSession(tx, meetingId, new Date(now.getTime() - sessionLingersMs)))) return
    await recordMeetingEvent(tx, { type: 'meeting.ended', meetingId, more: {}, actingGrantId: null, now })
    await unlockRoom(tx, meetingId)
    await resetCall(tx, meetingId)
    await resetOwnRoomAdmissions(tx, meetingId)
    await publishRoomChange(tx, meetingId)
  })

/** Record that a host removed a participant, before the media engine reports it. */
export async function recordRemoval(tx: Tx, meetingId: string, admissionId: string, now: Date): Promise<void> {
  await updateAfterLeaving(tx, meetingId, await endAttendance(tx, meetingId, { admissionId }, now), now)
}

/** LiveKit's number (livekit_models.proto): the package that holds it is loaded with the first call only. */
export const activeState = 2 satisfies ParticipantInfo_State.ACTIVE

/** Whether media flows. In the states before, the participant is still joining. */
export const isConnected = ({ state }: ParticipantInfo) => state === activeState

/**
 * The connection of a participant as attendance stores it. `joinedAt` is at most `now`, even if the engine's clock is
 * ahead.
 */
export const connectionOf = (meetingId: string, participant: ParticipantInfo, now: Date): Connection => ({
  meetingId,
  admissionId: participant.identity,
  participantSid: participant.sid,
  joinedAt: notAfter(now, Number(participant.joinedAtMs) || Number(participant.joinedAt) * 1000),
})

/** The time `ms` (Unix milliseconds, 0 if unknown), but at most `now`. */
export const notAfter = (now: Date, ms: number): Date => (ms > 0 && ms < now.getTime() ? new Date(ms) : now)
