import { exportAttendance } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { namesEveryAddress } from '../../access/trusted-address.ts'
import type { Cursor } from '../../platform/database/cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { csvLine } from '../../platform/http/csv.ts'
import { type AttendanceOfMeetingRow, findAttendanceOfMeeting } from './attendance-store.ts'
import { requireHostOfMeeting } from './require-host-of-meeting.ts'

/** Each page is a separate query, so that a slow reader does not hold a connection. */
const pageSize = 1000

/** Export the attendance of a meeting as CSV. */
export function serveExportAttendance({ serve, clock, config }: Service) {
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
