import {
  type InvitationResponse,
  invitationResponses,
  type ListedMeetingReply,
  listOccurrences,
  type MeetingReply,
  type OccurrenceReply,
  readMeeting,
  type SingleMeetingReply,
} from '@parley/contract'
import { momentIn } from '@parley/rules/recurrence/wall-time-text'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import type { Caller } from '../access/caller.ts'
import { invalidRequest } from '../platform/http/problem.ts'
import type { ToolContext } from './tool.ts'
import { accept, moment, momentsOf, quote, quoted, writeTimes } from './tool-fields.ts'

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

/** The author of a single date's topic is not recorded, so the topic counts as written by others. */
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

export const meetingId = Type.String({ maxLength: 64, description: '`meetingId` of list_meetings' })

const extents = ['one', 'following', 'all'] as const
export type Extent = (typeof extents)[number]

/** How much of a series is meant: never guessed. */
export const extent = Type.Unsafe<Extent>({
  type: 'string',
  enum: extents,
  description:
    'How much of a series: `one` date, this date and the `following`, or `all`. Ask the person when they have not said it. A meeting with a single date: `all`',
})

export const originalStart = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'With `one` and `following`: `originalStart` of the date, from get_meeting',
    examples: ['2027-03-29T07:00:00.000Z'],
  }),
)

/** How many dates are shown after a change. */
export const maxDatesAfterwards = 5

/** @throws meeting_not_found */
export async function readOneMeeting(
  context: ToolContext,
  meetingId: string,
  occurrences: number,
): Promise<SingleMeetingReply> {
  const [meeting] = await context.call(readMeeting, { params: { meetingId }, query: { occurrences } })
  if (meeting === undefined) throw new TypeError('The reply is an array of one meeting')
  return meeting
}

/** The number of upcoming dates that are searched for the named date, to describe it. */
const maxDatesAhead = 100

type Named = {
  meeting: SingleMeetingReply
  /** The whole of a meeting with one date is `all`. */
  extent: Extent
  /** The date that is named, else the next one; undefined where none is ahead. */
  date: OccurrenceReply | undefined
  /** The name of the date; undefined for `all`. */
  originalStart: string | undefined
}

/**
 * Find the meeting, and the date of it that the arguments name.
 * @throws meeting_not_found, invalid_request
 */
export async function findNamed(
  context: ToolContext,
  sent: { meetingId: string; occurrence: Extent; originalStart?: string },
): Promise<Named> {
  const meeting = await readOneMeeting(context, sent.meetingId, maxDatesAhead)
  const ahead = meeting.occurrences ?? []
  if (!meeting.recur || sent.occurrence === 'all') {
    return { meeting, extent: 'all', date: ahead[0], originalStart: undefined }
  }
  if (sent.originalStart === undefined) {
    const message = 'is missing: ask which date is meant, and take its originalStart from get_meeting'
    throw invalidRequest([violationAt('/originalStart', { code: 'required', message })])
  }
  const start = accept(readTimestampField('/originalStart', sent.originalStart)).toISOString()
  const date = ahead.find(({ originalStartTime }) => originalStartTime === start)
  return { meeting, extent: sent.occurrence, date, originalStart: start }
}

const minuteMs = 60_000

/** Whether the named date is cancelled already: then it is not among the upcoming dates. */
export async function isCancelledDate(
  context: ToolContext,
  { meeting, extent, date, originalStart }: Named,
): Promise<boolean> {
  if (extent !== 'one' || date !== undefined || originalStart === undefined) return false
  const to = new Date(Date.parse(originalStart) + minuteMs).toISOString()
  const query = { from: originalStart, to, status: 'all' as const }
  const { occurrences } = await context.call(listOccurrences, { params: { meetingId: meeting._id }, query })
  return occurrences.some(
    ({ originalStartTime, status }) => originalStartTime === originalStart && status === 'cancelled',
  )
}

/** `on Monday, 29 March 2027, 09:00–09:45 (Europe/Berlin, +02:00)`, and what else is meant. */
export function writeExtent({ meeting, extent, date, originalStart }: Named, timeZone: string): string {
  const when = date === undefined ? (originalStart ?? '') : writeTimes(date, timeZone)
  switch (extent) {
    case 'one':
      return `only on ${when}`
    case 'following':
      return `from ${when} on`
    case 'all':
      return meeting.recur ? 'with all of its dates' : `on ${writeTimes(meeting, timeZone)}`
  }
}
