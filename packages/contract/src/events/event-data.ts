import { type TProperties, Type } from 'typebox'
import { meetingFieldNames, meetingTextNames } from '../meetings/meeting-fields.ts'
import { invitationResponses } from '../meetings/meeting-reply.ts'
import { roomRoles } from '../rooms/room-fields.ts'
import { scopeNames } from '../scopes.ts'
import { choice, emailAddress, nullableText, timestamp } from '../value.ts'

/*
 * The data of events: ids, versions, and the names of what changed. A receiver reads the rest from the API, with its own
 * rights. No event contains a PIN, a host key, a password or a token.
 */

/**
 * PINs and keys of meetings, and links with them: with `payload: full`, webhooks receive the meeting without these. A
 * receiver that needs them reads the meeting.
 */
export const secretMeetingFields = ['pin', 'meetingUrl', 'addToSvcUrl', 'url', 'roomKey', 'roomUrl', 'vpin'] as const

const userId = Type.String({ description: 'The account that the event belongs to' })

const meeting = {
  userId: Type.String({ description: 'The host' }),
  meetingId: Type.String({ description: '`_id` of the meeting' }),
  svcMeetId: Type.String({ description: 'The Meeting ID', examples: ['2093846571'] }),
  __v: Type.Integer({ description: 'The version of the meeting right after the event' }),
  topic: Type.String({ description: 'Title of the meeting right after the event' }),
  joinUrl: Type.String({ description: 'The page of the meeting, without its PIN' }),
}

const originalStartTime = timestamp({ description: 'Names the occurrence: the start that the rule gives' })

export const meetingData = <More extends TProperties>(more: More) =>
  Type.Object({ ...meeting, ...more }, { additionalProperties: false })

export const changedMeetingFields = [...meetingFieldNames, 'userId', 'status'] as const
export type ChangedMeetingField = (typeof changedMeetingFields)[number]

export const changedOccurrenceFields = ['startTime', 'endTime', ...meetingTextNames] as const
export type ChangedOccurrenceField = (typeof changedOccurrenceFields)[number]

export const changedFields = <const Names extends readonly string[]>(names: Names) => ({
  changed: Type.Array(choice(names), { description: 'The fields with another value, by their names in replies' }),
})

export const ofOccurrence = { originalStartTime }

export const ofResponse = {
  email: emailAddress({ description: 'The participant' }),
  displayName: Type.Optional(Type.String({ description: 'What the host calls them; absent for no name' })),
  response: choice(invitationResponses, { description: 'The response that counts now' }),
  originalStartTime: Type.Optional(
    timestamp({ description: 'Where the response is to one occurrence; absent for the whole meeting' }),
  ),
}

export const ofParticipant = {
  participant: Type.Object(
    {
      admissionId: Type.String({ description: 'Names the person in this meeting' }),
      name: Type.String({ description: 'Empty for a guest who gave none' }),
      email: nullableText({ description: 'Email address of an account whose address is confirmed; null for a guest' }),
      role: choice(roomRoles, { description: 'Role at that moment' }),
    },
    { additionalProperties: false },
  ),
}

export const ofFailedAddress = { email: emailAddress({ description: 'The address that no email reached' }) }

export const ofNewMeeting = {
  continues: Type.Optional(Type.String({ description: '`_id` of the series that this meeting continues' })),
}

export const grantData = Type.Object(
  {
    userId: Type.String({ description: 'The person who has granted the scopes' }),
    grantId: Type.String({ description: '`_id` of the grant' }),
    appId: Type.String({ description: '`_id` of the app' }),
    sandbox: Type.Boolean({ description: 'Whether the grant is to the sandbox of the app' }),
    scopes: Type.Array(choice(scopeNames), { description: 'All scopes of the grant; none after its revocation' }),
  },
  { additionalProperties: false },
)

const app = {
  userId: Type.String({ description: 'The owner of the app' }),
  appId: Type.String({ description: '`_id` of the app' }),
  name: Type.String({ description: 'The name of the app' }),
}

export const appData = Type.Object(app, { additionalProperties: false })

export const secretData = Type.Object(
  {
    ...app,
    secretId: Type.String({ description: '`_id` of the secret' }),
    secretName: Type.String({ description: 'The name that its owner gave the secret' }),
    sandbox: Type.Boolean({ description: 'Whether it is a secret of the sandbox' }),
    expiresOn: timestamp({ description: 'When the secret expires' }),
  },
  { additionalProperties: false },
)

export const webhookData = <More extends TProperties>(more: More) =>
  Type.Object(
    { userId, webhookId: Type.String({ description: '`_id` of the webhook' }), ...more },
    { additionalProperties: false },
  )
