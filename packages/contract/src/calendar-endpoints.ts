import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { meetingPath } from './meetings/meeting-request.ts'
import { nullableText, statusReply, timestamp } from './value.ts'

export const readInvite = endpoint({
  name: 'readInvite',
  method: 'GET',
  path: '/api/meeting/meetingDetails/:meetingId/invite.ics',
  tag: 'Meetings',
  summary: 'Read one meeting as a file for calendars',
  description:
    'iCalendar (RFC 5545) without a method, as CalDAV servers take it (RFC 4791, 4.1). Of a cancelled series it holds what took place.',
  access: 'meeting:read',
  cost: 'compose',
  params: meetingPath,
  reply: Type.String(),
  mediaType: 'text/calendar',
  conditional: true,
  problems: ['meeting_not_found', 'too_many_requests'],
})

export const readCalendar = endpoint({
  name: 'readCalendar',
  method: 'GET',
  path: '/calendar/:secret.ics',
  tag: 'Calendars',
  summary: 'Read all meetings of a person, as calendars do that subscribe to them',
  description:
    'iCalendar (RFC 5545). The address itself is the secret: every program that has it can read the calendar.',
  access: 'anyone',
  cost: 'compose',
  params: Type.Object({ secret: Type.String({ description: 'The secret part of the address' }) }),
  reply: Type.String(),
  mediaType: 'text/calendar',
  conditional: true,
  problems: ['calendar_not_found', 'too_many_requests'],
})

export const createCalendarFeed = endpoint({
  name: 'createCalendarFeed',
  method: 'POST',
  path: '/api/calendar/feed',
  tag: 'Calendars',
  summary: 'Make the address at which programs read your calendar',
  description: 'The `url` stands in this answer only. An address that was made before ends at once.',
  access: 'session',
  cost: 'light',
  reply: Type.Object({
    url: Type.String({ format: 'uri', description: 'Address for calendar programs; keep it secret' }),
    createdOn: timestamp({ description: 'When the address was made' }),
  }),
  replyStatuses: [201],
  problems: [],
})

export const readCalendarFeed = endpoint({
  name: 'readCalendarFeed',
  method: 'GET',
  path: '/api/calendar/feed',
  tag: 'Calendars',
  summary: 'See whether your calendar has an address',
  access: 'session',
  cost: 'light',
  reply: Type.Object({
    createdOn: nullableText({
      format: 'date-time',
      description: 'When the address was made; null where there is none',
    }),
  }),
  problems: [],
})

export const deleteCalendarFeed = endpoint({
  name: 'deleteCalendarFeed',
  method: 'DELETE',
  path: '/api/calendar/feed',
  tag: 'Calendars',
  summary: 'End the address of your calendar at once',
  access: 'session',
  cost: 'light',
  reply: statusReply,
  problems: ['calendar_not_found'],
})
