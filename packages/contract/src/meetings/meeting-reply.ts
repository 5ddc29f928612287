import { type Static, Type } from 'typebox'
import { unusedFieldSchemas } from '../openapi/unused-fields.ts'
import { choice, nullableInteger, nullableText, timestamp } from '../value.ts'
import { meetingColour } from './meeting-colour-endpoints.ts'
import { mapTexts, meetingTexts } from './meeting-fields.ts'
import { advancedOptionsReply } from './meeting-request.ts'

/** All strings are empty when there is no picture. */
export const imageMeta = Type.Object({
  baseurl: Type.String({ description: 'Start of the address of the picture' }),
  filePath: Type.String({ description: 'Path of the file behind `baseurl`' }),
  mOn: timestamp({ description: 'When the picture was last changed' }),
  path: Type.String({ description: 'Whole address of the picture' }),
})

/** The path that pages show a photo by. Programs take `imageMeta`. */
export const photoUrl = Type.Optional(
  Type.String({
    description: 'Path of the photo on this service; absent without one',
    examples: ['/people/photos/2vZ6y1mCqXb0m4eJ7c9hRA'],
  }),
)

/** The author of a text's last version, as its reader sees it. */
const textAuthors = ['you', 'others'] as const

/** A person's response to an invitation; absent until they respond. */
export const invitationResponses = ['accepted', 'tentative', 'declined'] as const
export type InvitationResponse = (typeof invitationResponses)[number]

const responseCounts = Type.Object(
  {
    accepted: Type.Integer({ description: 'People who come' }),
    tentative: Type.Integer({ description: 'People who may come' }),
    declined: Type.Integer({ description: 'People who do not come' }),
    none: Type.Integer({ description: 'People who have not responded' }),
  },
  {
    description:
      'How many participants and cohosts have given which response; `none`: no response. To the host and administrators',
  },
)
export type ResponseCounts = Static<typeof responseCounts>

const participant = Type.Object({
  email: Type.String({ description: 'Email address, as the host wrote it' }),
  displayName: Type.Optional(
    Type.String({
      description:
        'What the host calls them (`displayName` of the request); absent for no name. The name of an account, where there ' +
        'is `userId`, is their own',
    }),
  ),
  userId: Type.Optional(
    Type.String({
      description: 'User id; absent where no account of the caller’s organisation is known by the address',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'First name in the profile; absent without `userId`' })),
  lname: Type.Optional(Type.String({ description: 'Last name in the profile; absent without `userId`' })),
  phoneNo: Type.Optional(
    Type.String({
      description: 'Phone number; empty for all but the host, cohosts and the person; absent without `userId`',
    }),
  ),
  response: Type.Optional(
    choice(invitationResponses, { description: 'What they answered; to the host, and to themselves' }),
  ),
  photoUrl,
  comment: Type.Optional(
    Type.String({ description: 'What they wrote with their response in a calendar program; to the host only' }),
  ),
  askedOn: Type.Optional(
    timestamp({ description: 'When they were last asked for an answer (`askForAnswers`); to the host only' }),
  ),
  mailFailedOn: Type.Optional(
    timestamp({ description: 'When mail to this address was last given up; to the host only' }),
  ),
  mailDelayedUntil: Type.Optional(
    timestamp({ description: 'Until when the daily limits hold back a mail to this address; to the host only' }),
  ),
})

