import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { choice, nullableText, timestamp } from './value.ts'

const range = Type.Object({ startTime: timestamp(), endTime: timestamp() })

/** What a join link shows of its meeting to whoever has the PIN: enough to know that one is right here. */
export const meetingAtTheDoor = Type.Object({
  kind: choice(['meeting', 'own_room'], {
    description:
      '`own_room`: the `svcMeetId` and `roomPIN` of somebody’s profile, which never ends. Its topic is empty, its times ' +
      'mean nothing, nobody comes before its owner, and the owner lets everybody in',
  }),
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

export const roomRoles = ['host', 'cohost', 'participant'] as const
export type RoomRole = (typeof roomRoles)[number]

/** What judges whoever asks to enter, the first check that fails first. */
export const roomStates = [
  ...['not_found', 'cancelled', 'ended', 'locked', 'sign_in_required', 'not_invited', 'slow_down'],
  ...['pin_required', 'pin_wrong', 'too_early', 'waiting_for_host', 'waiting', 'denied', 'full', 'admitted'],
] as const satisfies readonly string[]
export type RoomState = (typeof roomStates)[number]

const iceServer = Type.Object({
  urls: Type.Array(Type.String()),
  username: Type.Optional(Type.String()),
  credential: Type.Optional(Type.String()),
})

/** Where sound and pictures are, and the right to them: handed to whoever is admitted, and to nobody before. */
export const roomMedia = Type.Object({
  url: Type.String({ description: 'WebSocket address for livekit-client', examples: ['wss://parley.example/media'] }),
  token: Type.String({ description: 'Opens this room to this person; valid for two minutes' }),
  iceServers: Type.Array(iceServer),
})
export type RoomMedia = Static<typeof roomMedia>

/** How the devices of somebody who enters begin (the meeting's options). */
export const startingDevices = Type.Object({
  camera: Type.Boolean(),
  microphone: Type.Boolean(),
  hardMuted: Type.Boolean({ description: 'The microphone cannot be switched on until the host allows it' }),
})
export type StartingDevices = Static<typeof startingDevices>

export const enterRoom = endpoint({
  name: 'enterRoom',
  method: 'POST',
  path: '/api/rooms/:svcMeetId/enter',
  tag: 'Rooms',
  summary: 'Ask to enter a meeting',
  description:
    'The first check that fails is the `state`, in the order of its list. Before the PIN is right nothing but the ' +
    'state is told; with it, `meeting` says where one is, whatever the state. Without an account one is a guest, ' +
    'known by a cookie. Who was let in may come again while that holds: for this date, for a day.',
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
    state: choice(roomStates),
    opensAt: Type.Optional(timestamp({ description: 'With `too_early`' })),
    retryAfter: Type.Optional(Type.Integer({ description: 'With `slow_down`: seconds' })),
    admissionId: Type.Optional(
      Type.String({
        description: 'With `waiting_for_host`, `waiting`, `denied` and `admitted`; names the person inside',
      }),
    ),
    role: Type.Optional(choice(roomRoles, { description: 'With the right PIN' })),
    meeting: Type.Optional(meetingAtTheDoor),
    devices: Type.Optional(startingDevices),
    media: Type.Optional(roomMedia),
  }),
  problems: ['media_unavailable'],
})
export type Entering = Static<typeof enterRoom.reply>

/** How it stands with somebody who asked to enter: at the door, and inside. */
export const admissionStanding = Type.Object({
  state: choice(roomStates, {
    description: '`admitted`: enter again, which hands out the media. Inside, anything else means: leave',
  }),
  opensAt: Type.Optional(timestamp()),
  role: choice(roomRoles),
  hardMuted: Type.Boolean(),
  unmuteAskedOn: nullableText({ description: 'When the host last asked this person to switch the microphone on' }),
})
export type AdmissionStanding = Static<typeof admissionStanding>

const ofAdmission = Type.Object({ svcMeetId: Type.String(), admissionId: Type.String() })
const ofRoom = Type.Object({ svcMeetId: Type.String() })
const done = Type.Object({ status: Type.String() })

