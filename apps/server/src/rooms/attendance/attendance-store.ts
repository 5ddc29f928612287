import type { RoomRole } from '@parley/contract'
import type { Cursor } from '../../platform/database/cursor.ts'
import { statement } from '../../platform/database/database.ts'
import type { Database } from '../../tables/tables.ts'

/** Rows of one session in a list; the export has all of them. */
const maxAttendanceRows = 2_000

export type SessionRow = { id: string; startedAt: Date; endedAt: Date | null }

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

export type AttendanceRow = {
  id: string
  sessionId: string
  name: string
  /** Null for a guest, and for an address that the caller may not see. */
  email: string | null
  role: RoomRole
  joinedAt: Date
  leftAt: Date | null
}

const columns = `s.id, s.session_id as "sessionId", s.name, s.role, s.joined_at as "joinedAt", s.left_at as "leftAt",
  case when $2 or c.email_verified_at is not null then c.email end as email`

const findOfSessionsStatement = statement<AttendanceRow>(
  'find-attendance-of-sessions',
  `select stay.* from unnest($1::uuid[]) as session (id), lateral (
     select ${columns} from room_stay s left join account c on c.id = s.account_id
     where s.session_id = session.id order by s.joined_at, s.id limit ${maxAttendanceRows}) as stay`,
)

/** Attendance of these sessions, ordered by joining. */
export const findAttendanceOfSessions = (
  database: Database,
  sessionIds: readonly string[],
  namesEveryAddress: boolean,
) => findOfSessionsStatement(database, [sessionIds, namesEveryAddress])

export type AttendanceOfMeetingRow = AttendanceRow & { startedAt: Date; endedAt: Date | null }

const findOfMeetingStatement = statement<AttendanceOfMeetingRow>(
  'find-attendance',
  `select ${columns}, session.started_at as "startedAt", session.ended_at as "endedAt"
   from room_stay s join room_session session on session.id = s.session_id left join account c on c.id = s.account_id
   where s.meeting_id = $1 and (s.joined_at, s.id) > ($3::timestamptz, $4::uuid)
   order by s.joined_at, s.id limit $5`,
)

/** Attendance of all sessions of a meeting, oldest first, after the cursor `after`. */
export const findAttendanceOfMeeting = (
  database: Database,
  meetingId: string,
  { after, limit, namesEveryAddress }: { after: Cursor; limit: number; namesEveryAddress: boolean },
) => findOfMeetingStatement(database, [meetingId, namesEveryAddress, after.at, after.id, limit])
