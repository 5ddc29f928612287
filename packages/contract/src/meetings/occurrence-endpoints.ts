import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { choice, pageSize, timestamp } from '../value.ts'
import { mapTexts } from './meeting-fields.ts'
import { dateFilters } from './meeting-list-endpoints.ts'
import { changedDates, meetingLinks, meetingReply, occurrence } from './meeting-reply.ts'
import { guestMessage, meetingPath, meetingRequest, sendUpdates } from './meeting-request.ts'

export const listOccurrences = endpoint({
  name: 'listOccurrences',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/occurrences',
  tag: 'Meetings',
  summary: 'List when a meeting takes place',
  access: 'meeting:read',
  cost: 'heavy',
  params: meetingPath,
  query: Type.Object({
    from: Type.Optional(timestamp({ description: 'Only dates that end after this; now when absent' })),
    to: Type.Optional(
      timestamp({ description: 'Only dates that start before this; one year after `from` when absent' }),
    ),
    limit: pageSize(1000, 100),
    status: Type.Optional(choice(dateFilters, { default: 'active', description: '`all`: cancelled dates as well' })),
  }),
  reply: Type.Object({
    occurrences: Type.Array(occurrence, { description: 'The dates, in order of start' }),
    moreAvailable: Type.Boolean({ description: 'Whether the range has more dates than `limit`' }),
  }),
  problems: ['meeting_not_found'],
})

const occurrenceOfMeeting = Type.Object({
  ...meetingPath.properties,
  originalStart: Type.String({
    description: '`originalStartTime` of the occurrence, percent-encoded where it has an offset',
    examples: ['2026-11-23T09:00:00Z'],
  }),
})

/** Declared so that they are refused rather than ignored. */
const ofSeries = Type.Optional(
  Type.Unknown({ description: 'Belongs to the series: refused (`not_for_one_occurrence`)' }),
)

const occurrenceProblems = [
  'meeting_not_found',
  'occurrence_not_found',
  'forbidden',
  'meeting_cancelled',
  'occurrence_over',
  'stale_version',
  'too_many_invitations',
] as const

export const changeOccurrence = endpoint({
  name: 'changeOccurrence',
  method: 'PUT',
  path: '/api/meeting/meetingDetails/:meetingId/occurrences/:originalStart',
  tag: 'Meetings',
  summary: 'Change one occurrence of a series',
  description:
    'Fields that are absent stay as they are; `startTime` alone keeps the length. What equals the series follows it again. ' +
    'The answer is the occurrence; the version is that of the meeting.',
  access: 'meeting:update',
  cost: 'query',
  params: occurrenceOfMeeting,
  query: sendUpdates,
  body: Type.Object({
    startTime: Type.Optional(
      timestamp({ description: 'Between the original starts of the occurrences before and after this one' }),
    ),
    endTime: Type.Optional(timestamp({ description: 'After the start, by 24 hours at most' })),
    ...mapTexts((name) => Type.Optional(meetingRequest.properties[name])),
    ...guestMessage,
    participants: ofSeries,
    cohosts: ofSeries,
    advancedOptions: ofSeries,
    isPinEnabled: ofSeries,
    repeatOptions: ofSeries,
    reminderMinutes: ofSeries,
  }),
  example: { startTime: '2030-01-14T10:00:00Z', endTime: '2030-01-14T10:45:00Z' },
  reply: occurrence,
  idempotent: true,
  versioned: true,
  problems: [...occurrenceProblems, 'occurrence_cancelled', 'too_many_changed'],
})

export const undoOccurrenceChange = endpoint({
  name: 'undoOccurrenceChange',
  method: 'DELETE',
  path: '/api/meeting/meetingDetails/:meetingId/occurrences/:originalStart',
  tag: 'Meetings',
  summary: 'Take back the change of one occurrence',
  description: 'The occurrence has the times and texts of the series again. The answer is the occurrence.',
  access: 'meeting:update',
  cost: 'query',
  params: occurrenceOfMeeting,
  query: sendUpdates,
  reply: occurrence,
  idempotent: true,
  versioned: true,
  problems: [...occurrenceProblems, 'occurrence_cancelled'],
})

export const restoreOccurrence = endpoint({
  name: 'restoreOccurrence',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/occurrences/:originalStart/restore',
  tag: 'Meetings',
  summary: 'Let a cancelled occurrence take place again',
  description: 'It has the change that it had before it was cancelled. The answer is the occurrence.',
  access: 'meeting:update',
  cost: 'query',
  params: occurrenceOfMeeting,
  query: sendUpdates,
  reply: occurrence,
  idempotent: true,
  versioned: true,
  problems: [...occurrenceProblems],
})

/** The fields of an update, each of which may be absent. */
const continuedMeeting = Type.Partial(meetingRequest).properties

export const splitMeeting = endpoint({
  name: 'splitMeeting',
  method: 'POST',
  path: '/api/meeting/meetingDetails/:meetingId/split',
  tag: 'Meetings',
  summary: 'Change this and all following occurrences',
  description:
    'The series ends before `occurrence`, and a new meeting continues it from there, with a Meeting ID, PIN and links of ' +
    'its own. Cancelled and changed occurrences from there on belong to the new meeting. Fields that are absent are as ' +
    'they were; `startTime` alone keeps the length, and without `repeatOptions` the new meeting has the occurrences that ' +
    'are left. Guests are mailed both. `If-Match` names the version of the series; the answer is the new meeting. To ' +
    'change a series from its first occurrence on, update it.',
  access: 'meeting:update',
  cost: 'heavy',
  furtherScopes: ['meeting:create'],
  params: meetingPath,
  query: sendUpdates,
  body: Type.Object({
    occurrence: timestamp({
      description: '`originalStartTime` of the first occurrence of the new meeting; not begun, and not the first one',
      examples: ['2026-11-23T09:00:00Z'],
    }),
    ...continuedMeeting,
    ...guestMessage,
  }),
  example: { occurrence: '2030-01-21T09:00:00Z', startTime: '2030-01-21T11:00:00Z', endTime: '2030-01-21T11:45:00Z' },
  reply: Type.Object({ ...meetingReply.properties, ...meetingLinks, ...changedDates }),
  idempotent: true,
  versioned: true,
  problems: ['meeting_not_found', 'forbidden', 'meeting_cancelled', 'stale_version', 'too_many_invitations'],
})
