import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { noContent, nullableText, plainText, timestamp } from '../value.ts'
import { ofAdmission, ofRoom } from './room-fields.ts'

/** A list of rooms that a host can still read. */
export const maxBreakoutRooms = 50

/** The attribute of a participant that names the breakout room, in which the embedded media engine keeps media and data. */
export const breakoutAttribute = 'parley.breakout-room'

const breakoutRoom = Type.Object({
  id: Type.String({ description: 'Id of the breakout room, while the rooms are open' }),
  name: Type.String({ description: 'Name that a host gave it' }),
})

const breakoutMessage = Type.Object({
  text: Type.String({ description: 'What a host wrote to everyone' }),
  sentOn: timestamp({ description: 'When it was sent' }),
})
export type BreakoutMessage = Static<typeof breakoutMessage>

const message = Type.Unsafe<BreakoutMessage | null>({
  type: ['object', 'null'],
  properties: breakoutMessage.properties,
  required: ['text', 'sentOn'],
  description: 'The last message of a host to everyone; null before the first',
})

const fields = {
  rooms: Type.Array(breakoutRoom, { description: 'In the order of the host' }),
  choice: Type.Boolean({ description: 'Participants choose a room themselves, and may change it' }),
  endsAt: nullableText({ description: 'When the rooms close and everyone returns; null where no end is set' }),
  message,
}

const ofPerson = Type.Object({
  ...fields,
  room: nullableText({ description: 'Id of the room that the person is in; null in the main room' }),
  assignedRoom: nullableText({
    description: 'Id of the room that the person belongs to and may return to; null where there is none',
  }),
  helpAskedOn: nullableText({ description: 'When the person asked a host for help; null once a host has come' }),
})
export type BreakoutOfPerson = Static<typeof ofPerson>

const ofAllRooms = Type.Object(fields)
export type BreakoutRooms = Static<typeof ofAllRooms>

const requiredFields = ['rooms', 'choice', 'endsAt', 'message']

/** The breakout rooms as one person sees them. */
export const breakoutOfPerson = Type.Unsafe<BreakoutOfPerson | null>({
  type: ['object', 'null'],
  properties: ofPerson.properties,
  required: [...requiredFields, 'room', 'assignedRoom', 'helpAskedOn'],
  description: 'The breakout rooms that are open, and where the person is; null while there are none',
})

/** The breakout rooms as hosts see them. */
export const breakoutOfRoom = Type.Unsafe<BreakoutRooms | null>({
  type: ['object', 'null'],
  properties: ofAllRooms.properties,
  required: requiredFields,
  description: 'The breakout rooms that are open; null while there are none',
})

/** As many people as a room holds. */
const maxBreakoutPeople = 1000

/** As long as the longest meeting. */
export const maxBreakoutMinutes = 24 * 60

/** The seconds between the announcement and the end of breakout rooms; 0 ends them at once. */
export const breakoutCountdowns = [0, 15, 30, 60] as const

export const maxBreakoutMessageLength = 500
export const maxBreakoutNameLength = 100

const person = Type.String({ maxLength: 36, description: 'Id of a person in this meeting' })
const room = nullableText({ maxLength: 36, description: 'Id of a breakout room; null for the main room' })

const choice = Type.Boolean({ description: 'Participants choose a room themselves, and may change it' })
const minutes = {
  type: ['integer', 'null'],
  minimum: 1,
  maximum: maxBreakoutMinutes,
}

/** Common to the actions of hosts, which also move other people. */
const ofHost = {
  tag: 'Rooms',
  access: 'visitor',
  furtherScopes: ['meeting:update'],
  params: ofRoom,
  path: '/api/rooms/:svcMeetId/breakout-rooms',
} as const

export const openBreakoutRooms = endpoint({
  ...ofHost,
  cost: 'query',
  name: 'openBreakoutRooms',
  method: 'POST',
  summary: 'Open breakout rooms',
  description:
    'For hosts and cohosts. Participants in a breakout room see, hear and write only to each other. Whom `participants` ' +
    'does not name stays in the main room, and so do people who come later, until a host moves them or, with `choice`, ' +
    'they choose. People who have left are in their room when they come back. The rooms close at their end, when a host ' +
    'closes them, or with the call.',
  body: Type.Object({
    rooms: Type.Array(
      Type.Object({
        name: plainText(maxBreakoutNameLength, 'Name of the room: 1 to 100 characters'),
        participants: Type.Array(person, { maxItems: maxBreakoutPeople, description: 'Who is moved into it' }),
      }),
      { minItems: 1, maxItems: maxBreakoutRooms, description: 'At most 50 rooms' },
    ),
    choice: Type.Optional(choice),
    minutes: Type.Optional(
      Type.Unsafe<number | null>({
        ...minutes,
        description: 'After how many minutes the rooms close; null: by a host',
      }),
    ),
  }),
  reply: Type.Object({ breakout: breakoutOfRoom }),
  problems: [
    'meeting_not_found',
    'host_required',
    'call_not_in_progress',
    'breakout_rooms_open',
    'breakout_rooms_not_supported',
  ],
  example: { rooms: [{ name: 'Room 1', participants: [] }], choice: true, minutes: 10 },
})

export const updateBreakoutRooms = endpoint({
  ...ofHost,
  cost: 'query',
  name: 'updateBreakoutRooms',
  method: 'PATCH',
  summary: 'Move people between breakout rooms, write to all of them, change their end, or close them',
  description:
    'What is absent stays. `closeInSeconds` closes the rooms after that countdown, which all pages show, unless they ' +
    'close sooner. `breakout` is null once they are closed.',
  body: Type.Partial(
    Type.Object({
      moves: Type.Array(Type.Object({ admissionId: person, room }), {
        maxItems: maxBreakoutPeople,
        description: 'Who is moved where',
      }),
      choice,
      minutes: Type.Unsafe<number | null>({
        ...minutes,
        description: 'After how many minutes from now the rooms close; null: when a host closes them',
      }),
      message: plainText(maxBreakoutMessageLength, 'A message to everyone in all rooms: 1 to 500 characters'),
      closeInSeconds: Type.Unsafe<(typeof breakoutCountdowns)[number]>({
        type: 'integer',
        enum: breakoutCountdowns,
        description: 'The countdown after which the rooms close',
      }),
    }),
  ),
  reply: Type.Object({ breakout: breakoutOfRoom }),
  problems: [
    'meeting_not_found',
    'host_required',
    'participant_not_found',
    'breakout_room_not_found',
    'breakout_rooms_not_open',
  ],
  example: { closeInSeconds: 30 },
})

export const changeOwnBreakoutRoom = endpoint({
  name: 'changeOwnBreakoutRoom',
  method: 'PATCH',
  path: '/api/rooms/:svcMeetId/admissions/:admissionId/breakout-room',
  tag: 'Rooms',
  summary: 'Go to another breakout room yourself, or ask for help in it',
  description:
    'For a person inside: the same account, token or guest cookie. Hosts go to every room. Participants go to the main ' +
    'room and back to their own and, where they choose, to every room. Help is asked of all hosts; the request ends when ' +
    'one comes, or when the person goes elsewhere.',
  access: 'visitor',
  cost: 'light',
  params: ofAdmission,
  body: Type.Partial(
    Type.Object({
      room,
      help: Type.Boolean({ description: 'Whether the person asks for help in the breakout room' }),
    }),
  ),
  reply: noContent,
  replyStatuses: [204],
  problems: [
    'admission_not_found',
    'breakout_room_not_found',
    'breakout_rooms_not_open',
    'forbidden',
    'too_many_requests',
  ],
  example: { room: null },
})