export const watchAdmission = endpoint({
  name: 'watchAdmission',
  method: 'GET',
  path: '/api/rooms/:svcMeetId/admissions/:admissionId/events',
  tag: 'Rooms',
  summary: 'Be told how it stands with your admission',
  description:
    'For whoever asked to enter: the same account, token or guest cookie. Who waits keeps this open; ten seconds after ' +
    'it has ended they wait no longer, and have to enter again: this then answers `admission_not_found`.',
  access: 'visitor',
  params: ofAdmission,
  stream: true,
  reply: admissionStanding,
  problems: ['admission_not_found'],
})

const atTheDoor = {
  admissionId: Type.String(),
  name: Type.String(),
  email: nullableText({ description: 'Of an account whose address is confirmed; null for a guest' }),
}

/** What a host sees of the door. */
export const roomWatch = Type.Object({
  locked: Type.Boolean(),
  waiting: Type.Array(Type.Object({ ...atTheDoor, askedOn: timestamp() })),
  turnedAway: Type.Array(Type.Object({ ...atTheDoor, decidedOn: timestamp() }), {
    description: 'Denied or removed; to admit one of them lets them come again',
  }),
  participants: Type.Array(
    Type.Object({ ...atTheDoor, role: choice(roomRoles), hardMuted: Type.Boolean(), enteredOn: timestamp() }),
  ),
})
export type RoomWatch = Static<typeof roomWatch>

export const watchRoom = endpoint({
  name: 'watchRoom',
  method: 'GET',
  path: '/api/rooms/:svcMeetId/waiting',
  tag: 'Rooms',
  summary: 'Be told who waits at the door, and who is inside',
  description: 'For the host and cohosts, with an account or admitted by the host’s key.',
  access: 'visitor',
  params: ofRoom,
  stream: true,
  reply: roomWatch,
  problems: ['meeting_not_found', 'host_required'],
})

/** What all deeds of a host have in common. */
const ofHost = {
  method: 'POST',
  tag: 'Rooms',
  access: 'visitor',
  reply: done,
} as const

export const decideAdmission = endpoint({
  ...ofHost,
  name: 'decideAdmission',
  path: '/api/rooms/:svcMeetId/admissions/:admissionId',
  summary: 'Let somebody in who waits, or turn them away',
  description:
    'Whoever was denied or removed is let in again the same way. Who waits no longer is not found, and who is inside ' +
    'is not denied but removed.',
  params: ofAdmission,
  body: Type.Object({ decision: choice(['admit', 'deny']) }),
  problems: ['meeting_not_found', 'host_required', 'admission_not_found'],
})

export const admitAll = endpoint({
  ...ofHost,
  name: 'admitAll',
  path: '/api/rooms/:svcMeetId/admit-all',
  summary: 'Let everybody in who waits',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required'],
})

export const participantActions = ['mute', 'lift_hard_mute', 'ask_unmute', 'remove', 'make_cohost'] as const
export type ParticipantAction = (typeof participantActions)[number]

export const controlParticipant = endpoint({
  ...ofHost,
  name: 'controlParticipant',
  path: '/api/rooms/:svcMeetId/participants/:admissionId',
  summary: 'Mute somebody, let them speak, ask them to, remove them, or make them a cohost',
  description:
    'A host cannot be removed or muted by a cohost. Removed is removed: they stay outside until they are admitted again.',
  params: ofAdmission,
  body: Type.Object({ action: choice(participantActions) }),
  problems: ['meeting_not_found', 'host_required', 'participant_not_found', 'forbidden', 'media_unavailable'],
})

export const lockRoom = endpoint({
  ...ofHost,
  name: 'lockRoom',
  path: '/api/rooms/:svcMeetId/lock',
  summary: 'Let nobody else in, host and cohosts included',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required'],
})

export const unlockRoom = endpoint({
  ...ofHost,
  name: 'unlockRoom',
  path: '/api/rooms/:svcMeetId/unlock',
  summary: 'Let people in again',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required'],
})

export const muteAll = endpoint({
  ...ofHost,
  name: 'muteAll',
  path: '/api/rooms/:svcMeetId/mute-all',
  summary: 'Mute everybody but the hosts',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required', 'media_unavailable'],
})

export const endRoom = endpoint({
  ...ofHost,
  name: 'endRoom',
  path: '/api/rooms/:svcMeetId/end',
  summary: 'End the meeting for everybody',
  description: 'Of a series this ends the one occurrence; the next one opens again.',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required', 'media_unavailable'],
})
