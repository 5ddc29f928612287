import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import {
  changedDates,
  invitationResponses,
  listedMeetingReply,
  meetingReply,
  occurrence,
  occurrenceFields,
  singleMeetingReply,
} from './meeting-reply.ts'
import { meetingPath, meetingRequest, sendUpdates } from './meeting-request.ts'
import { choice, emailAddress, nullableText, timestamp } from './value.ts'

export const createMeeting = endpoint({
  name: 'createMeeting',
  method: 'POST',
  path: '/api/meeting',
  tag: 'Meetings',
  summary: 'Schedule a meeting',
  access: 'meeting:create',
  query: sendUpdates,
  body: meetingRequest,
  reply: Type.Object({ status: Type.String(), meetingDetails: meetingReply }),
  idempotent: true,
  versioned: true,
  problems: ['too_many_invitations'],
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
    'refused (`not_for_one_occurrence`). A single meeting is replaced as without it. The answer is the meeting.',
  access: 'meeting:update',
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
    editOptions: Type.Optional(
      Type.Object({
        singleEvent: Type.Optional(
          Type.Boolean({ description: 'Change one occurrence instead of the series', default: false }),
        ),
      }),
    ),
  }),
  reply: Type.Object({ ...meetingReply.properties, ...changedDates }),
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

export const readMeeting = endpoint({
  name: 'readMeeting',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId',
  tag: 'Meetings',
  summary: 'Read one meeting',
  description: 'The answer is an array of one meeting.',
  access: 'meeting:read',
  params: meetingPath,
  query: Type.Object({
    occurrences: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100, description: 'How many of the next occurrences to add' }),
    ),
  }),
  reply: Type.Array(singleMeetingReply),
  versioned: true,
  problems: ['meeting_not_found'],
})

/** POST rather than DELETE: the body says how much of the series to cancel. */
export const cancelMeeting = endpoint({
  name: 'cancelMeeting',
  method: 'POST',
  path: '/api/meeting/cancel/:meetingId',
  tag: 'Meetings',
  summary: 'Cancel one occurrence, or all that lie ahead',
  access: 'meeting:delete',
  params: meetingPath,
  query: sendUpdates,
  body: Type.Object({
    cancel: choice(['current', 'all']),
    occurrence: Type.Optional(timestamp({ description: 'With `current`: the start of the occurrence to cancel' })),
  }),
  reply: Type.Object({ status: Type.String() }),
  idempotent: true,
  versioned: true,
  problems: ['meeting_not_found', 'forbidden', 'stale_version', 'too_many_skipped'],
})

export const respondToMeeting = endpoint({
  name: 'respondToMeeting',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/response',
  tag: 'Meetings',
  summary: 'Answer an invitation',
  description:
    'Records the answer of an invited participant or a cohost, as the links in the invitation do: for all dates of a series ' +
    'or, with `occurrence`, for one, and until the meeting or that date is moved. An answer for one date stays when the ' +
    'series is answered. It can be changed as long as the date, or a date, is left. `__v` stays as it is.',
  access: 'session',
  params: meetingPath,
  body: Type.Object({
    response: choice(invitationResponses),
    occurrence: Type.Optional(
      timestamp({
        description: '`originalStartTime` of the date of a series that is answered; the series when absent',
      }),
    ),
  }),
  reply: Type.Object({
    response: choice(invitationResponses),
    occurrence: Type.Optional(timestamp({ description: 'Where one was answered' })),
  }),
  problems: [
    'meeting_not_found',
    'not_invited',
    'meeting_cancelled',
    'meeting_over',
    'occurrence_not_found',
    'occurrence_cancelled',
    'occurrence_over',
    'too_many_responses',
  ],
})

export const listTimeProposals = endpoint({
  name: 'listTimeProposals',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/proposals',
  tag: 'Meetings',
  summary: 'List the times that participants propose',
  description:
    'Proposals come from calendar programs (RFC 5546, COUNTER). To the host and cohosts; in the order in which they came, ' +
    'without those whose time has passed, and until the meeting or the date is moved.',
  access: 'meeting:read',
  params: meetingPath,
  reply: Type.Object({
    proposals: Type.Array(
      Type.Object({
        _id: Type.String(),
        email: Type.String(),
        occurrence: Type.Optional(
          Type.Object(occurrenceFields, { description: 'The date that it is about; the meeting when absent' }),
        ),
        startTime: timestamp(),
        endTime: timestamp(),
        comment: Type.Optional(Type.String()),
        proposedOn: timestamp(),
      }),
      { maxItems: 200 },
    ),
  }),
  problems: ['meeting_not_found', 'forbidden'],
})

