import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice, nullableText, statusReply, timestamp } from '../value.ts'
import { changedDates, listedMeetingReply, meetingReply, occurrence, singleMeetingReply } from './meeting-reply.ts'
import { guestMessage, meetingPath, meetingRequest, sendUpdates } from './meeting-request.ts'

/** What reads and lists answer of a meeting. */
const readMeetingFields = Type.Object({
  ...listedMeetingReply.properties,
  ...singleMeetingReply.properties,
  ...changedDates,
})

/** A series whose host is alone: it is ahead, mutes no one, and sends no email. */
const exampleMeeting = {
  topic: 'Weekly review',
  description: 'Bring numbers.',
  participants: [],
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:45:00Z',
  isPinEnabled: true,
  advancedOptions: {},
  repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
}

export const createMeeting = endpoint({
  name: 'createMeeting',
  method: 'POST',
  path: '/api/meeting',
  tag: 'Meetings',
  summary: 'Schedule a meeting',
  access: 'meeting:create',
  cost: 'query',
  query: sendUpdates,
  body: meetingRequest,
  example: exampleMeeting,
  reply: Type.Object({ ...statusReply.properties, meetingDetails: meetingReply }),
  sentBack: readMeetingFields,
  idempotent: true,
  versioned: true,
  problems: ['too_many_invitations'],
})

export const readMeeting = endpoint({
  name: 'readMeeting',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId',
  tag: 'Meetings',
  summary: 'Read one meeting',
  description: 'The answer is an array of one meeting.',
  access: 'meeting:read',
  cost: 'query',
  params: meetingPath,
  query: Type.Object({
    occurrences: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'How many of the next occurrences to add to the reply; none when absent',
      }),
    ),
  }),
  reply: Type.Array(singleMeetingReply),
  versioned: true,
  problems: ['meeting_not_found'],
})

export const updateMeeting = endpoint({
  name: 'updateMeeting',
  method: 'PUT',
  path: '/api/meeting/meetingDetails/:meetingId',
  tag: 'Meetings',
  summary: 'Replace what was scheduled',
  description:
    'With `editOptions.singleEvent`, one occurrence of a series gets the times, topic and description, as by ' +
    '`changeOccurrence`. Everything else in the body belongs to the series: what equals it is accepted, what differs is ' +
    'refused (`not_for_one_occurrence`). A single meeting is replaced as without it. The answer is the meeting. An ' +
    'administrator changes times, zone, repetition and reminder, and sends all else as it was read.',
  access: 'meeting:update',
  cost: 'query',
  params: meetingPath,
  query: Type.Object({
    ...sendUpdates.properties,
    occurrence: Type.Optional(
      timestamp({
        description:
          'With `editOptions.singleEvent`: `originalStartTime` of the occurrence; the next one that has not ended when absent',
      }),
    ),
  }),
  body: Type.Object({
    ...meetingRequest.properties,
    ...guestMessage,
    editOptions: Type.Optional(
      Type.Object(
        {
          singleEvent: Type.Optional(
            Type.Boolean({ description: 'Change one occurrence instead of the series', default: false }),
          ),
        },
        { description: 'How much of a series to change' },
      ),
    ),
  }),
  example: { ...exampleMeeting, topic: 'Weekly review, new agenda' },
  reply: Type.Object({ ...meetingReply.properties, ...changedDates }),
  sentBack: readMeetingFields,
  idempotent: true,
  versioned: true,
  problems: [
    'meeting_not_found',
    'occurrence_not_found',
    'forbidden',
    'meeting_cancelled',
    'meeting_over',
    'occurrence_cancelled',
    'occurrence_over',
    'stale_version',
    'too_many_invitations',
    'too_many_changed',
  ],
})

/** POST rather than DELETE: the body says how much of the series to cancel. */
export const cancelMeeting = endpoint({
  name: 'cancelMeeting',
  method: 'POST',
  path: '/api/meeting/cancel/:meetingId',
  tag: 'Meetings',
  summary: 'Cancel one occurrence, one and all that follow, or all that lie ahead',
  description:
    '`current` cancels the date that is running, or else the next one; of a series with nothing running or ahead it and ' +
    '`following` are refused (`occurrence_over`). The meeting itself gets `cancelled` only where none of its dates was held and none is ' +
    'left. `following` ends the series before the occurrence: answers and changes of earlier ones stay. Where no earlier ' +
    'one is left, it is `all`, which cancels the meeting: a date that is running goes on to its end, in the room, lists ' +
    'and calendars. A single meeting is cancelled by each of the three, also while it runs. To repeat `current` safely, ' +
    'send `occurrence` or an `Idempotency-Key`. A call in progress goes on for the people in it until they have left; ' +
    '`endCall` ends it.',
  access: 'meeting:delete',
  cost: 'query',
  params: meetingPath,
  query: Type.Object({
    ...sendUpdates.properties,
    undoable: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'With a session: send no email for half a minute, in which `undoCancellation` and `restoreOccurrence` undo it. ' +
          'Without effect with a token',
      }),
    ),
  }),
  body: Type.Object({
    ...guestMessage,
    cancel: choice(['current', 'following', 'all'], {
      description:
        '`current`: the date of a series that is running, or else the next one; `following`: a date and all after it; ' +
        '`all`: every date that has not begun',
    }),
    occurrence: Type.Optional(
      timestamp({
        description:
          'With `current` and `following`: the start of the (first) occurrence; when absent, the one that is running, or ' +
          'else the next one',
      }),
    ),
    endCall: Type.Optional(
      Type.Boolean({
        description:
          'Also end the call that is in progress, when it is that of a date that is cancelled. Without it, no one else ' +
          'can come in, and the people inside stay until they leave',
      }),
    ),
  }),
  example: { cancel: 'current' },
  reply: Type.Object({
    ...statusReply.properties,
    undoableUntil: Type.Optional(
      timestamp({ description: 'With `undoable`: no email is sent before; absent where nothing can be undone' }),
    ),
  }),
  idempotent: true,
  versioned: true,
  problems: ['meeting_not_found', 'forbidden', 'stale_version', 'too_many_skipped'],
})

