import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { roomRoles } from '../rooms/room-fields.ts'
import { afterCursor, choice, nullableInteger, pageFields, pageSize, statusReply, timestamp } from '../value.ts'
import { meetingColour } from './meeting-colour-endpoints.ts'
import { invitationResponses, listedMeetingReply, occurrenceFields } from './meeting-reply.ts'
import { meetingPath } from './meeting-request.ts'

const meetingListRoles = ['host', 'participant', 'all'] as const
export const dateFilters = ['active', 'all'] as const

const roleFilter =
  'Only meetings that the user hosts or cohosts (`host`), or is invited to or has added (`participant`)'

const userPath = Type.Object({
  userId: Type.String({ description: 'Your own user id (`_id` of the profile), or `me`', examples: ['me'] }),
})

export const listMeetings = endpoint({
  name: 'listMeetings',
  method: 'GET',
  path: '/api/meeting/:userId',
  tag: 'Meetings',
  summary: "List a user's meetings",
  description:
    '`me` in place of the user id is the caller. Another id is that of a person of whose organisation the caller is an ' +
    'administrator; the look is in the audit log.',
  access: 'meeting:read',
  cost: 'heavy',
  params: userPath,
  query: Type.Object({
    tpClientOnly: Type.Optional(Type.Boolean({ description: 'Only meetings made by the calling app' })),
    limit: pageSize(200, 50),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        default: 0,
        description:
          'How many meetings to skip; `after`, in place of it, finds the next page faster, and misses none that moved',
      }),
    ),
    after: afterCursor,
    past: Type.Optional(
      Type.Boolean({ description: '`true`: wholly over; `false`: something is running or ahead; all when absent' }),
    ),
    fromDate: Type.Optional(timestamp({ description: 'Only meetings with an occurrence that ends after this' })),
    toDate: Type.Optional(timestamp({ description: 'Only meetings with an occurrence that starts before this' })),
    status: Type.Optional(
      choice(['active', 'cancelled', 'all'], { default: 'active', description: 'Only meetings with this status' }),
    ),
    q: Type.Optional(Type.String({ maxLength: 250, description: 'Part of the topic, in any case' })),
    role: Type.Optional(choice(meetingListRoles, { default: 'all', description: roleFilter })),
    order: Type.Optional(
      choice(['asc', 'desc'], {
        description:
          'By start: of the date that is running or comes next, or of the last one where all are over. Absent: `asc` with ' +
          '`past`; without `past`, what is running or ahead, the next one first, and then what is over, the latest first',
      }),
    ),
  }),
  reply: Type.Object({
    totalCount: Type.Integer({ description: 'How many meetings there are on all pages' }),
    ...pageFields,
    meetingDetails: Type.Array(listedMeetingReply, { description: 'The meetings of this page' }),
  }),
  problems: ['account_not_found'],
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
  cost: 'query',
  params: Type.Object({ svcMeetId: Type.String({ description: 'Meeting ID of the link: ten digits' }) }),
  body: Type.Object({ pin: Type.String({ maxLength: 32, description: 'PIN of the meeting, in any case' }) }),
  example: { pin: '7kq2mx' },
  reply: Type.Object({
    ...statusReply.properties,
    meetingId: Type.String({ description: '`_id` of the meeting' }),
  }),
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
  cost: 'light',
  params: meetingPath,
  reply: statusReply,
  problems: ['meeting_not_found'],
})

/** A meeting together with one of its dates. */
const datedMeeting = {
  meetingId: Type.String({ description: '`_id` of the meeting' }),
  svcMeetId: Type.String({ description: 'Meeting ID that people type to join: ten digits' }),
  topic: Type.String({ description: 'Title of this date' }),
  ...occurrenceFields,
  recur: Type.Boolean({ description: 'Whether the meeting repeats' }),
}