const repeatOptionsReply = Type.Object({
  repeat: Type.String({ description: '`none`, `daily`, `weekly` or `monthly`', examples: ['weekly'] }),
  interval: nullableInteger({ description: 'Every how many days, weeks or months; null for a single meeting' }),
  daysOfWeek: Type.Array(Type.Integer(), {
    description: 'Seven times 0 or 1, Sunday first',
    examples: [[0, 1, 0, 0, 0, 0, 0]],
  }),
  dateInMonth: Type.Integer({ description: 'Day of the month, 1 to 31; 0 where it is not used' }),
  lastDayOfMonth: Type.Boolean({ description: 'On the last day of each month, before all other fields' }),
  weeksInMonth: Type.Array(Type.Integer(), {
    description: 'Five times 0 or 1, with `daysOfWeek`: in the first, second, third, fourth and last week of the month',
  }),
  endDate: nullableText({
    format: 'date-time',
    description: 'The last start, inclusive; also of a series with `count`',
  }),
  count: nullableInteger({
    description:
      'After how many occurrences the series ends, cancelled ones included; null: it ends by `endDate`, or never',
  }),
  repeatUntill: Type.Null({ description: 'Always null: `endDate` and `count` say when a series ends' }),
  timeZone: Type.String({ description: 'As it was sent' }),
  timeZoneIana: Type.String({ description: 'The zone that occurrences are computed in' }),
})

const meetingFields = {
  _id: Type.String({ description: 'Meeting id, for paths with `meetingId`' }),
  svcMeetId: Type.String({
    description:
      'Meeting ID that people type to join, for paths with `svcMeetId`: ten digits. This, the links, `pin`, `description` ' +
      'and people are empty for an administrator who takes no part in the meeting',
    examples: ['9651912175'],
  }),
  meetingUrl: Type.String({ description: 'Link to join, with the PIN: for everyone who may come' }),
  addToSvcUrl: Type.String({ description: 'Link by which a person with an account puts the meeting on their list' }),
  pin: Type.String({ description: 'PIN that guests need to join: six letters and digits' }),
  ...mapTexts((name) => Type.String({ description: meetingTexts[name].shown })),
  writtenBy: Type.Object(
    {
      ...mapTexts(() => choice(textAuthors, { description: 'Who wrote the text last' })),
    },
    {
      description:
        'Who wrote the texts last. `you`: the caller, in a page or by a personal token; `others`: another person, any ' +
        'app, also one of the caller, and where it is not known. For programs that must not follow texts of others',
    },
  ),
  startTime: timestamp({
    description:
      'Start in UTC, as it was sent. The first date of a series is the first one from then on that its rule gives: that ' +
      'of a series on Tuesdays which starts on a Monday is the next day',
  }),
  endTime: timestamp({ description: 'End in UTC, as it was sent; it follows `startTime` by the length of each date' }),
  scheduledDuration: Type.Integer({
    description: 'Length of each date in milliseconds: `endTime` minus `startTime`, both without their milliseconds',
    examples: [1_800_000],
  }),
  participants: Type.Array(participant, {
    description: 'Invited people; empty for a caller who has only added the meeting by its link',
  }),
  cohosts: Type.Array(Type.String(), {
    description: 'Email addresses of the cohosts, who have the rights of the host',
  }),
  cohostDetails: Type.Array(participant, { description: 'The cohosts, with what is said of participants' }),
  advancedOptions: advancedOptionsReply,
  isPinEnabled: Type.Boolean({ description: 'Always true: every meeting has a PIN' }),
  repeatOptions: repeatOptionsReply,
  reminderMinutes: nullableInteger({
    description:
      'Minutes before each date at which a reminder is mailed; 0: none; null: as the service is configured ' +
      '(`reminderMinutes` of `GET /api/service`)',
  }),
  status: choice(['active', 'cancelled'], {
    description:
      '`cancelled`: by `all`, by `current` where no date was held and none is left, or a single meeting. A date that was ' +
      'running then goes on to its end. A meeting that is over is `active`',
  }),
  recur: Type.Boolean({ description: 'Whether the meeting repeats' }),
  createdBy: Type.String({ description: 'User id of the host' }),
  modifiedBy: Type.String({ description: 'User id of the person who made the last change' }),
  userId: Type.String({ description: 'User id of the host' }),
  tenantId: Type.String({ description: 'Id of the organisation of the host' }),
  roomId: Type.String({ description: 'Id of the room of the host, not of this meeting' }),
  createdOn: timestamp({ description: 'When the meeting was scheduled' }),
  modifiedOn: timestamp({ description: 'When the meeting was last changed' }),
  __v: Type.Integer({ description: 'Version, which each change raises; the number in `ETag`' }),
  notificationsSend: Type.Object({
    invitationMail: Type.Boolean({ description: 'Invitations were mailed' }),
    reminderMail: Type.Boolean({ description: 'A reminder was mailed' }),
    cancellationMail: Type.Boolean({ description: 'A cancellation was mailed' }),
  }),
  ...unusedFieldSchemas,
}

