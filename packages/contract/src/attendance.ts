import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { roomRoles } from './rooms.ts'
import { choice, nullableText, timestamp } from './value.ts'

const stay = Type.Object({
  name: Type.String(),
  email: nullableText({ description: 'Of an account whose address is confirmed; null for a guest' }),
  role: choice(roomRoles),
  joinedOn: timestamp(),
  leftOn: nullableText({ description: 'null while they are inside' }),
})

const session = Type.Object({
  startedOn: timestamp({ description: 'When the first person was inside' }),
  endedOn: nullableText({ description: 'When the last one had left, or the host ended it; null while it goes on' }),
  stays: Type.Array(stay, { description: 'In the order in which they came; who came twice is there twice' }),
})
export type RoomSession = Static<typeof session>

const meeting = Type.Object({ meetingId: Type.String() })

export const listAttendance = endpoint({
  name: 'listAttendance',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/attendance',
  tag: 'Rooms',
  summary: 'List when a meeting was held, and who was there, the newest first',
  description: 'For its host and cohosts.',
  access: 'meeting:read',
  params: meeting,
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
    after: Type.Optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before' })),
  }),
  reply: Type.Object({ sessions: Type.Array(session), moreAvailable: Type.Boolean(), nextCursor: nullableText() }),
  problems: ['meeting_not_found', 'host_required'],
})

export const exportAttendance = endpoint({
  name: 'exportAttendance',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/attendance/export',
  tag: 'Rooms',
  summary: 'Download who was there, and from when to when',
  description: 'A line for each stay. A cell that a spreadsheet would compute begins with an apostrophe.',
  access: 'meeting:read',
  params: meeting,
  download: ['text/csv'],
  reply: Type.String(),
  problems: ['meeting_not_found', 'host_required'],
})
