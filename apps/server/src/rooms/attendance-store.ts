import type { RoomRole } from '@parley/contract'
import { sql } from 'kysely'
import { retentionCutoff } from '../platform/config/config-retention.ts'
import type { Cursor } from '../platform/database/cursor.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { defineStatement, type Parameter, type RowOf } from '../platform/database/define-statement.ts'
import { pick, tables, typed } from '../platform/database/tables.ts'

/** Maximum of rows of one session in a list; the export has all rows. */
const maxAttendanceRows = 2_000

type SessionRow = { id: string; startedAt: Date; endedAt: Date | null }

/** Find sessions of a meeting, newest first, after a cursor. */
export const findSessions = (
  database: Database,
  meetingId: string,
  { after, limit }: { after: Cursor | undefined; limit: number },
): Promise<SessionRow[]> =>
  database
    .selectFrom('roomSession')
    .select(['id', 'startedAt', 'endedAt'])
    .where('meetingId', '=', meetingId)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('startedAt', 'id'), '<', tuple(after?.at ?? new Date(0), after?.id ?? '')),
      ),
    )
    .orderBy('startedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type AttendanceRow = RowOf<typeof attendanceTypes>

const attendanceTypes = {
  id: 'uuid',
  sessionId: 'uuid',
  name: 'text',
  /** Null for a guest, and for an address that the caller may not see. */
  email: 'text?',
  role: typed<RoomRole>('text'),
  joinedAt: 'timestamptz',
  leftAt: 'timestamptz?',
} as const

const columns = (p: { namesEveryAddress: Parameter }) => sql`s.id, s.session_id, s.name, s.role, s.joined_at, s.left_at,
  case when ${p.namesEveryAddress} or c.email_verified_at is not null then c.email end as email`

const findOfSessionsStatement = defineStatement({
  name: 'find-attendance-of-sessions',
  parameters: { sessionIds: 'uuid[]', namesEveryAddress: 'boolean' },
  columns: attendanceTypes,
  text: (p) => sql`select stay.* from unnest(${p.sessionIds}) as session (id), lateral (
     select ${columns(p)} from room_stay s left join account c on c.id = s.account_id
     where s.session_id = session.id order by s.joined_at, s.id limit ${sql.lit(maxAttendanceRows)}) as stay`,
})

/** Attendance of these sessions, ordered by joining. */
export const findAttendanceOfSessions = (
  database: Database,
  sessionIds: readonly string[],
  namesEveryAddress: boolean,
) => findOfSessionsStatement.execute(database, { sessionIds, namesEveryAddress })

export type AttendanceOfMeetingRow = AttendanceRow & { startedAt: Date; endedAt: Date | null }

const findOfMeetingStatement = defineStatement({
  name: 'find-attendance',
  parameters: {
    meetingId: tables.roomStay.meetingId,
    namesEveryAddress: 'boolean',
    afterJoining: 'timestamptz',
    afterId: 'uuid',
    limit: 'bigint',
  },
  columns: { ...attendanceTypes, ...pick(tables.roomSession, 'startedAt', 'endedAt') },
  text: (p) => sql`select ${columns(p)}, session.started_at, session.ended_at
   from room_stay s join room_session session on session.id = s.session_id left join account c on c.id = s.account_id
   where s.meeting_id = ${p.meetingId} and (s.joined_at, s.id) > (${p.afterJoining}, ${p.afterId})
   order by s.joined_at, s.id limit ${p.limit}`,
})

/** Attendance of all sessions of a meeting, oldest first, after the cursor `after`. */
export const findAttendanceOfMeeting = (
  database: Database,
  meetingId: string,
  { after, limit, namesEveryAddress }: { after: Cursor; limit: number; namesEveryAddress: boolean },
) =>
  findOfMeetingStatement.execute(database, {
    meetingId,
    namesEveryAddress,
    afterJoining: after.at,
    afterId: after.id,
    limit,
  })

/** One connection of a participant to a room, as the media engine reports it. */
export type Connection = {
  meetingId: string
  admissionId: string
  /** LiveKit's id of this connection. A participant who reconnects gets another. */
  participantSid: string
  joinedAt: Date
}

const openSessionStatement = defineStatement({
  name: 'open-room-session',
  parameters: pick(tables.roomSession, 'id', 'meetingId', 'startedAt'),
  columns: { id: tables.roomSession.id, isNew: 'boolean' },
  text: (p) => sql`insert into room_session as s (id, meeting_id, started_at)
   values (${p.id}, ${p.meetingId}, ${p.startedAt})
   on conflict (meeting_id) where ended_at is null do update set started_at = least(s.started_at, excluded.started_at)
   returning id, s.xmax = 0 as is_new`,
})

/** Find the running session or open a session that starts no later than `joinedAt`. */
export async function openSession(
  tx: Tx,
  id: string,
  meetingId: string,
  joinedAt: Date,
): Promise<{ id: string; isNew: boolean }> {
  const [session] = await openSessionStatement.execute(tx, { id, meetingId, startedAt: joinedAt })
  if (session === undefined) throw new Error('An upsert returns its row')
  return session
}

type NewAttendance = Connection & { id: string; sessionId: string; leftAt: Date | null }

const insertAttendanceStatement = defineStatement({
  name: 'insert-room-stay',
  parameters: pick(tables.roomStay, 'id', 'sessionId', 'admissionId', 'participantSid', 'joinedAt', 'leftAt'),
  columns: { role: tables.roomStay.role },
  text: (
    p,
  ) => sql`insert into room_stay (id, session_id, meeting_id, admission_id, account_id, name, role, participant_sid,
     joined_at, left_at)
   select ${p.id}, ${p.sessionId}, a.meeting_id, a.id, a.account_id, a.name, a.role, ${p.participantSid},
     ${p.joinedAt}, ${p.leftAt}
   from admission a where a.id = ${p.admissionId}
   on conflict (participant_sid) do nothing
   returning role`,
})

/** Insert attendance. Return the participant's role; undefined if the connection is recorded already. */
export async function insertAttendance(tx: Tx, attendance: NewAttendance): Promise<RoomRole | undefined> {
  const [inserted] = await insertAttendanceStatement.execute(tx, attendance)
  return inserted?.role
}

/** Find which of these connections are recorded already. */
export async function findRecorded(database: Database, participantSids: readonly string[]): Promise<Set<string>> {
  if (participantSids.length === 0) return new Set()
  const rows = await database
    .selectFrom('roomStay')
    .select('participantSid')
    .where('participantSid', 'in', [...participantSids])
    .execute()
  return new Set(rows.map(({ participantSid }) => participantSid))
}

/** Selects attendance of a meeting. */
export type AttendanceFilter =
  | { participantSid: string }
  | { admissionId: string }
  | { notAmong: readonly string[]; beforeId: string }
  | 'all'

export type EndedAttendance = { admissionId: string; role: RoomRole }

/** End running attendance at `leftAt`, but not before its start. */
export function endAttendance(
  tx: Tx,
  meetingId: string,
  filter: AttendanceFilter,
  leftAt: Date,
): Promise<EndedAttendance[]> {
  let update = tx
    .updateTable('roomStay')
    .set({ leftAt: sql<Date>`greatest(joined_at, ${leftAt}::timestamptz)` })
    .where('meetingId', '=', meetingId)
    .where('leftAt', 'is', null)
  if (filter !== 'all') {
    if ('participantSid' in filter) update = update.where('participantSid', '=', filter.participantSid)
    else if ('admissionId' in filter) update = update.where('admissionId', '=', filter.admissionId)
    else {
      update = update
        .where('id', '<', filter.beforeId)
        .where(sql<boolean>`participant_sid <> all (${[...filter.notAmong]}::text[])`)
    }
  }
  return update.returning(['admissionId', 'role']).execute()
}

/** Whether a person is inside, by this or another connection. */
export async function isInside(tx: Tx, admissionId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('admission')
    .select('id')
    .where('id', '=', admissionId)
    .where('enteredAt', 'is not', null)
    .where('leftAt', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

/** Mark a person as inside, by the service's own clock: the engine's may differ. */
export const markInside = (tx: Tx, admissionId: string, now: Date) =>
  tx.updateTable('admission').set({ enteredAt: now, leftAt: null }).where('id', '=', admissionId).execute()

/** Mark a person whose joining is reported only after they left. */
export const markWasInside = (tx: Tx, { admissionId, joinedAt }: Connection, leftAt: Date) =>
  tx
    .updateTable('admission')
    .set({ enteredAt: joinedAt, leftAt })
    .where('id', '=', admissionId)
    .where('enteredAt', 'is', null)
    .execute()

/**
 * Mark the people without a remaining connection as outside.
 *
 * @returns their admission ids
 */
export async function markOutside(tx: Tx, admissionIds: readonly string[], now: Date): Promise<string[]> {
  const outside = await tx
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
    .returning('id')
    .execute()
  return outside.map(({ id }) => id)
}

const endSessionStatement = defineStatement({
  name: 'end-room-session',
  parameters: { meetingId: tables.roomSession.meetingId, since: 'timestamptz' },
  columns: { id: tables.roomSession.id },
  text: (p) => sql`update room_session s set ended_at = coalesce(
     (select max(left_at) from room_stay where session_id = s.id), s.started_at)
   where meeting_id = ${p.meetingId} and ended_at is null
     and not exists (select from room_stay where session_id = s.id and (left_at is null or left_at >= ${p.since}))
   returning id`,
})

/**
 * End the session of a meeting that has been empty since `since`, at the time the last person left. Return whether it
 * ended.
 */
export const endSession = async (tx: Tx, meetingId: string, since: Date): Promise<boolean> =>
  (await endSessionStatement.execute(tx, { meetingId, since })).length > 0

/**
 * Reset the admissions to an own room after a conversation: it has no occurrences, so that people ask again for each
 * conversation. Change nothing in a meeting's room.
 */
export const resetOwnRoomAdmissions = (tx: Tx, roomId: string) =>
  tx
    .updateTable('admission')
    .set({ state: 'waiting_for_host', grantedRole: null })
    .where('meetingId', '=', roomId)
    .where('state', '=', 'admitted')
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('account').select('account.id').where('account.roomId', '=', roomId)),
    )
    .execute()

/** The ids of meetings with a running session. */
export async function listMeetingsHeld(database: Database): Promise<string[]> {
  const sessions = await database.selectFrom('roomSession').select('meetingId').where('endedAt', 'is', null).execute()
  return sessions.map(({ meetingId }) => meetingId)
}

/** A statement for this many sessions takes less than a second. */
const batchSize = 1_000

/** Running sessions are kept. */
const deleteStatement = defineStatement({
  name: 'delete-room-history',
  parameters: { oldest: 'timestamptz' },
  columns: { sessions: 'integer', stays: 'bigint' },
  text: (p) => sql`with old as (
    select id from room_session where ended_at <= ${p.oldest} order by ended_at limit ${sql.lit(batchSize)}
  ), stays as (
    delete from room_stay where session_id in (select id from old) returning admission_id, session_id
  ), sessions as (
    delete from room_session where id in (select id from old) returning 1
  ) select (select count(*)::integer from sessions) as sessions, (select count(*) from stays) as stays`,
})

const deleteAdmissionsStatement = defineStatement({
  name: 'delete-admissions-of-history',
  parameters: { oldest: 'timestamptz' },
  text: (
    p,
  ) => sql`delete from admission a where a.left_at <= ${p.oldest} and (a.state <> 'denied' or a.account_id is null)
    and not exists (select from room_stay s where s.admission_id = a.id)`,
})

/**
 * Delete the attendance of sessions that ended more than `days` ago; 0 keeps it as long as the meeting. Denied accounts
 * stay denied.
 */
export async function deleteOldHistory(database: Database, now: Date, days: number): Promise<void> {
  const oldest = retentionCutoff(now, days)
  if (oldest === undefined) return
  for (;;) {
    const [deleted] = await deleteStatement.execute(database, { oldest })
    if ((deleted?.sessions ?? 0) < batchSize) break
  }
  await deleteAdmissionsStatement.execute(database, { oldest })
}
