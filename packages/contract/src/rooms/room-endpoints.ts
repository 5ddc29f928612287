import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { occurrenceFields } from '../meetings/meeting-reply.ts'
import { optionalLook } from '../organisation-endpoints.ts'
import { choice, noContent, nullableText, plainText, timestamp } from '../value.ts'
import { breakoutOfPerson, breakoutOfRoom } from './breakout-endpoints.ts'
import { allowedRights, changedRights, extensions, roomRights, spotlight } from './room-rights.ts'

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

export const roomRoles = ['host', 'cohost', 'participant'] as const
export type RoomRole = (typeof roomRoles)[number]

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

const ofRoom = Type.Object({ svcMeetId: Type.String({ description: 'Meeting ID of the link: ten digits' }) })

const isGuest = Type.Boolean({
  description: 'The person has no account: the name is what they entered, and proves nothing',
})

const endsAt = nullableText({
  description:
    'The end of the call as planned, or as a host has extended it; null for an own room, which has none. The call goes ' +
    'on after it, until everyone leaves or a host ends it',
})

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

const ofAdmission = Type.Object({
  ...ofRoom.properties,
  admissionId: Type.String({ description: 'Id of a person in this meeting, of `enterRoom` or `watchRoom`' }),
})

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

const roomPerson = {
  admissionId: Type.String({ description: 'Id of the person in this meeting' }),
  name: Type.String({ description: 'Name that others see; a guest’s may be empty' }),
  email: nullableText({ description: 'Email address of an account whose address is confirmed; null for a guest' }),
  guest: isGuest,
  formerName: nullableText({
    description: 'The first name of a person who has changed it in this call; null where it has not changed',
  }),
}

/**
 * A token with `meeting:join` alone cannot act on other people, nor read who waits, with their addresses; that also
 * needs the scope to change the meeting.
 */
const actsOnOthers = ['meeting:update'] as const

/** What a host sets for everyone in a room. */
const roomSettings = {
  locked: Type.Boolean({ description: 'No one else can enter, not even the host and cohosts' }),
  approvalRequired: Type.Boolean({
    description:
      'New guests wait until a host admits them: visitors who are neither invited nor have been inside, whatever let ' +
      'them in before. It holds for this date, until it is ended; without effect where the option `waitingRoom` is on',
  }),
}

const allowedToAll = allowedRights(
  'What participants may do, also those who come later. It holds for this date, until it is ended; hosts may allow it ' +
    'to one person or forbid it',
)

/** A host's view of the people who wait and are inside. */
const roomWatch = Type.Object({
  ...roomSettings,
  owns: Type.Boolean({ description: 'The caller is the account that hosts the meeting, which alone removes hosts' }),
  allowed: allowedToAll,
  controllable: Type.Array(choice(roomRights), {
    description:
      'The rights that can be taken away: LiveKit servers cannot tell chat, reactions and raised hands apart',
  }),
  breakout: breakoutOfRoom,
  breakoutSupported: Type.Boolean({
    description: 'Whether breakout rooms can be opened: LiveKit servers cannot keep them apart',
  }),
  waitingRoom: Type.Boolean({
    description: 'An option of the meeting: everyone except the hosts waits to be admitted',
  }),
  waiting: Type.Array(
    Type.Object({ ...roomPerson, askedOn: timestamp({ description: 'When the person asked to enter' }) }),
    { description: 'People who wait to be admitted' },
  ),
  denied: Type.Array(
    Type.Object({ ...roomPerson, decidedOn: timestamp({ description: 'When a host denied or removed the person' }) }),
    { description: 'People who were denied or removed; a person who is admitted may come again' },
  ),
  participants: Type.Array(
    Type.Object({
      ...roomPerson,
      role: choice(roomRoles, { description: 'The role that the person has' }),
      madeCohost: Type.Boolean({
        description:
          'A host made the person a cohost in the room, which `remove_cohost` takes back; other cohosts are those of the ' +
          'meeting',
      }),
      madeHost: Type.Boolean({
        description:
          'A host by the host key, or because a host made the person one in the room, which `remove_host` takes back',
      }),
      hardMuted: Type.Boolean({ description: 'The person cannot switch the microphone on until a host allows it' }),
      allowed: allowedRights('What the person may do'),
      breakoutRoom: nullableText({
        description: 'Id of the breakout room that the person is in; null in the main room',
      }),
      helpAskedOn: nullableText({
        description: 'When the person asked for help in a breakout room; null once a host has come',
      }),
      enteredOn: timestamp({ description: 'When the person came in' }),
    }),
    { description: 'People who are inside' },
  ),
})
export type RoomWatch = Static<typeof roomWatch>

export const watchRoom = endpoint({
  name: 'watchRoom',
  method: 'GET',
  path: '/api/rooms/:svcMeetId/waiting',
  tag: 'Rooms',
  summary: 'Watch who is waiting and who is inside',
  description: 'For the host and cohosts, with an account or admitted by the host’s key.',
  access: 'visitor',
  cost: 'light',
  furtherScopes: actsOnOthers,
  params: ofRoom,
  stream: true,
  reply: roomWatch,
  problems: ['meeting_not_found', 'host_required'],
})

/** Common to all host actions. */
const ofHost = {
  method: 'POST',
  tag: 'Rooms',
  access: 'visitor',
  furtherScopes: actsOnOthers,
  reply: noContent,
  replyStatuses: [204],
} as const