export const dismissTimeProposal = endpoint({
  name: 'dismissTimeProposal',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/proposals/:proposalId/dismiss',
  tag: 'Meetings',
  summary: 'Take a proposed time off the list',
  description: 'No one is notified. The participant can propose a time again.',
  access: 'meeting:update',
  params: Type.Object({ meetingId: Type.String(), proposalId: Type.String() }),
  reply: Type.Object({ status: Type.String() }),
  problems: ['meeting_not_found', 'forbidden', 'proposal_not_found'],
})

export const resendInvitation = endpoint({
  name: 'resendInvitation',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/invitation',
  tag: 'Meetings',
  summary: 'Mail one participant the invitation again',
  description:
    'The mail shows the meeting as it is, under the SEQUENCE that it has. Nothing of the meeting changes. A mail goes to ' +
    'an address at most every two minutes, and within the limits of a day.',
  access: 'meeting:update',
  params: meetingPath,
  body: Type.Object({ email: emailAddress({ description: 'Of an invited participant or a cohost' }) }),
  reply: Type.Object({ status: Type.String() }),
  problems: [
    'meeting_not_found',
    'forbidden',
    'meeting_cancelled',
    'meeting_over',
    'mail_limited',
    'too_many_invitations',
  ],
})

export const addMeeting = endpoint({
  name: 'addMeeting',
  method: 'POST',
  path: '/api/meeting/add/:svcMeetId',
  tag: 'Meetings',
  summary: 'Put a meeting on your list by its link',
  description:
    'A person who adds a meeting sees it as a participant does, but not who else is invited, and is no invited participant ' +
    'themselves. The limits on wrong PINs are those of entering.',
  access: 'session',
  params: Type.Object({ svcMeetId: Type.String() }),
  body: Type.Object({ pin: Type.String({ maxLength: 32 }) }),
  reply: Type.Object({ status: Type.String(), meetingId: Type.String() }),
  problems: [
    'meeting_not_found',
    'wrong_pin',
    'not_invited',
    'meeting_cancelled',
    'too_many_added',
    'too_many_requests',
  ],
})

export const removeAddedMeeting = endpoint({
  name: 'removeAddedMeeting',
  method: 'DELETE',
  path: '/api/meeting/added/:meetingId',
  tag: 'Meetings',
  summary: 'Take a meeting off your list that you have added',
  access: 'session',
  params: meetingPath,
  reply: Type.Object({ status: Type.String() }),
  problems: ['meeting_not_found'],
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
  body: Type.Object({
    startTime: meetingRequest.properties.startTime,
    endTime: meetingRequest.properties.endTime,
    repeatOptions: meetingRequest.properties.repeatOptions,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
    meetingId: Type.Optional(Type.String({ maxLength: 64, description: 'The meeting that is to be changed' })),
  }),
  reply: Type.Object({
    timeZoneIana: Type.String(),
    endDate: nullableText({ format: 'date-time', description: 'As it would be kept, also of a `count`' }),
    occurrences: Type.Array(
      Type.Object({
        ...occurrence.properties,
        localStart: Type.String({
          description: 'What the clock shows there; later than at the others in an hour that a clock change leaves out',
          examples: ['2026-11-23T09:00:00'],
        }),
        utcOffset: utcOffset('Of UTC, at the start'),
      }),
    ),
    moreAvailable: Type.Boolean(),
    shifts: Type.Array(
      Type.Object({ startTime: timestamp(), before: utcOffset('Until then'), after: utcOffset('From then on') }),
      { description: 'Where the clock is changed: the first occurrence after it' },
    ),
    warnings: Type.Array(choice(['starts_in_past', 'over']), {
      description: '`starts_in_past`: `startTime` has passed; `over`: every date has, and no one would be mailed',
    }),
    ...changedDates,
    droppedCancellations: Type.Array(Type.Object({ startTime: timestamp() }), {
      maxItems: 100,
      description:
        'Cancelled dates ahead that the changed series does not have: they are no longer remembered as cancelled',
    }),
  }),
  problems: ['meeting_not_found', 'forbidden', 'meeting_cancelled'],
})