const hostFields = {
  name: Type.String({ description: 'First name' }),
  lname: Type.String({ description: 'Last name; may be empty' }),
  email: Type.String({
    description: 'Email address; empty for a caller who has only added the meeting by its link',
  }),
  phoneNo: Type.String({ description: 'Phone number; empty for callers who are neither host nor cohost' }),
  photoUrl,
}

const occurrenceResponse = Type.Object({
  email: Type.String({ description: 'Email address of the participant or cohost' }),
  response: choice(invitationResponses, { description: 'The response to this date' }),
  comment: Type.Optional(Type.String({ description: 'What they wrote with it in a calendar program' })),
})

/** What every occurrence in a reply has. */
export const occurrenceFields = {
  startTime: timestamp({ description: 'Start of this date in UTC' }),
  endTime: timestamp({ description: 'End of this date in UTC' }),
  originalStartTime: timestamp({ description: 'The start that the rule gives, which names the occurrence' }),
  status: choice(['active', 'changed', 'cancelled'], {
    description: '`changed`: it takes place, with times or texts of its own',
  }),
}

export const occurrence = Type.Object({
  ...occurrenceFields,
  ...mapTexts(() => Type.Optional(Type.String({ description: 'Where it has its own' }))),
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

/** A changed date has no status, because the series before and after the change differ about it. */
const changedDate = Type.Object({
  startTime: occurrenceFields.startTime,
  endTime: occurrenceFields.endTime,
  originalStartTime: occurrenceFields.originalStartTime,
  topic: Type.Optional(Type.String({ description: 'Where it had its own' })),
})

/** The effect of a changed schedule on dates that participants know. */
export const changedDates = {
  restoredOccurrences: Type.Array(changedDate, {
    maxItems: 100,
    description: 'Dates ahead that had been cancelled and take place again',
  }),
  removedOccurrences: Type.Array(changedDate, {
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
  url: Type.String({ description: 'The same as `meetingUrl`' }),
  extension: Type.String({ description: 'Phone extension, which is not supported: always empty' }),
  roomKey: Type.String({ description: 'Host key: it makes a visitor a host; empty unless the caller is a host' }),
  roomUrl: Type.String({ description: 'Link to join as a host, with the host key; empty unless the caller is a host' }),
  vpin: Type.String({
    description: 'Host PIN: eight digits that make a visitor a host; empty unless the caller is one',
  }),
  gatewayIp: Type.String({
    description: 'Public IP address of the service, where the operator has set one; else empty',
  }),
  privateIp: Type.String({
    description: 'Private IP address of the service, where the operator has set one; else empty',
  }),
  colour: meetingColour,
  hostInfo: Type.Object(hostFields),
  responseCounts: Type.Optional(responseCounts),
  occurrences: Type.Optional(
    Type.Array(occurrence, { description: 'The next dates, as many as the parameter `occurrences` says' }),
  ),
})
export type SingleMeetingReply = Static<typeof singleMeetingReply>

export const listedMeetingReply = Type.Object({
  ...meetingFields,
  participants: Type.Array(Type.Object({ ...participant.properties, imageMeta: Type.Optional(imageMeta) }), {
    description: 'Invited people; empty for a caller who has only added the meeting by its link',
  }),
  hostInfo: Type.Object({ ...hostFields, _id: Type.String({ description: 'User id' }), imageMeta }),
  imageMeta,
  nextOccurrence: Type.Optional(
    Type.Object(occurrenceFields, {
      description: 'The date that is running or comes next, which the list is ordered by; absent where all are over',
    }),
  ),
})
export type ListedMeetingReply = Static<typeof listedMeetingReply>
