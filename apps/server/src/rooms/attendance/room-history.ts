import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'
import { publishEntryChange, publishRoomChange } from '../room-topics.ts'
import {
  type Connection,
  type Ended,
  type EndedAttendance,
  endAttendance,
  endSession,
  enterAdmission,
  findKnown,
  insertAttendance,
  leaveAdmissions,
  lockRoomOf,
  noteWasInside,
  openSession,
  shutOwnRoom,
} from './attendance-record-store.ts'

/** A session goes on while somebody reloads their page, or an engine that died starts again. */
const sessionLingersMs = 30_000

type Dependencies = { database: Database; random: Service['random'] }

/** Somebody has come. A report that comes twice, or after that of their leaving, changes nothing. */
export const noteJoined = ({ database, random }: Dependencies, connection: Connection, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    const { meetingId, admissionId, participantSid } = connection
    await lockRoomOf(tx, meetingId)
    if ((await findKnown(tx, [participantSid])).size > 0) return
    const sessionId = await openSession(tx, random.uuid(now), meetingId, connection.joinedAt)
    const role = await insertAttendance(tx, { ...connection, id: random.uuid(now), sessionId, leftAt: null })
    if (role === undefined) return
    await enterAdmission(tx, admissionId, now)
    await publishEntryChange(tx, meetingId)
    if (role !== 'participant') await publishRoomChange(tx, meetingId)
  })

/** Somebody has left of whose coming nobody has told: they were there all the same. */
export const noteWasThere = ({ database, random }: Dependencies, connection: Connection, leftAt: Date, now: Date) =>
  inTransaction(database, async (tx) => {
    await lockRoomOf(tx, connection.meetingId)
    if ((await findKnown(tx, [connection.participantSid])).size > 0) return
    const sessionId = await openSession(tx, random.uuid(now), connection.meetingId, connection.joinedAt)
    await insertAttendance(tx, { ...connection, id: random.uuid(now), sessionId, leftAt })
    await noteWasInside(tx, connection, leftAt)
  })

/** These have left; tells how many did. */
export const noteLeft = (database: Database, meetingId: string, which: Ended, leftAt: Date, now: Date) =>
  inTransaction(database, async (tx) => {
    await lockRoomOf(tx, meetingId)
    const ended = await endAttendance(tx, meetingId, which, leftAt)
    await noteGone(tx, meetingId, ended, now)
    return ended.length
  })

async function noteGone(tx: Tx, meetingId: string, ended: readonly EndedAttendance[], now: Date) {
  if (ended.length === 0) return
  await leaveAdmissions(
    tx,
    ended.map(({ admissionId }) => admissionId),
    now,
  )
  await publishEntryChange(tx, meetingId)
  if (ended.some(({ role }) => role !== 'participant')) await publishRoomChange(tx, meetingId)
}

/** A host ends what goes on: everybody is out from now on, and what was locked is open for the next time. */
export async function endEverything(tx: Tx, meetingId: string, now: Date): Promise<void> {
  await noteGone(tx, meetingId, await endAttendance(tx, meetingId, 'all', now), now)
  await endSession(tx, meetingId, new Date(8.64e15))
}

/** Ends the session of a meeting that everybody has left for good. Its lock ends with it, or nobody could come again. */
export const endQuietSession = (database: Database, meetingId: string, now: Date): Promise<void> =>
  inTransaction(database, async (tx) => {
    await lockRoomOf(tx, meetingId)
    if (!(await endSession(tx, meetingId, new Date(now.getTime() - sessionLingersMs)))) return
    await tx.updateTable('room').set({ lockedAt: null }).where('meetingId', '=', meetingId).execute()
    await shutOwnRoom(tx, meetingId)
    await publishRoomChange(tx, meetingId)
  })

/** Somebody is put out: they are not inside any more, whatever the engine knows by now. */
export async function noteRemoved(tx: Tx, meetingId: string, admissionId: string, now: Date): Promise<void> {
  await noteGone(tx, meetingId, await endAttendance(tx, meetingId, { admissionId }, now), now)
}
