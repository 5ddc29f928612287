import type { RoomRole } from '@parley/contract'
import { sql } from 'kysely'
import type { Cursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { defineStatement, type Parameter, type RowOf } from '../../platform/database/define-statement.ts'
import { pick, tables, typed } from '../../platform/database/tables.ts'

/** Rows of one session in a list; the export has all of them. */
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
