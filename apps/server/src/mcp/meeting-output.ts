import {
  type InvitationResponse,
  invitationResponses,
  type ListedMeetingReply,
  type MeetingReply,
  type OccurrenceReply,
  type SingleMeetingReply,
} from '@parley/contract'
import { momentIn } from '@parley/rules/recurrence/wall-time'
import { Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { quote, quoted } from './quoted.ts'
import { moment, momentsOf } from './time-fields.ts'

const roles = ['host', 'cohost', 'participant'] as const

/** What every tool says of a meeting. */
export const meetingFields = {
  meetingId: Type.String({ description: 'Id of the meeting, for the other tools' }),
  topic: quoted('Title of the meeting'),
  role: Type.Unsafe<(typeof roles)[number]>({
    type: 'string',
    enum: roles,
    description: 'What the person is in it: only a host can change or cancel it through you',
  }),
  status: Type.Unsafe<'active' | 'cancelled'>({ type: 'string', enum: ['active', 'cancelled'] }),
  timeZone: Type.String({ description: 'IANA zone in which the meeting keeps its time of day' }),
  repeats: Type.Boolean({ description: 'Whether it has several dates' }),
}

/** One date of a meeting. */
export const dateOutput = Type.Object({
  start: moment(),
  end: moment(),
  originalStart: Type.String({ format: 'date-time', description: 'Names this date in the other tools' }),
  status: Type.Unsafe<OccurrenceReply['status']>({
    type: 'string',
    enum: ['active', 'changed', 'cancelled'],
    description: '`changed`: it takes place, with times or texts of its own',
  }),
  topic: Type.Optional(quoted('Title of this date, where it has its own')),
  response: Type.Optional(
    Type.Unsafe<InvitationResponse>({
      type: 'string',
      enum: invitationResponses,
      description: 'What the person answered for this date, where they are invited and have answered',
    }),
  ),
})

type Occurrence = Pick<OccurrenceReply, 'startTime' | 'endTime' | 'originalStartTime' | 'status' | 'topic' | 'response'>

/** Who wrote the topic of a single date is not recorded, so that it counts as written by others. */
export const viewDate = (occurrence: Occurrence, timeZone: string) => ({
  ...momentsOf(occurrence, timeZone),
  originalStart: occurrence.originalStartTime,
  status: occurrence.status,
  ...(occurrence.topic !== undefined && { topic: quote(occurrence.topic, 'others') }),
  ...(occurrence.response !== undefined && { response: occurrence.response }),
})

type Meeting = Pick<
  MeetingReply | ListedMeetingReply | SingleMeetingReply,
  '_id' | 'topic' | 'writtenBy' | 'userId' | 'cohosts' | 'status' | 'recur' | 'repeatOptions'
>

export const viewMeetingFields = (meeting: Meeting, caller: Caller) => ({
  meetingId: meeting._id,
  topic: quote(meeting.topic, meeting.writtenBy.topic),
  role: roleOf(meeting, caller),
  status: meeting.status,
  timeZone: meeting.repeatOptions.timeZoneIana,
  repeats: meeting.recur,
})

function roleOf({ userId, cohosts }: Meeting, { accountId, addressKey }: Caller): (typeof roles)[number] {
  if (userId === accountId) return 'host'
  return cohosts.some((email) => email.toLowerCase() === addressKey) ? 'cohost' : 'participant'
}

/** The date of a single meeting; of a series, the first one. */
export const firstDate = ({ startTime, endTime }: Pick<MeetingReply, 'startTime' | 'endTime'>, timeZone: string) => ({
  start: momentIn(timeZone, new Date(startTime)),
  end: momentIn(timeZone, new Date(endTime)),
})
