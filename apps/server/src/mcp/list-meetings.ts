import { type ListedMeetingReply, listMeetings as listMeetingsEndpoint } from '@parley/contract'
import { Type } from 'typebox'
import { dateOutput, firstDate, meetingFields, viewDate, viewMeetingFields } from './meeting-output.ts'
import { inSentence } from './quoted.ts'
import { acceptWallTime, findZone, moment, requireZone, wallTime, writeTimes, zoneName } from './time-fields.ts'
import { defineTool, toolInput } from './tool.ts'

const defaultLimit = 10
/** A list for a conversation; `after` leads on. */
const maxLimit = 50

export const listMeetings = defineTool({
  name: 'list_meetings',
  title: 'List meetings',
  description:
    'The person’s meetings, those that they host and those that they are invited to, each with its next date; in the order of these. Without filters: what is running or ahead.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({
    topic: Type.Optional(Type.String({ maxLength: 250, description: 'Part of the topic, in any case' })),
    from: Type.Optional(wallTime('Only meetings with a date that ends after this')),
    to: Type.Optional(wallTime('Only meetings with a date that starts before this')),
    past: Type.Optional(Type.Boolean({ default: false, description: 'Those that are over, the latest first' })),
    role: Type.Optional(
      Type.Unsafe<'host' | 'participant' | 'all'>({
        type: 'string',
        enum: ['host', 'participant', 'all'],
        default: 'all',
        description: 'Only those that the person hosts or cohosts, or is invited to',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'How many at most' }),
    ),
    after: Type.Optional(Type.String({ maxLength: 200, description: '`nextCursor` of the list before' })),
    timeZone: Type.Optional(zoneName('IANA zone of the times; that of the person’s profile when absent')),
  }),
  output: Type.Object({
    totalCount: Type.Integer({ description: 'How many meetings there are in all' }),
    meetings: Type.Array(
      Type.Object({
        ...meetingFields,
        first: Type.Object({ start: moment(), end: moment() }, { description: 'The only or first date' }),
        next: Type.Optional(
          Type.Object(dateOutput.properties, { description: 'The date that is running or comes next' }),
        ),
        participantCount: Type.Integer({ description: 'How many people are invited' }),
      }),
      { maxItems: maxLimit, description: 'The meetings' },
    ),
    nextCursor: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'To be sent as `after` for more; null at the end',
    }),
  }),
  uses: () => [listMeetingsEndpoint],
  async run(context, { topic, from, to, past = false, role = 'all', limit = defaultLimit, after, ...input }) {
    const { caller } = context
    const named =
      from === undefined && to === undefined ? findZone(context, input.timeZone) : requireZone(context, input.timeZone)
    const zone = named ?? 'UTC'
    const reply = await context.call(listMeetingsEndpoint, {
      params: { userId: 'me' },
      query: {
        past,
        role,
        limit,
        order: past ? 'desc' : 'asc',
        ...(topic !== undefined && { q: topic }),
        ...(from !== undefined && { fromDate: acceptWallTime('/from', from, zone).toISOString() }),
        ...(to !== undefined && { toDate: acceptWallTime('/to', to, zone).toISOString() }),
        ...(after !== undefined && { after }),
      },
    })
    const view = (meeting: ListedMeetingReply) => {
      const timeZone = named ?? meeting.repeatOptions.timeZoneIana
      const { nextOccurrence } = meeting
      return {
        ...viewMeetingFields(meeting, caller),
        first: firstDate(meeting, timeZone),
        ...(nextOccurrence && { next: viewDate(nextOccurrence, timeZone) }),
        participantCount: meeting.participants.length,
      }
    }
    const meetings = reply.meetingDetails.map(view)
    const [first] = reply.meetingDetails
    return {
      kind: 'done',
      sentence: `${countOf(reply.totalCount)}${first === undefined ? '.' : `; the first is ${describe(first, named, view(first).topic)}.`}`,
      result: { totalCount: reply.totalCount, meetings, nextCursor: reply.nextCursor },
    }
  },
})

const countOf = (count: number) =>
  count === 0 ? 'No meeting was found' : count === 1 ? 'There is one meeting' : `There are ${count} meetings`

function describe(meeting: ListedMeetingReply, zone: string | undefined, topic: Parameters<typeof inSentence>[0]) {
  const timeZone = zone ?? meeting.repeatOptions.timeZoneIana
  return `${inSentence(topic)} on ${writeTimes(meeting.nextOccurrence ?? meeting, timeZone)}`
}