export const undoCancellation = endpoint({
  name: 'undoCancellation',
  method: 'POST',
  path: '/api/meeting/cancel/:meetingId/undo',
  tag: 'Meetings',
  summary: 'Undo your cancellation of a meeting, or of a date and all that follow',
  description:
    'For half a minute after a cancellation with `undoable`, for the person who made it. The meeting is as it was, with ' +
    'its guests, answers, PIN and links, and guests are mailed nothing. Afterwards, or when the meeting was changed ' +
    'since, 409 `undo_over`. A second call changes nothing. A single cancelled date is restored by `restoreOccurrence`, ' +
    'at any time.',
  access: 'session',
  cost: 'query',
  params: meetingPath,
  reply: meetingReply,
  versioned: true,
  problems: ['meeting_not_found', 'forbidden', 'stale_version', 'undo_over'],
})

export const restoreMeeting = endpoint({
  name: 'restoreMeeting',
  method: 'POST',
  path: '/api/meeting/cancel/:meetingId/restore',
  tag: 'Meetings',
  summary: 'Let a cancelled meeting take place again',
  description:
    'The meeting has the same Meeting ID, PIN and links, its guests and their answers. Of a series, the dates that are ' +
    'running or ahead take place again, except those that were cancelled one by one; those that passed while it was ' +
    'cancelled stay cancelled. Guests who were mailed the cancellation are mailed that it takes place again. Where no ' +
    'date is running or ahead, 409 `meeting_over`. A second call changes nothing.',
  access: 'meeting:update',
  cost: 'query',
  params: meetingPath,
  query: sendUpdates,
  reply: meetingReply,
  idempotent: true,
  versioned: true,
  problems: [
    'meeting_not_found',
    'forbidden',
    'meeting_over',
    'stale_version',
    'too_many_invitations',
    'too_many_skipped',
  ],
})

const utcOffset = (description: string) => Type.String({ description, examples: ['+01:00'] })

export const previewMeeting = endpoint({
  name: 'previewMeeting',
  method: 'POST',
  path: '/api/meeting/preview',
  tag: 'Meetings',
  summary: 'See when a meeting would take place, before it is scheduled',
  description:
    'Takes the times and the rule of a meeting, finds the same faults with them as scheduling does, and keeps nothing. ' +
    'With `meetingId` they are what that meeting is to be changed to: its dates ahead are answered, and what the change ' +
    'does to dates that are cancelled or known already. That takes the scope `meeting:update` as well.',
  access: 'meeting:create',
  cost: 'heavy',
  body: Type.Object({
    startTime: meetingRequest.properties.startTime,
    endTime: meetingRequest.properties.endTime,
    repeatOptions: meetingRequest.properties.repeatOptions,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'How many dates to compute at most' }),
    ),
    meetingId: Type.Optional(Type.String({ maxLength: 64, description: 'The meeting that is to be changed' })),
  }),
  example: {
    startTime: '2030-01-07T09:00:00Z',
    endTime: '2030-01-07T09:45:00Z',
    repeatOptions: { repeat: 'weekly', daysOfWeek: [0, 1, 0, 0, 0, 0, 0], timeZone: 'UTC' },
    limit: 5,
  },
  reply: Type.Object({
    timeZoneIana: Type.String({ description: 'The zone that the dates are computed in', examples: ['Asia/Kolkata'] }),
    endDate: nullableText({ format: 'date-time', description: 'As it would be kept, also of a `count`' }),
    occurrences: Type.Array(
      Type.Object({
        ...occurrence.properties,
        localStart: Type.String({
          description: 'What the clock shows there; later than at the others in an hour that a clock change leaves out',
          examples: ['2026-11-23T09:00:00'],
        }),
        utcOffset: utcOffset('Offset from UTC at the start'),
      }),
      { description: 'The first dates, with `meetingId` those ahead' },
    ),
    moreAvailable: Type.Boolean({ description: 'Whether more dates follow these' }),
    shifts: Type.Array(
      Type.Object({
        startTime: timestamp({ description: 'The first date after the change, in UTC' }),
        before: utcOffset('Offset from UTC until then'),
        after: utcOffset('Offset from UTC from then on'),
      }),
      { description: 'Where the clock is changed: the first occurrence after it' },
    ),
    warnings: Type.Array(choice(['starts_in_past', 'over']), {
      description: '`starts_in_past`: `startTime` has passed; `over`: every date has, and no one would be mailed',
    }),
    ...changedDates,
    droppedCancellations: Type.Array(
      Type.Object({ startTime: timestamp({ description: 'Start of the date in UTC' }) }),
      {
        maxItems: 100,
        description:
          'Cancelled dates ahead that the changed series does not have: they are no longer remembered as cancelled',
      },
    ),
  }),
  problems: ['meeting_not_found', 'forbidden', 'meeting_cancelled'],
})