export const updateRoom = endpoint({
  ...ofHost,
  cost: 'light',
  name: 'updateRoom',
  method: 'PATCH',
  path: '/api/rooms/:svcMeetId',
  summary: 'Lock the meeting, have new guests wait, set what participants may do, or show some of them large',
  description:
    'What is absent stays. `allowed` applies to everyone except hosts, also to participants to whom a host has allowed ' +
    'or forbidden the same. Once approval is no longer required, those who wait only for that come in. A person who was ' +
    'removed may come back as another guest: require approval then. `spotlight` takes people who are inside, and holds ' +
    'until the call ends.',
  params: ofRoom,
  body: Type.Partial(
    Type.Object({
      ...roomSettings,
      allowed: changedRights('What participants may do from now on; the rest stays'),
      spotlight,
    }),
  ),
  reply: Type.Object({ ...roomSettings, allowed: allowedToAll, spotlight }),
  replyStatuses: [200],
  problems: ['meeting_not_found', 'host_required', 'participant_not_found', 'right_not_controllable'],
  example: { locked: true },
})

export const decideAdmission = endpoint({
  ...ofHost,
  cost: 'light',
  name: 'decideAdmission',
  path: '/api/rooms/:svcMeetId/admissions/:admissionId',
  summary: 'Admit a waiting person, or decline them',
  description:
    'Admits a person who was denied or removed as well. A person who no longer waits is not found, and a person inside ' +
    'is not denied but removed.',
  params: ofAdmission,
  body: Type.Object({ decision: choice(['admit', 'deny'], { description: 'Whether the person may enter' }) }),
  problems: ['meeting_not_found', 'host_required', 'admission_not_found'],
  example: { decision: 'admit' },
})

export const admitAll = endpoint({
  ...ofHost,
  cost: 'query',
  name: 'admitAll',
  path: '/api/rooms/:svcMeetId/admit-all',
  summary: 'Admit everyone who is waiting',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required'],
})

const participantActions = [
  'mute',
  'stop_camera',
  'stop_share',
  'hard_mute',
  'lift_hard_mute',
  'forbid_camera',
  'allow_camera',
  'forbid_screen',
  'allow_screen',
  'forbid_chat',
  'allow_chat',
  'forbid_reactions',
  'allow_reactions',
  'ask_unmute',
  'remove',
  'make_cohost',
  'remove_cohost',
  'make_host',
  'remove_host',
] as const
export type ParticipantAction = (typeof participantActions)[number]

export const controlParticipant = endpoint({
  ...ofHost,
  cost: 'light',
  name: 'controlParticipant',
  path: '/api/rooms/:svcMeetId/participants/:admissionId',
  summary: 'Mute a participant, set what they may do, remove them, or change whether they are a cohost',
  description:
    'A cohost cannot mute, stop or remove a host. Only a host makes cohosts and hosts, and removes cohosts; a cohost of ' +
    'the meeting itself stays one until the meeting is changed (`cohost_of_meeting`). Only the account that hosts the ' +
    'meeting removes hosts. Where the options keep guests out, no guest becomes a host. What is switched off (`mute`, `stop_camera`, `stop_share`) the participant ' +
    'may switch on again; what is forbidden only a host gives back. Hosts and cohosts may do everything. A participant who was removed stays outside until they are admitted again. A guest is known by ' +
    'a cookie, which they can drop: `approvalRequired` of the room makes new guests wait.',
  params: ofAdmission,
  body: Type.Object({
    action: choice(participantActions, {
      description:
        '`hard_mute` mutes a person until `lift_hard_mute`; `ask_unmute` asks the person to switch the microphone on; the ' +
        'others do what they say',
    }),
  }),
  problems: [
    'meeting_not_found',
    'host_required',
    'participant_not_found',
    'forbidden',
    'cohost_of_meeting',
    'right_not_controllable',
    'media_unavailable',
  ],
  example: { action: 'lift_hard_mute' },
})

export const muteAll = endpoint({
  ...ofHost,
  cost: 'light',
  name: 'muteAll',
  path: '/api/rooms/:svcMeetId/mute-all',
  summary: 'Mute everyone except the hosts',
  description: 'While breakout rooms are open, a host who is inside mutes the people in the same room.',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required', 'media_unavailable'],
})

export const extendCall = endpoint({
  ...ofHost,
  cost: 'light',
  name: 'extendCall',
  path: '/api/rooms/:svcMeetId/extend',
  summary: 'Move the end of the call that pages announce',
  description:
    'Only of the call in progress: the meeting keeps its times, and no one is mailed. Counted from the announced end, or ' +
    'from now when it has passed. At most until the next date of the series opens, or a day after the end of the date; ' +
    '`shortened` says that this was less than asked for.',
  params: ofRoom,
  body: Type.Object({
    minutes: Type.Unsafe<(typeof extensions)[number]>({
      type: 'integer',
      enum: extensions,
      description: 'By how much',
    }),
  }),
  reply: Type.Object({
    endsAt: timestamp({ description: 'The end from now on' }),
    shortened: Type.Boolean({ description: 'The call cannot be extended by as much as was asked for' }),
  }),
  replyStatuses: [200],
  problems: ['meeting_not_found', 'host_required', 'call_without_end', 'call_end_final'],
  example: { minutes: 15 },
})

export const endRoom = endpoint({
  ...ofHost,
  cost: 'light',
  name: 'endRoom',
  path: '/api/rooms/:svcMeetId/end',
  summary: 'End the meeting for everyone',
  description: 'Of a series this ends the one occurrence; the next one opens again.',
  params: ofRoom,
  problems: ['meeting_not_found', 'host_required', 'media_unavailable'],
})
