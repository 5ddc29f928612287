import { exportAttendance, listAttendance } from '@parley/contract'
import { csvLine } from '@parley/rules/text/csv'
import type { Caller } from '../access/caller.ts'
import { namesEveryAddress } from '../access/trusted-address.ts'
import { requireMeetingId, rightsOf, viewerOf } from '../meetings/meeting-access.ts'
import { findMeeting } from '../meetings/meeting-store.ts'
import type { Config } from '../platform/config/config.ts'
import { type Cursor, readAfter, writeCursor } from '../platform/database/cursor.ts'
import type { Database } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import {
  type AttendanceOfMeetingRow,
  type AttendanceRow,
  findAttendanceOfMeeting,
  findAttendanceOfSessions,
  findSessions,
} from './attendance-store.ts'
import type { Dependencies } from './dependencies.ts'

/** Register the endpoints of attendance. */
export function registerAttendance(dependencies: Dependencies): void {
  serveListAttendance(dependencies)
  serveExportAttendance(dependencies)
}

const defaultLimit = 10

/** List the sessions of a meeting with their attendance. */
function serveListAttendance({ serve, config }: Dependencies) {
  serve(listAttendance, {
    read: ({ query }) => readAfter(query.after),
    handle: async ({ caller, params, query: { limit = defaultLimit }, input: after, database }) => {
      const meetingId = await requireHostOfMeeting(database, caller, params.meetingId, config)
      const found = await findSessions(database, meetingId, { after, limit: limit + 1 })
      const page = found.slice(0, limit)
      const ids = page.map(({ id }) => id)
      const attendanceBySession = Map.groupBy(
        await findAttendanceOfSessions(database, ids, namesEveryAddress(caller, config)),
        ({ sessionId }) => sessionId,
      )
      const last = page.at(-1)
      const moreAvailable = found.length > limit
      return {
        sessions: page.map(({ id, startedAt, endedAt }) => ({
          startedOn: startedAt.toISOString(),
          endedOn: endedAt?.toISOString() ?? null,
          stays: (attendanceBySession.get(id) ?? []).map(toAttendance),
        })),
        moreAvailable,
        nextCursor: moreAvailable && last ? writeCursor({ at: last.startedAt, id: last.id }) : null,
      }
    },
  })
}

const toAttendance = ({ name, email, role, joinedAt, leftAt }: AttendanceRow) => ({
  name,
  email,
  role,
  joinedOn: joinedAt.toISOString(),
  leftOn: leftAt?.toISOString() ?? null,
})

/** Each page is a separate query, so that a slow reader does not hold a connection. */
const pageSize = 1000

/** Export the attendance of a meeting as CSV. */
function serveExportAttendance({ serve, clock, config }: Dependencies) {
  serve(exportAttendance, {
    handle: async ({ caller, params, database }) => {
      const meetingId = await requireHostOfMeeting(database, caller, params.meetingId, config)
      const fileName = `attendance-${clock.now().toISOString().slice(0, 10)}.csv`
      const attendance = attendanceOf(database, meetingId, namesEveryAddress(caller, config))
      return { mediaType: 'text/csv', fileName, lines: csvOf(attendance) }
    },
  })
}

const beforeAll: Cursor = { at: new Date(0), id: '00000000-0000-0000-0000-000000000000' }

async function* attendanceOf(database: Database, meetingId: string, namesEveryAddress: boolean) {
  let after: Cursor | undefined = beforeAll
  while (after !== undefined) {
    const rows: AttendanceOfMeetingRow[] = await findAttendanceOfMeeting(database, meetingId, {
      after,
      limit: pageSize,
      namesEveryAddress,
    })
    yield* rows
    const last: AttendanceOfMeetingRow | undefined = rows.length === pageSize ? rows.at(-1) : undefined
    after = last && { at: last.joinedAt, id: last.id }
  }
}

async function* csvOf(attendance: AsyncIterable<AttendanceOfMeetingRow>) {
  yield csvLine(['sessionStartedOn', 'sessionEndedOn', 'name', 'email', 'role', 'joinedOn', 'leftOn'])
  for await (const { startedAt, endedAt, name, email, role, joinedAt, leftAt } of attendance) {
    yield csvLine([
      startedAt.toISOString(),
      endedAt?.toISOString() ?? '',
      name,
      email ?? '',
      role,
      joinedAt.toISOString(),
      leftAt?.toISOString() ?? '',
    ])
  }
}

/**
 * Require that the caller is host or cohost of a meeting, and return its id: only hosts may see attendance.
 * @throws meeting_not_found, host_required
 */
async function requireHostOfMeeting(database: Database, caller: Caller, text: string, config: Config) {
  const meetingId = requireMeetingId(text)
  const row = await findMeeting(database, meetingId, viewerOf(caller, config))
  if (row === undefined) throw problem('meeting_not_found')
  if (!rightsOf(row, caller).has('seeHostFields')) throw problem('host_required')
  return meetingId
}