export const listCalendar = endpoint({
  name: 'listCalendar',
  method: 'GET',
  path: '/api/meeting/calendar/:userId',
  tag: 'Meetings',
  summary: "List when a user's meetings take place",
  description:
    'Every date of every meeting that overlaps the range, in order of start. `me` in place of the user id is the caller.',
  access: 'meeting:read',
  params: Type.Object({ userId: Type.String() }),
  query: Type.Object({
    fromDate: timestamp(),
    toDate: timestamp({ description: 'At most 100 days after `fromDate`' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 500 })),
    status: Type.Optional(
      choice(['active', 'all'], { default: 'active', description: '`all`: cancelled dates and meetings as well' }),
    ),
    role: Type.Optional(choice(['host', 'participant', 'all'], { default: 'all' })),
  }),
  reply: Type.Object({
    occurrences: Type.Array(
      Type.Object({
        meetingId: Type.String(),
        svcMeetId: Type.String(),
        topic: Type.String(),
        ...occurrenceFields,
        recur: Type.Boolean(),
        role: choice(['host', 'cohost', 'participant'], {
          description: 'What the user is in it; `participant` also of a meeting that they have added by its link',
        }),
        room: Type.Optional(
          choice(['occupied', 'ended'], {
            description:
              'Of the date that the room is used for now: `occupied` while a person is inside, `ended` once a host has ' +
              'ended it for everyone. Absent where only the time says something of it',
          }),
        ),
      }),
    ),
    moreAvailable: Type.Boolean(),
  }),
  problems: ['forbidden'],
})

export const listConflicts = endpoint({
  name: 'listConflicts',
  method: 'GET',
  path: '/api/meeting/conflicts',
  tag: 'Meetings',
  summary: 'List your meetings that overlap an interval',
  description:
    'Every date of a meeting that the caller hosts, or is invited to and has not declined, in order of start. Cancelled dates ' +
    'are left out, and so are meetings that were only added by their link.',
  access: 'meeting:read',
  query: Type.Object({
    start: timestamp(),
    end: timestamp({ description: 'At most 31 days after `start`' }),
  }),
  reply: Type.Object({
    conflicts: Type.Array(
      Type.Object({
        meetingId: Type.String(),
        svcMeetId: Type.String(),
        topic: Type.String(),
        ...occurrenceFields,
        recur: Type.Boolean(),
        role: choice(['host', 'cohost', 'participant']),
      }),
      { maxItems: 50 },
    ),
    moreAvailable: Type.Boolean(),
  }),
  problems: [],
})

export const listMeetings = endpoint({
  name: 'listMeetings',
  method: 'GET',
  path: '/api/meeting/:userId',
  tag: 'Meetings',
  summary: "List a user's meetings",
  description: '`me` in place of the user id is the caller.',
  access: 'meeting:read',
  params: Type.Object({ userId: Type.String() }),
  query: Type.Object({
    tpClientOnly: Type.Optional(Type.Boolean({ description: 'Only meetings made by the calling app' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
    after: Type.Optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before' })),
    past: Type.Optional(
      Type.Boolean({ description: '`true`: wholly over; `false`: something is running or ahead; all when absent' }),
    ),
    fromDate: Type.Optional(timestamp({ description: 'Only meetings with an occurrence that ends after this' })),
    toDate: Type.Optional(timestamp({ description: 'Only meetings with an occurrence that starts before this' })),
    status: Type.Optional(choice(['active', 'cancelled', 'all'], { default: 'active' })),
    q: Type.Optional(Type.String({ maxLength: 250, description: 'Part of the topic, in any case' })),
    role: Type.Optional(choice(['host', 'participant', 'all'], { default: 'all' })),
    order: Type.Optional(
      choice(['asc', 'desc'], {
        default: 'asc',
        description: 'By start: of the first date, with `past=false` of the next one, with `past=true` of the last one',
      }),
    ),
  }),
  reply: Type.Object({
    totalCount: Type.Integer(),
    moreAvailable: Type.Boolean(),
    nextCursor: nullableText(),
    meetingDetails: Type.Array(listedMeetingReply),
  }),
  problems: ['forbidden'],
})
