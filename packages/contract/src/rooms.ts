import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { choice, timestamp } from './value.ts'

const range = Type.Object({ startTime: timestamp(), endTime: timestamp() })

/** What a join link shows of its meeting to whoever has the PIN: enough to know that one is right here. */
export const meetingAtTheDoor = Type.Object({
  topic: Type.String(),
  hostName: Type.String(),
  startTime: timestamp(),
  endTime: timestamp(),
  recur: Type.Boolean(),
  nextOccurrence: Type.Unsafe<Static<typeof range> | null>({
    type: ['object', 'null'],
    properties: range.properties,
    required: ['startTime', 'endTime'],
    description: 'The one to enter now, or the next; null when the meeting is over or cancelled',
  }),
  timeZone: Type.String({ description: 'As it was sent' }),
  timeZoneIana: Type.String(),
})
export type MeetingAtTheDoor = Static<typeof meetingAtTheDoor>

export const enterRoom = endpoint({
  name: 'enterRoom',
  method: 'POST',
  path: '/api/rooms/:svcMeetId/enter',
  tag: 'Rooms',
  summary: 'Ask to enter a meeting',
  description:
    'The first check that fails is the `state`, in the order of its list. Before the PIN is right nothing but the ' +
    'state is told; with it, `meeting` says where one is, whatever the state. Without an account one is a guest, ' +
    'known by a cookie.',
  access: 'visitor',
  params: Type.Object({ svcMeetId: Type.String() }),
  body: Type.Object({
    pin: Type.Optional(Type.String({ maxLength: 32, description: 'In any case; the host’s PIN makes the host' })),
    name: Type.Optional(Type.String({ description: 'What others see of a guest: at most 100 characters' })),
    hostKey: Type.Optional(
      Type.String({ maxLength: 100, description: 'The `roomKey` or the `vpin`, in place of the PIN: makes the host' }),
    ),
  }),
  reply: Type.Object({
    state: choice([
      ...['not_found', 'cancelled', 'ended', 'locked', 'sign_in_required', 'not_invited', 'slow_down'],
      ...['pin_required', 'pin_wrong', 'too_early', 'waiting_for_host', 'waiting', 'denied', 'full', 'admitted'],
    ] as const),
    opensAt: Type.Optional(timestamp({ description: 'With `too_early`' })),
    retryAfter: Type.Optional(Type.Integer({ description: 'With `slow_down`: seconds' })),
    admissionId: Type.Optional(Type.String({ description: 'With `waiting` and `admitted`' })),
    role: Type.Optional(choice(['host', 'cohost', 'participant'], { description: 'With the right PIN' })),
    meeting: Type.Optional(meetingAtTheDoor),
  }),
  problems: [],
})
export type Entering = Static<typeof enterRoom.reply>
