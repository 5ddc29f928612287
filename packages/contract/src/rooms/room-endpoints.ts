import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { occurrenceFields } from '../meetings/meeting-reply.ts'
import { optionalLook } from '../organisation-endpoints.ts'
import { choice, nullableText, plainText, timestamp } from '../value.ts'
import { breakoutOfPerson } from './breakout-endpoints.ts'
import { endsAt, isGuest, ofAdmission, ofRoom, roomRoles } from './room-fields.ts'
import { allowedRights, spotlight } from './room-rights.ts'

const datedOccurrence = Type.Object(occurrenceFields)

/** The fields of a meeting that the join page shows to a visitor with the PIN, who recognises the meeting by them. */
const entryMeeting = Type.Object({
  kind: choice(['meeting', 'own_room'], {
    description:
      '`own_room`: the `svcMeetId` and `roomPIN` of a person’s profile, which never ends. Its topic is empty, its times ' +
      'mean nothing, no one can enter before its owner, and the owner admits everyone',
  }),
  topic: Type.String({ description: 'Title of the meeting' }),
  hostName: Type.String({ description: 'Full name of the host' }),
  startTime: timestamp({
    description: 'Start in UTC, of a series as it was scheduled; its dates are those of the rule',
  }),
  endTime: timestamp({ description: 'End in UTC, which follows `startTime` by the length of each date' }),
  recur: Type.Boolean({ description: 'Whether the meeting repeats' }),
  nextOccurrence: Type.Unsafe<Static<typeof datedOccurrence> | null>({
    type: ['object', 'null'],
    properties: datedOccurrence.properties,
    required: Object.keys(occurrenceFields),
    description: 'The one to enter now, or the next; null when the meeting is over or cancelled',
  }),
  timeZone: Type.String({ description: 'Time zone, as the host sent it' }),
  timeZoneIana: Type.String({ description: 'The zone that dates are computed in', examples: ['Asia/Kolkata'] }),
})
export type EntryMeeting = Static<typeof entryMeeting>

/** The results of asking to enter, in the order of the checks. */
export const roomStates = [
  'not_found',
  'cancelled',
  'ended',
  'locked',
  'sign_in_required',
  'not_invited',
  'slow_down',
  'pin_required',
  'pin_wrong',
  'too_early',
  'waiting_for_host',
  'waiting',
  'denied',
  'full',
  'admitted',
] as const satisfies readonly string[]
export type RoomState = (typeof roomStates)[number]

const iceServer = Type.Object({
  urls: Type.Array(Type.String(), { description: 'Addresses of the server', examples: [['turn:turn.example:3478']] }),
  username: Type.Optional(Type.String({ description: 'User name for a TURN server' })),
  credential: Type.Optional(Type.String({ description: 'Password for a TURN server, valid for a limited time' })),
})

/** The address of the media server and a token for it, given only to admitted people. */
const roomMedia = Type.Object({
  url: Type.String({ description: 'WebSocket address for livekit-client', examples: ['wss://parley.example/media'] }),
  token: Type.String({ description: 'Opens this room to this person; valid for two minutes' }),
  iceServers: Type.Array(iceServer, { description: 'Servers that help where a direct connection fails; may be empty' }),
})
export type RoomMedia = Static<typeof roomMedia>

/** Whether devices start on or off (the meeting's options). */
const startingDevices = Type.Object({
  camera: Type.Boolean({ description: 'Whether the camera is on at the start' }),
  microphone: Type.Boolean({ description: 'Whether the microphone is on at the start' }),
  hardMuted: Type.Boolean({ description: 'The microphone cannot be switched on until the host allows it' }),
  allowed: allowedRights('What the person may do in the call; without `microphone`, `hardMuted` is true'),
})
export type StartingDevices = Static<typeof startingDevices>

const hostInside = Type.Boolean({ description: 'With `waiting`: whether a host is inside, and sees who waits' })

