import type { RoomRole } from '@parley/contract'
import { sql } from 'kysely'
import { statement } from '../../platform/database/database.ts'
import type { Database, Tx } from '../../tables/tables.ts'

/** One connection of somebody to a room, as the engine tells of it. */
export type Connection = {
  meetingId: string
  admissionId: string
  /** The engine's own id of this one connection: somebody who comes again has another. */
  participantSid: string
  joinedAt: Date
}

/** Nobody else writes the sessions and stays of this meeting until the commit. */
export async function lockRoomOf(tx: Tx, meetingId: string): Promise<void> {
  await tx
    .insertInto('room')
    .values({ meetingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('room').select('meetingId').where('meetingId', '=', meetingId).forUpdate().execute()
}

const openSessionStatement = statement<{ id: string }>(
  'open-room-session',
  `insert into room_session as s (id, meeting_id, started_at) values ($1, $2, $3)
   on conflict (meeting_id) where ended_at is null do update set started_at = least(s.started_at, excluded.started_at)
   returning id`,
)

/** The session that goes on, or a new one; it began at the latest when this person came. */
export async function openSession(tx: Tx, id: string, meetingId: string, joinedAt: Date): Promise<string> {
  const [session] = await openSessionStatement(tx, [id, meetingId, joinedAt])
  if (session === undefined) throw new Error('An upsert answers its row')
  return session.id
}

export type NewAttendance = Connection & { id: string; sessionId: string; leftAt: Date | null }

const insertAttendanceStatement = statement<{ role: RoomRole }>(
  'insert-room-stay',
  `insert into room_stay (id, session_id, meeting_id, admission_id, account_id, name, role, participant_sid,
     joined_at, left_at)
   select $1, $2, a.meeting_id, a.id, a.account_id, a.name, a.role, $4, $5, $6 from admission a where a.id = $3
   on conflict (participant_sid) do nothing
   returning role`,
)

/** Whether it is new, and the role of whoever came. */
export async function insertAttendance(tx: Tx, stay: NewAttendance): Promise<RoomRole | undefined> {
  const { id, sessionId, admissionId, participantSid, joinedAt, leftAt } = stay
  const values = [id, sessionId, admissionId, participantSid, joinedAt, leftAt]
  const [inserted] = await insertAttendanceStatement(tx, values)
  return inserted?.role
}

/** Of these connections, those that history knows. */
export async function findKnown(database: Database, participantSids: readonly string[]): Promise<Set<string>> {
  if (participantSids.length === 0) return new Set()
  const rows = await database
    .selectFrom('roomStay')
    .select('participantSid')
    .where('participantSid', 'in', [...participantSids])
    .execute()
  return new Set(rows.map(({ participantSid }) => participantSid))
}

/** Which stays of a meeting have ended. */
export type Ended =
  | { participantSid: string }
  | { admissionId: string }
  | { notAmong: readonly string[]; beforeId: string }
  | 'all'

export type EndedAttendance = { admissionId: string; role: RoomRole }

/** Ends stays that go on. Nobody leaves before they came. */
export function endAttendance(tx: Tx, meetingId: string, which: Ended, leftAt: Date): Promise<EndedAttendance[]> {
  let update = tx
    .updateTable('roomStay')
    .set({ leftAt: sql<Date>`greatest(joined_at, ${leftAt}::timestamptz)` })
    .where('meetingId', '=', meetingId)
    .where('leftAt', 'is', null)
  if (which !== 'all') {
    if ('participantSid' in which) update = update.where('participantSid', '=', which.participantSid)
    else if ('admissionId' in which) update = update.where('admissionId', '=', which.admissionId)
    else {
      update = update
        .where('id', '<', which.beforeId)
        .where(sql<boolean>`participant_sid <> all (${[...which.notAmong]}::text[])`)
    }
  }
  return update.returning(['admissionId', 'role']).execute()
}

/** Whoever has come is inside, at the service's own time: that of the engine may be another. */
export const enterAdmission = (tx: Tx, admissionId: string, now: Date) =>
  tx.updateTable('admission').set({ enteredAt: now, leftAt: null }).where('id', '=', admissionId).execute()

/** Whoever was there and has left by the time that it is told. */
export const noteWasInside = (tx: Tx, { admissionId, joinedAt }: Connection, leftAt: Date) =>
  tx
    .updateTable('admission')
    .set({ enteredAt: joinedAt, leftAt })
    .where('id', '=', admissionId)
    .where('enteredAt', 'is', null)
    .execute()

/** Of these, whoever has no connection left is out. */
export const leaveAdmissions = (tx: Tx, admissionIds: readonly string[], now: Date) =>
  tx
    .updateTable('admission')
    .set({ leftAt: now })
    .where('id', 'in', [...admissionIds])
    .where('enteredAt', 'is not', null)
    .where('leftAt', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('roomStay')
            .select('roomStay.id')
            .whereRef('roomStay.admissionId', '=', 'admission.id')
            .where('roomStay.leftAt', 'is', null),
        ),
      ),
    )
    .execute()

const endSessionStatement = statement<{ id: string }>(
  'end-room-session',
  `update room_session s set ended_at = coalesce(
     (select max(left_at) from room_stay where session_id = s.id), s.started_at)
   where meeting_id = $1 and ended_at is null
     and not exists (select from room_stay where session_id = s.id and (left_at is null or left_at >= $2))
   returning id`,
)

/** Ends the session of a meeting in which nobody has been since `since`, when the last one left; tells whether it did. */
export const endSession = async (tx: Tx, meetingId: string, since: Date): Promise<boolean> =>
  (await endSessionStatement(tx, [meetingId, since])).length > 0

/**
 * Whoever was let into somebody's own room was let in for what is over now, and knocks again: of a room that is always open
 * there is no other date. Of a meeting's room nothing is changed.
 */
export const shutOwnRoom = (tx: Tx, roomId: string) =>
  tx
    .updateTable('admission')
    .set({ state: 'waiting_for_host', grantedRole: null })
    .where('meetingId', '=', roomId)
    .where('state', '=', 'admitted')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('account').select('account.id').where('account.roomId', '=', roomId)),
    )
    .execute()

/** Meetings that are being held, as far as the rows know. */
export async function findMeetingsHeld(database: Database): Promise<string[]> {
  const sessions = await database.selectFrom('roomSession').select('meetingId').where('endedAt', 'is', null).execute()
  return sessions.map(({ meetingId }) => meetingId)
}
