import { type Static, Type } from 'typebox'
import { advancedOptionsReply } from './meeting-request.ts'
import { unusedFieldSchemas } from './openapi/unused-fields.ts'
import { choice, nullableInteger, nullableText, timestamp } from './value.ts'

/** All strings are empty when there is no picture. */
export const imageMeta = Type.Object({
  baseurl: Type.String(),
  filePath: Type.String(),
  mOn: timestamp(),
  path: Type.String(),
})

/** A person's response to an invitation; absent until they respond. */
export const invitationResponses = ['accepted', 'tentative', 'declined'] as const
export type InvitationResponse = (typeof invitationResponses)[number]

const responseCounts = Type.Object(
  { accepted: Type.Integer(), tentative: Type.Integer(), declined: Type.Integer(), none: Type.Integer() },
  { description: 'How many participants and cohosts have given which response; `none`: no response. To the host' },
)
export type ResponseCounts = Static<typeof responseCounts>

const participant = Type.Object({
  email: Type.String(),
  userId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  lname: Type.Optional(Type.String()),
  phoneNo: Type.Optional(Type.String({ description: 'To the host only' })),
  response: Type.Optional(
    choice(invitationResponses, { description: 'What they answered; to the host, and to themselves' }),
  ),
  comment: Type.Optional(
    Type.String({ description: 'What they wrote with their response in a calendar program; to the host only' }),
  ),
  mailFailedOn: Type.Optional(
    timestamp({ description: 'When mail to this address was last given up; to the host only' }),
  ),
  mailDelayedUntil: Type.Optional(
    timestamp({ description: 'Until when the daily limits hold back a mail to this address; to the host only' }),
  ),
})

const repeatOptionsReply = Type.Object({
  repeat: Type.String(),
  interval: nullableInteger(),
  daysOfWeek: Type.Array(Type.Integer()),
  dateInMonth: Type.Integer(),
  lastDayOfMonth: Type.Boolean(),
  weeksInMonth: Type.Array(Type.Integer()),
  endDate: nullableText({
    format: 'date-time',
    description: 'The last start, inclusive; also of a series with `count`',
  }),
  count: nullableInteger({
    description:
      'After how many occurrences the series ends, cancelled ones included; null: it ends by `endDate`, or never',
  }),
  repeatUntill: Type.Null(),
  timeZone: Type.String({ description: 'As it was sent' }),
  timeZoneIana: Type.String({ description: 'The zone that occurrences are computed in' }),
})

const meetingFields = {
  _id: Type.String(),
  svcMeetId: Type.String({ examples: ['9651912175'] }),
  meetingUrl: Type.String(),
  addToSvcUrl: Type.String(),
  pin: Type.String(),
  topic: Type.String(),
  description: Type.String(),
  startTime: timestamp(),
  endTime: timestamp(),
  scheduledDuration: Type.Integer({ description: 'Milliseconds' }),
  participants: Type.Array(participant),
  cohosts: Type.Array(Type.String()),
  cohostDetails: Type.Array(participant, { description: 'The cohosts, with what is said of participants' }),
  advancedOptions: advancedOptionsReply,
  isPinEnabled: Type.Boolean(),
  repeatOptions: repeatOptionsReply,
  reminderMinutes: nullableInteger({ description: 'Null: as the service is configured' }),
  status: choice(['active', 'cancelled']),
  recur: Type.Boolean(),
  createdBy: Type.String(),
  modifiedBy: Type.String(),
  userId: Type.String(),
  tenantId: Type.String(),
  roomId: Type.String(),
  createdOn: timestamp(),
  modifiedOn: timestamp(),
  __v: Type.Integer(),
  notificationsSend: Type.Object({
    invitationMail: Type.Boolean(),
    reminderMail: Type.Boolean(),
    cancellationMail: Type.Boolean(),
  }),
  ...unusedFieldSchemas,
}

const hostFields = {
  name: Type.String(),
  lname: Type.String(),
  email: Type.String(),
  phoneNo: Type.String(),
}

const occurrenceResponse = Type.Object({
  email: Type.String(),
  response: choice(invitationResponses),
  comment: Type.Optional(Type.String()),
})

/** What every occurrence in a reply has. */
export const occurrenceFields = {
  startTime: timestamp(),
  endTime: timestamp(),
  originalStartTime: timestamp({ description: 'The start that the rule gives, which names the occurrence' }),
  status: choice(['active', 'changed', 'cancelled'], {
    description: '`changed`: it takes place, with times or texts of its own',
  }),
}

export const occurrence = Type.Object({
  ...occurrenceFields,
  topic: Type.Optional(Type.String({ description: 'Where it has its own' })),
  description: Type.Optional(Type.String({ description: 'Where it has its own' })),
  response: Type.Optional(
    choice(invitationResponses, { description: "A guest's own: to this occurrence, else to the series" }),
  ),
  responseCounts: Type.Optional(responseCounts),
  responses: Type.Optional(
    Type.Array(occurrenceResponse, {
      maxItems: 1000,
      description: 'Who answered about this occurrence apart from the series; to the host. At most 1,000 in one reply',
    }),
  ),
})
export type OccurrenceReply = Static<typeof occurrence>

/** The other parts of a series that was split (`splitMeeting`). */
export const meetingLinks = {
  continues: nullableText({
    description: '`_id` of the meeting that this one continues; null also where the caller may not read that meeting',
  }),
  continuedBy: nullableText({
    description: '`_id` of the meeting that continues this one; null also where the caller may not read that meeting',
  }),
}

const dates = Type.Object({ startTime: timestamp(), endTime: timestamp() })

/** The effect of a changed schedule on dates that participants know. */
export const changedDates = {
  restoredOccurrences: Type.Array(dates, {
    maxItems: 100,
    description: 'Dates ahead that had been cancelled and take place again',
  }),
  removedOccurrences: Type.Array(dates, {
    maxItems: 100,
    description: 'Dates ahead that were to take place and no longer do: the first of them',
  }),
}

/** The reply of create and update. */
export const meetingReply = Type.Object(meetingFields)
export type MeetingReply = Static<typeof meetingReply>

/**
 * The reply of reading one meeting, with what is needed to enter. Fields for the host are empty for all others.
 */
export const singleMeetingReply = Type.Object({
  ...meetingFields,
  ...meetingLinks,
  url: Type.String(),
  extension: Type.String(),
  roomKey: Type.String(),
  roomUrl: Type.String(),
  vpin: Type.String(),
  gatewayIp: Type.String(),
  privateIp: Type.String(),
  hostInfo: Type.Object(hostFields),
  responseCounts: Type.Optional(responseCounts),
  occurrences: Type.Optional(Type.Array(occurrence)),
})
export type SingleMeetingReply = Static<typeof singleMeetingReply>

export const listedMeetingReply = Type.Object({
  ...meetingFields,
  participants: Type.Array(Type.Object({ ...participant.properties, imageMeta: Type.Optional(imageMeta) })),
  hostInfo: Type.Object({ ...hostFields, _id: Type.String(), imageMeta }),
  imageMeta,
  nextOccurrence: Type.Optional(
    Type.Object(occurrenceFields, {
      description: 'Only with `past=false`: the date that is running or comes next, which the list is ordered by',
    }),
  ),
})
export type ListedMeetingReply = Static<typeof listedMeetingReply>
