import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice, noContent, nullableText, timestamp } from '../value.ts'
import { breakoutOfRoom } from './breakout-endpoints.ts'
import { isGuest, ofAdmission, ofRoom, roomRoles } from './room-fields.ts'
import { allowedRights, changedRights, extensions, roomRights, spotlight } from './room-rights.ts'

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
