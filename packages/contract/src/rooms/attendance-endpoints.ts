import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { meetingPath } from '../meetings/meeting-request.ts'
import { afterCursor, choice, nullableText, pageFields, pageSize, timestamp } from '../value.ts'
import { roomRoles } from './room-fields.ts'

const stay = Type.Object({
  name: Type.String({ description: 'Name at that time; a guest’s may be empty' }),
  email: nullableText({ description: 'Email address of an account whose address is confirmed; null for a guest' }),
  role: choice(roomRoles, { description: 'Role at that time' }),
  joinedOn: timestamp({ description: 'When the person came in' }),
  leftOn: nullableText({ description: 'When the person left; null while they are inside' }),
})

const session = Type.Object({
  startedOn: timestamp({ description: 'When the first person was inside' }),
  endedOn: nullableText({ description: 'When the last one had left, or the host ended it; null while it goes on' }),
  stays: Type.Array(stay, { description: 'In the order in which they came; who came twice is there twice' }),
})
export type RoomSession = Static<typeof session>

export const listAttendance = endpoint({
  name: 'listAttendance',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/attendance',
  tag: 'Rooms',
  summary: 'List when a meeting was held, and who was there, the newest first',
  description: 'For its host and cohosts.',
  access: 'meeting:read',
  cost: 'heavy',
  params: meetingPath,
  query: Type.Object({
    limit: pageSize(50, 10),
    after: afterCursor,
  }),
  reply: Type.Object({
    sessions: Type.Array(session, { description: 'The times that the meeting was held, the newest first' }),
    ...pageFields,
  }),
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
  cost: 'compose',
  params: meetingPath,
  download: ['text/csv'],
  reply: Type.String(),
  problems: ['meeting_not_found', 'host_required'],
})
