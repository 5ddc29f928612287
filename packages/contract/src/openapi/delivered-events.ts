import { type TProperties, type TSchema, Type } from 'typebox'
import {
  type EventType,
  eventTypeNames,
  eventTypes,
  listEvents,
  secretMeetingFields,
  singleMeetingReply,
} from '../index.ts'

/**
 * The schema of each type of event, as webhooks receive it. Types whose data has the same required fields share a
 * schema: generators make types of each.
 */
const schemaNames = {
  'meeting.created': 'MeetingEvent',
  'meeting.updated': 'MeetingUpdatedEvent',
  'meeting.cancelled': 'MeetingEvent',
  'meeting.started': 'MeetingEvent',
  'meeting.ended': 'MeetingEvent',
  'meeting.occurrence.updated': 'OccurrenceUpdatedEvent',
  'meeting.occurrence.cancelled': 'OccurrenceEvent',
  'meeting.occurrence.restored': 'OccurrenceEvent',
  'participant.responded': 'ResponseEvent',
  'participant.waiting': 'ParticipantEvent',
  'participant.admitted': 'ParticipantEvent',
  'participant.denied': 'ParticipantEvent',
  'participant.joined': 'ParticipantEvent',
  'participant.left': 'ParticipantEvent',
  'invitation.failed': 'InvitationFailedEvent',
  'grant.created': 'GrantEvent',
  'grant.changed': 'GrantEvent',
  'grant.revoked': 'GrantEvent',
  'app.approved': 'AppStatusEvent',
  'app.rejected': 'AppStatusEvent',
  'app.on_hold': 'AppStatusEvent',
  'app.suspended': 'AppStatusEvent',
  'secret.expiring': 'SecretExpiringEvent',
  'webhook.test': 'WebhookEvent',
  'webhook.disabled': 'WebhookEvent',
  'webhook.gap': 'WebhookGapEvent',
} as const satisfies Record<EventType, string>

type SchemaName = (typeof schemaNames)[EventType]

const descriptions: Record<SchemaName, string> = {
  MeetingEvent: 'A meeting was created or cancelled, or has begun or ended in its room.',
  MeetingUpdatedEvent: 'A meeting or a whole series was changed.',
  OccurrenceUpdatedEvent: 'One date of a series was changed.',
  OccurrenceEvent: 'One date of a series was cancelled or restored.',
  ResponseEvent: 'A participant has responded to an invitation.',
  ParticipantEvent: 'A person waits for a meeting, may enter it or may not, joined it or left it.',
  InvitationFailedEvent: 'An email about a meeting was given up.',
  GrantEvent: 'A person has granted scopes to an app, or a grant was changed or has ended.',
  AppStatusEvent: 'The review of an app was decided, or it was suspended or resumed.',
  SecretExpiringEvent: 'A client secret expires soon.',
  WebhookEvent: 'A test event, or a webhook was switched off.',
  WebhookGapEvent: 'A webhook works again, and has missed events.',
}

export const anyEventName = 'DeliveredEvent'

export const schemaNameOf = (type: EventType): SchemaName => schemaNames[type]

const { events } = listEvents.reply.properties
const { data: _, ...envelope } = events.items.properties

const isSecret = (name: string) => secretMeetingFields.some((secret) => secret === name)

/** What `payload: full` adds to events of meetings. */
export const deliveredMeeting = Type.Object(
  Object.fromEntries(Object.entries(singleMeetingReply.properties).filter(([name]) => !isSecret(name))) as TProperties,
)

const meeting = Type.Unsafe({
  ...deliveredMeeting,
  type: ['object', 'null'],
  description:
    'With `payload: full`: the meeting at the time of the attempt, as `GET /api/meeting/meetingDetails/{id}` returns it, ' +
    'without PIN, keys and links that contain them. Null: it cannot be read any more. Absent with `payload: thin`',
})

const test = Type.Boolean({ description: 'True in test events, which change nothing; absent in others' })

function schemaOf(name: SchemaName): TSchema {
  const properties: TProperties = Object.assign(
    {},
    ...eventTypeNames.filter((type) => schemaNames[type] === name).map((type) => eventTypes[type].data.properties),
  )
  const data = Type.Object(properties, { description: 'Ids, versions, and the names of what changed' })
  return Type.Object({
    ...envelope,
    data,
    test: Type.Optional(test),
    ...('meetingId' in properties && { meeting: Type.Optional(meeting) }),
  })
}

const eventSchemas = [...new Set(Object.values(schemaNames))].map((name) => ({
  name,
  schema: schemaOf(name),
  description: descriptions[name],
}))

/** The schemas that requests to webhooks refer to. */
export const deliveredEvents = [
  ...eventSchemas,
  {
    name: anyEventName,
    schema: Type.Union(eventSchemas.map(({ schema }) => schema)),
    description: 'An event of any type, as webhooks receive it.',
  },
]
