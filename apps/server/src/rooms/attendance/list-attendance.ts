import { listAttendance } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { namesEveryAddress } from '../../access/trusted-address.ts'
import { readAfter, writeCursor } from '../../platform/database/cursor.ts'
import { type AttendanceRow, findAttendanceOfSessions, findSessions } from './attendance-store.ts'
import { requireHostOfMeeting } from './require-host-of-meeting.ts'

const defaultLimit = 10

/** List the sessions of a meeting with their attendance. */
export function serveListAttendance({ serve, config }: Service) {
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
          stays: (attendanceBySession.get(id) ?? []).map(viewAttendance),
        })),
        moreAvailable,
        nextCursor: moreAvailable && last ? writeCursor({ at: last.startedAt, id: last.id }) : null,
      }
    },
  })
}

const viewAttendance = ({ name, email, role, joinedAt, leftAt }: AttendanceRow) => ({
  name,
  email,
  role,
  joinedOn: joinedAt.toISOString(),
  leftOn: leftAt?.toISOString() ?? null,
})
