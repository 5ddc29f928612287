import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { invitationResponses } from '../meetings/meeting-reply.ts'
import { afterCursor, choice, noContent, nullableText, pageFields, pageSize, timestamp } from '../value.ts'

/** The kinds of notifications, and the setting of the profile that switches each off. */
export const notificationSettings = {
  invited: 'notifyOfInvitations',
  changed: 'notifyOfChanges',
  cancelled: 'notifyOfChanges',
  restored: 'notifyOfChanges',
  answered: 'notifyOfAnswers',
  waiting: 'notifyOfWaiting',
  starting: 'notifyOfStarts',
  started: 'notifyOfStarts',
  reviewed: 'notifyOfReviews',
} as const
export type NotificationKind = keyof typeof notificationSettings
export const notificationKinds = Object.keys(notificationSettings) as readonly NotificationKind[]

const reviewOutcomes = ['approved', 'rejected', 'on_hold', 'suspended'] as const

/** Older ones are deleted: people do not scroll further, and an account has few rows. */
export const maxNotifications = 200

const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description })

const notification = Type.Object({
  _id: Type.String({ description: 'The id of the notification' }),
  kind: choice(notificationKinds, {
    description:
      'What happened: `invited`, `changed`, `cancelled`, `restored` to a meeting of others; `answered`, `waiting` at a ' +
      'meeting that the person hosts or at their own room; `starting`, five minutes before a date that the person hosts ' +
      'or is invited to and has not declined, and `started` once the first person is in its call, in place of the former; ' +
      '`reviewed` to an app of the person',
  }),
  createdOn: timestamp({ description: 'When it happened' }),
  readOn: nullableTime('When the person has read it; null until then'),
  meetingId: nullableText({ description: '`_id` of the meeting; null where it is about an app or an own room' }),
  roomCode: nullableText({
    description:
      'The code to join with (`svcMeetId`), of `starting` and `started`, and of `waiting` at the own room of the person; null otherwise',
  }),
  appId: nullableText({ description: '`_id` of the app; null where it is about a meeting' }),
  subject: Type.String({
    description: 'The topic of the meeting, or the name of the app, at that time; empty for an own room',
  }),
  person: Type.String({
    description:
      'The name of the host, of the person who answered (the address where no account of your organisation is known by ' +
      'it), or of the person who waits; may be empty',
  }),
  startTime: nullableTime(
    'The start of the meeting or of the one date, as it was right after; null where there is none',
  ),
  originalStartTime: nullableTime('Names the one date of a series that it is about; null for the whole meeting'),
  response: Type.Unsafe<(typeof invitationResponses)[number] | null>({
    type: ['string', 'null'],
    enum: [...invitationResponses, null],
    description: 'The answer, of `answered`; null otherwise',
  }),
  outcome: Type.Unsafe<(typeof reviewOutcomes)[number] | null>({
    type: ['string', 'null'],
    enum: [...reviewOutcomes, null],
    description: 'What became of the app, of `reviewed`; null otherwise',
  }),
})
export type Notification = Static<typeof notification>

export const listNotifications = endpoint({
  name: 'listNotifications',
  method: 'GET',
  path: '/api/user/notifications',
  tag: 'Events',
  summary: 'List what happened to you, the newest first',
  description:
    `The newest ${maxNotifications} notifications of the last 30 days. The settings \`notifyOf…\` of the profile decide ` +
    'which kinds are kept from then on. Clients compose the sentence from `kind` and the other fields.',
  access: 'session',
  cost: 'light',
  query: Type.Object({ after: afterCursor, limit: pageSize(100, 30) }),
  reply: Type.Object({
    notifications: Type.Array(notification, { description: 'The notifications of this page, the newest first' }),
    unreadCount: Type.Integer({ description: 'How many are unread, on all pages' }),
    ...pageFields,
  }),
  problems: [],
})

export const markNotificationsRead = endpoint({
  name: 'markNotificationsRead',
  method: 'POST',
  path: '/api/user/notifications/read',
  tag: 'Events',
  summary: 'Mark notifications as read',
  description: 'One of them, or with `upTo` all that are not newer than one: newer ones were not shown yet.',
  access: 'session',
  cost: 'light',
  body: Type.Object({
    notificationId: Type.Optional(Type.String({ maxLength: 36, description: '`_id` of the one that was read' })),
    upTo: Type.Optional(Type.String({ maxLength: 36, description: '`_id` of the newest one that was read' })),
  }),
  example: { upTo: '0197b7a0-5c1e-7d4f-9a52-3c8e1f6b2d40' },
  reply: noContent,
  replyStatuses: [204],
  problems: [],
})