export const listCalendar = endpoint({
  name: 'listCalendar',
  method: 'GET',
  path: '/api/meeting/calendar/:userId',
  tag: 'Meetings',
  summary: "List when a user's meetings take place",
  description:
    'Every date of every meeting that overlaps the range, in order of start. `me` in place of the user id is the caller; ' +
    'another id as for `listMeetings`, without `svcMeetId` and `room`.',
  access: 'meeting:read',
  cost: 'heavy',
  params: userPath,
  query: Type.Object({
    fromDate: timestamp({ description: 'Only dates that end after this' }),
    toDate: timestamp({ description: 'Only dates that start before this; at most 100 days after `fromDate`' }),
    limit: pageSize(1000, 500),
    status: Type.Optional(
      choice(dateFilters, { default: 'active', description: '`all`: cancelled dates and meetings as well' }),
    ),
    role: Type.Optional(choice(meetingListRoles, { default: 'all', description: roleFilter })),
  }),
  reply: Type.Object({
    occurrences: Type.Array(
      Type.Object({
        ...datedMeeting,
        role: choice(roomRoles, {
          description: 'What the user is in it; `participant` also of a meeting that they have added by its link',
        }),
        colour: meetingColour,
        response: Type.Optional(
          choice([...invitationResponses, 'none'], {
            description:
              "The caller's own answer: to this date, else to the series; `none` while there is no answer. Absent where " +
              'the caller is the host, or has added the meeting by its link, and in the calendar of another person',
          }),
        ),
        room: Type.Optional(
          choice(['occupied', 'ended'], {
            description:
              'Of the date that the room is used for now: `occupied` while a person is inside, `ended` once a host has ' +
              'ended it for everyone. Absent where only the time says something of it',
          }),
        ),
      }),
      { description: 'The dates, in order of start' },
    ),
    moreAvailable: Type.Boolean({ description: 'Whether the range has more dates than `limit`' }),
  }),
  problems: ['account_not_found'],
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
  cost: 'heavy',
  query: Type.Object({
    start: timestamp({ description: 'Start of the interval' }),
    end: timestamp({ description: 'End of the interval, at most 31 days after `start`' }),
  }),
  reply: Type.Object({
    conflicts: Type.Array(
      Type.Object({
        ...datedMeeting,
        role: choice(roomRoles, { description: 'What the caller is in it' }),
      }),
      { maxItems: 50, description: 'At most 50 dates' },
    ),
    moreAvailable: Type.Boolean({
      description:
        'Whether there may be further dates: there are more than 50, or too many declined ones to read them all',
    }),
  }),
  problems: [],
})

const agendaLists = ['ahead', 'invitations', 'past', 'cancelled'] as const

/** A date in the pages' list of meetings, with what its row shows and offers. */
const agendaDate = Type.Object({
  ...datedMeeting,
  pin: Type.String({ description: 'PIN of the meeting, for the link to join' }),
  repeat: Type.String({ description: '`none`, `daily`, `weekly` or `monthly`' }),
  interval: nullableInteger({ description: 'Every how many days, weeks or months; null for a single meeting' }),
  role: choice(roomRoles, {
    description: 'What the caller is in it; `participant` also of a meeting that they have added by its link',
  }),
  colour: meetingColour,
  host: Type.String({ description: 'Name of the host' }),
  people: Type.Array(Type.String(), {
    maxItems: 3,
    description:
      'The first invited people besides the caller: their names, or addresses where no account is known; empty for a ' +
      'caller who has only added the meeting by its link',
  }),
  photoUrls: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 4,
      description:
        'Paths of the photos of the host and of `people`, in this order; empty for a person without one. Absent where no ' +
        'one has one',
    }),
  ),
  peopleCount: Type.Integer({ description: 'How many people are invited besides the caller' }),
  invited: Type.Boolean({ description: 'Whether the caller is invited, and can answer' }),
  response: Type.Optional(
    choice(invitationResponses, { description: 'What the caller has answered: to this date, else to the series' }),
  ),
  room: Type.Optional(
    choice(['occupied', 'ended'], {
      description: '`occupied` while a person is inside, `ended` once a host has ended this date for everyone',
    }),
  ),
  foundInDescription: Type.Optional(
    Type.Literal(true, { description: 'The description has words of the search that the topic does not have' }),
  ),
})

export const listAgenda = endpoint({
  name: 'listAgenda',
  method: 'GET',
  path: '/api/meeting/agenda',
  tag: 'Meetings',
  summary: 'List your meetings date by date',
  description:
    '`ahead`: every date that is running or ahead, and every overrun date that a person is still inside, in order of ' +
    'start. `invitations`: what you have not answered, each meeting once, at its next date. `past`: every date that took ' +
    'place, and a running one that its host has ended, the latest first. `cancelled`: cancelled meetings, each once, the ' +
    'latest first. A series without an end has a further page after each.',
  access: 'session',
  cost: 'heavy',
  query: Type.Object({
    list: Type.Optional(choice(agendaLists, { default: 'ahead', description: 'Which dates' })),
    limit: pageSize(100, 30),
    after: afterCursor,
    q: Type.Optional(
      Type.String({
        maxLength: 250,
        description:
          'Part of the topic, or of the name or address of a person, in any case; or beginnings of words, all of which ' +
          'the description and the topic have, without accents',
      }),
    ),
    role: Type.Optional(choice(meetingListRoles, { default: 'all', description: roleFilter })),
  }),
  reply: Type.Object({
    dates: Type.Array(agendaDate, { description: 'The dates of this page, in order' }),
    totalCount: Type.Optional(
      Type.Integer({
        description: 'How many meetings there are on all pages; of `invitations` and `cancelled`, without `q`',
      }),
    ),
    searchedTo: Type.Optional(
      timestamp({
        description:
          'With `q`: no single meeting that starts later (of `past` and `cancelled`: earlier) has been searched, and the ' +
          'next page continues there. Absent where the page is full, or nothing is left to search',
      }),
    ),
    ...pageFields,
  }),
  problems: [],
})