export const enterRoom = endpoint({
  name: 'enterRoom',
  method: 'POST',
  path: '/api/rooms/:svcMeetId/enter',
  tag: 'Rooms',
  summary: 'Ask to enter a meeting',
  description:
    'The first check that fails is the `state`, in the order of its list. The host, cohosts and invited accounts need ' +
    'no PIN. Others learn nothing but the state before the PIN is right; with it, `meeting` says which one it is, ' +
    'whatever the state. A visitor without an account is a guest, known by a cookie. A person who was let in may come ' +
    'again while that holds: for this date, for a day.',
  access: 'visitor',
  cost: 'light',
  params: ofRoom,
  body: Type.Object({
    pin: Type.Optional(
      Type.String({ maxLength: 32, description: 'PIN of the meeting, in any case; the host’s PIN makes the host' }),
    ),
    name: Type.Optional(plainText(100, 'What others see of a guest: at most 100 characters')),
    hostKey: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The `roomKey` or the `vpin`, in place of the PIN: makes the host. With a `vpin` send the `pin` as well: the ' +
          'pair is not paused by guesses of strangers',
      }),
    ),
    askAgain: Type.Optional(
      Type.Boolean({
        description:
          'For a person who is `denied`: they wait, whatever the meeting’s options, until a host admits or declines them ' +
          'once more. A minute after the decision at the earliest',
      }),
    ),
  }),
  example: { pin: '7kq2mx', name: 'Alice' },
  reply: Type.Object({
    state: choice(roomStates, { description: 'The first check that fails, in this order, or `admitted`' }),
    opensAt: Type.Optional(timestamp({ description: 'With `too_early`: when visitors can enter' })),
    retryAfter: Type.Optional(
      Type.Integer({ description: 'With `slow_down`: seconds. With `denied`: seconds until `askAgain` is accepted' }),
    ),
    admissionId: Type.Optional(
      Type.String({
        description: 'Id of this person in this meeting: with `waiting_for_host`, `waiting`, `denied` and `admitted`',
      }),
    ),
    name: Type.Optional(Type.String({ description: 'With `admissionId`: the name that others see of this person' })),
    role: Type.Optional(choice(roomRoles, { description: 'With `meeting`: the role that the visitor has' })),
    meeting: Type.Optional(entryMeeting),
    organisation: Type.Optional(
      optionalLook('With `meeting`: name, logos and colours of the host’s organisation; null where it has set none'),
    ),
    hostInside: Type.Optional(hostInside),
    endsAt: Type.Optional(endsAt),
    insideElsewhere: Type.Optional(
      Type.Literal(true, {
        description:
          'With `admitted`: the same person is inside, on another page or device, which connecting here disconnects',
      }),
    ),
    inside: Type.Optional(
      Type.Object(
        {
          count: Type.Integer({ description: 'Without the person who asks' }),
          people: Type.Array(
            Type.Object({ name: Type.String({ description: 'A guest’s may be empty' }), guest: isGuest }),
            { description: 'The first three' },
          ),
        },
        { description: 'With `admitted`: who is inside' },
      ),
    ),
    pin: Type.Optional(
      Type.String({
        description:
          'With `meeting`, for hosts and invited accounts, who need none: to hand on to guests. A token needs ' +
          '`meeting:read` for it',
      }),
    ),
    devices: Type.Optional(startingDevices),
    media: Type.Optional(roomMedia),
  }),
  problems: ['media_unavailable'],
})
export type Entering = Static<typeof enterRoom.reply>

/** The state of a person's admission, while waiting and inside. */
const admissionUpdate = Type.Object({
  state: choice(roomStates, {
    description: '`admitted`: enter again, which hands out the media. Inside, anything else means: leave',
  }),
  opensAt: Type.Optional(timestamp({ description: 'With `too_early`: when visitors can enter' })),
  hostInside: Type.Optional(hostInside),
  role: choice(roomRoles, { description: 'The role that the person has now' }),
  cancelled: Type.Optional(
    Type.Literal(true, {
      description: 'The date was cancelled during the call, which goes on for the people in it until they leave',
    }),
  ),
  hardMuted: Type.Boolean({ description: 'The microphone cannot be switched on until the host allows it' }),
  allowed: allowedRights('What the person may do in the call; without `microphone`, `hardMuted` is true'),
  spotlight,
  breakout: breakoutOfPerson,
  endsAt,
  unmuteAskedOn: nullableText({ description: 'When the host last asked this person to switch the microphone on' }),
})
export type AdmissionUpdate = Static<typeof admissionUpdate>

export const watchAdmission = endpoint({
  name: 'watchAdmission',
  method: 'GET',
  path: '/api/rooms/:svcMeetId/admissions/:admissionId/events',
  tag: 'Rooms',
  summary: 'Watch your own admission',
  description:
    'For the person who asked to enter: the same account, token or guest cookie. Keep this open while waiting; ten seconds after ' +
    'it has ended they wait no longer, and have to enter again: this then answers `admission_not_found`.',
  access: 'visitor',
  cost: 'light',
  params: ofAdmission,
  stream: true,
  reply: admissionUpdate,
  problems: ['admission_not_found'],
})

export const renameAdmission = endpoint({
  name: 'renameAdmission',
  method: 'PATCH',
  path: '/api/rooms/:svcMeetId/admissions/:admissionId',
  tag: 'Rooms',
  summary: 'Change your own name in a call',
  description:
    'For the person who asked to enter: the same account, token or guest cookie. Everyone in the call sees the name at ' +
    'once, and hosts see the first one as well (`formerName`). It holds as long as the admission: the profile of an ' +
    'account keeps its name.',
  access: 'visitor',
  cost: 'light',
  params: ofAdmission,
  body: Type.Object({
    name: plainText(100, 'What others see of the person: 1 to 100 characters, none of them invisible'),
  }),
  reply: Type.Object({ name: Type.String({ description: 'The name from now on' }) }),
  problems: ['admission_not_found', 'too_many_requests'],
  example: { name: 'Alice (Sales)' },
})
