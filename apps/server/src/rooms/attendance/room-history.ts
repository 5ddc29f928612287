import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { publishEntryChange, publishRoomChange } from '../room-topics.ts'
import {
  type AttendanceFilter,
  type Connection,
  type EndedAttendance,
  endAttendance,
  endSession,
  findRecorded,
  insertAttendance,
  lockRoomRow,
  markInside,
  markOutside,
  markWasInside,
  openSession,
  resetOwnRoomAdmissions,
} from './attendance-record-store.ts'

/** A session survives a page reload and a restart of the media engine. */
const sessionLingersMs = 30_000

type Dependencies = { database: Database; random: Service['random'] }

/**
 * Record that a participant joined. A report that is repeated, or arrives after the one of leaving, changes nothing.
 */
export const recordJoin = ({ database, random }: Dependencies, connection: Connection, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    const { meetingId, admissionId, participantSid } = connection
    await lockRoomRow(tx, meetingId)
    if ((await findRecorded(tx, [participantSid])).size > 0) return
    const sessionId = await openSession(tx, random.uuid(now), meetingId, connection.joinedAt)
    const role = await insertAttendance(tx, { ...connection, id: random.uuid(now), sessionId, leftAt: null })
    if (role === undefined) return
    await markInside(tx, admissionId, now)
    await publishEntryChange(tx, meetingId)
    if (role !== 'participant') await publishRoomChange(tx, meetingId)
  })

/** Record the attendance of a participant who left and whose joining was not reported. */
export const recordPastAttendance = (
  { database, random }: Dependencies,
  connection: Connection,
  leftAt: Date,
  now: Date,
) =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, connection.meetingId)
    if ((await findRecorded(tx, [connection.participantSid])).size > 0) return
    const sessionId = await openSession(tx, random.uuid(now), connection.meetingId, connection.joinedAt)
    await insertAttendance(tx, { ...connection, id: random.uuid(now), sessionId, leftAt })
    await markWasInside(tx, connection, leftAt)
  })

/** Record that participants left. Returns how many attendances ended. */
export const recordLeave = (database: Database, meetingId: string, which: AttendanceFilter, leftAt: Date, now: Date) =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    const ended = await endAttendance(tx, meetingId, which, leftAt)
    await updateAfterLeaving(tx, meetingId, ended, now)
    return ended.length
  })

async function updateAfterLeaving(tx: Tx, meetingId: string, ended: readonly EndedAttendance[], now: Date) {
  if (ended.length === 0) return
  await markOutside(
    tx,
    ended.map(({ admissionId }) => admissionId),
    now,
  )
  await publishEntryChange(tx, meetingId)
  if (ended.some(({ role }) => role !== 'participant')) await publishRoomChange(tx, meetingId)
}

/** End all attendance and the session of a meeting at once. */
export async function endSessionNow(tx: Tx, meetingId: string, now: Date): Promise<void> {
  await updateAfterLeaving(tx, meetingId, await endAttendance(tx, meetingId, 'all', now), now)
  await endSession(tx, meetingId, new Date(8.64e15))
}

/** End the session of an empty room. Its lock ends too, because no host is inside to unlock it. */
export const endQuietSession = (database: Database, meetingId: string, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    await lockRoomRow(tx, meetingId)
    if (!(await endSession(tx, meetingId, new Date(now.getTime() - sessionLingersMs)))) return
    await tx.updateTable('room').set({ lockedAt: null }).where('meetingId', '=', meetingId).execute()
    await resetOwnRoomAdmissions(tx, meetingId)
    await publishRoomChange(tx, meetingId)
  })

/** Record that a host removed a participant, before the media engine reports it. */
export async function recordRemoval(tx: Tx, meetingId: string, admissionId: string, now: Date): Promise<void> {
  await updateAfterLeaving(tx, meetingId, await endAttendance(tx, meetingId, { admissionId }, now), now)
}
