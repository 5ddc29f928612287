import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { afterCursor, choice, nullableInteger, nullableText, pageFields, pageSize, timestamp } from '../value.ts'
import { type EventData, type EventType, eventTypeNames } from './event-types.ts'

/** All types with commas fit in. */
const maxTypesLength = 1_000

const event = Type.Object({
  id: Type.String({ description: 'Equal at every reading and delivery of this event' }),
  type: choice(eventTypeNames, { description: 'What happened: says what `data` contains' }),
  timestamp: timestamp({ description: 'When it happened' }),
  sequence: nullableInteger({
    description: 'Counts the events of one meeting from 1, without gaps; null for events of no meeting',
  }),
  subject: Type.String({ description: 'The id of the meeting, the grant, the app or the webhook' }),
  actingGrantId: nullableText({
    description:
      'The grant by which an app made the change, for those who may know: the person for whom it acted, and the app itself. ' +
      'Null otherwise',
  }),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'By the type: see docs/events.md',
  }),
})
export type EventReply = Static<typeof event>

/** An event with the data of its type, for programs that follow the log: `type` says which `data` it has. */
export type FollowedEvent<Type extends EventType = EventType> = Type extends EventType
  ? Omit<EventReply, 'type' | 'data'> & { type: Type; data: EventData<Type> }
  : never

export const listEvents = endpoint({
  name: 'listEvents',
  method: 'GET',
  path: '/api/events',
  tag: 'Events',
  summary: 'Read what happened to your meetings, grants and apps, the oldest first',
  description:
    'The events of the last 30 days that belong to the caller: of the meetings that they host, the apps that they have ' +
    'connected and those that they own. `meeting.*`, `participant.*` and `invitation.*` need `meeting:read`. `grant.*` is ' +
    'for signed-in people, and for an app with any token of its own grant. `app.*` and `secret.*` need `apps:manage`, ' +
    'which no app has. Without `type`, the response has the types that the token may read; a type that it may not read ' +
    'is refused.\n\n' +
    'With `follow=true`, the response is a stream that sends these events, and then further ones as they happen. It ends ' +
    'when the right to it ends; reconnect with the `id` that came last, as `Last-Event-ID` or as `after`.',
  access: 'any-scope',
  cost: 'query',
  query: Type.Object({
    after: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The `nextCursor` of the last response, or the `id` of a stream. Absent: from the oldest event; with `follow`, from ' +
          'now on',
      }),
    ),
    follow: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Answer with server-sent events, and send further events as they happen. `limit` has no effect',
      }),
    ),
    type: Type.Optional(
      Type.String({
        maxLength: maxTypesLength,
        description: 'Only events of these types, separated by commas',
        examples: ['meeting.created,meeting.updated'],
      }),
    ),
    meetingId: Type.Optional(Type.String({ maxLength: 100, description: 'Only events of this meeting (`_id`)' })),
    limit: pageSize(200, 50),
  }),
  reply: Type.Object({
    events: Type.Array(event, { description: 'The events, the oldest first' }),
    moreAvailable: pageFields.moreAvailable,
    nextCursor: Type.String({
      description:
        'Continues after what was read: also when there is no event yet, so that a later request misses none',
    }),
  }),
  follow: event,
  problems: ['insufficient_scope', 'session_required', 'app_token_refused', 'cursor_expired'],
})

export const listGrantEvents = endpoint({
  name: 'listGrantEvents',
  method: 'GET',
  path: '/api/oauth2/grants/:grantId/events',
  tag: 'Events',
  summary: 'List what an app changed for you, the newest first',
  description:
    'The events of the last 30 days that an app caused by this grant, also of meetings that others host, such as an ' +
    'answer to an invitation. What the app has read is no event. A grant that has ended keeps its events.',
  access: 'session',
  cost: 'query',
  params: Type.Object({ grantId: Type.String({ description: '`_id` of the grant' }) }),
  query: Type.Object({ after: afterCursor, limit: pageSize(100, 20) }),
  reply: Type.Object({
    events: Type.Array(event, { description: 'The events of this page, the newest first' }),
    ...pageFields,
  }),
  problems: ['grant_not_found'],
})

/** More changes at once are answered by reading everything again. */
export const maxChangedMeetings = 100

export const watchUser = endpoint({
  name: 'watchUser',
  method: 'GET',
  path: '/api/user/events',
  tag: 'Events',
  summary: 'Watch for changes to what you see',
  description:
    'For pages that follow what other browsers and other people change: each message names the meetings that changed ' +
    'since the message before, and their content is read again with the endpoints that show it. Only meetings that you ' +
    'may read are named, and one that you have just been removed from. The first message names none: what a page has ' +
    'read before it may be out of date. Programs follow `listEvents` instead. At most 16 of these are open for an ' +
    'account at an instance.',
  access: 'session',
  cost: 'light',
  stream: true,
  reply: Type.Object({
    number: Type.Integer({ description: 'Counts the messages of this stream that report a change, from 0' }),
    meetingIds: Type.Array(Type.String(), {
      maxItems: maxChangedMeetings,
      description: 'The meetings (`_id`) that changed since the message before, in no order',
    }),
    moreChanged: Type.Boolean({ description: 'Whether further meetings changed, which are not named' }),
    notificationsChanged: Type.Boolean({
      description: 'Whether notifications were added since the message before: `listNotifications` has them',
    }),
  }),
  problems: [],
})
export type UserChanges = Static<typeof watchUser.reply>
