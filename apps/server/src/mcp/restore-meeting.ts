import {
  listOccurrences,
  type OccurrenceReply,
  readMeeting,
  restoreMeeting as restoreMeetingEndpoint,
  restoreOccurrence,
  type SingleMeetingReply,
} from '@parley/contract'
import { readTimestampField } from '@parley/rules/text/timestamp'
import { violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import {
  dateOutput,
  maxDatesAfterwards,
  meetingFields,
  meetingId,
  readOneMeeting,
  viewDate,
  viewMeetingFields,
} from './meeting-tool-fields.ts'
import { defineTool, type ToolContext, toolInput } from './tool.ts'
import { accept, findZone, inSentence, mailParticipants, writeTimes } from './tool-fields.ts'

export const restoreMeeting = defineTool({
  name: 'restore_meeting',
  title: 'Restore a cancelled meeting',
  description:
    'Let a cancelled meeting, or one cancelled date of a series, take place again with the same link, guests and answers. Those who were mailed the cancellation are mailed that it takes place again. Ask the person before you call it. Dates that passed while a meeting was cancelled stay cancelled.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: toolInput({
    meetingId,
    originalStart: Type.Optional(
      Type.String({
        maxLength: 64,
        description: '`originalStart` of the one cancelled date to restore; absent: the meeting that was cancelled',
        examples: ['2027-03-29T07:00:00.000Z'],
      }),
    ),
    mailParticipants,
  }),
  output: Type.Object({
    ...meetingFields,
    changed: Type.Boolean({ description: 'False when nothing of this was cancelled' }),
    dates: Type.Array(dateOutput, { maxItems: maxDatesAfterwards, description: 'The next dates' }),
  }),
  uses: () => [readMeeting, listOccurrences, restoreMeetingEndpoint, restoreOccurrence],
  async run(context, { mailParticipants = true, ...input }) {
    const meeting = await readOneMeeting(context, input.meetingId, maxDatesAfterwards)
    const { caller } = context
    const zone = findZone(context, undefined) ?? meeting.repeatOptions.timeZoneIana
    const { topic } = viewMeetingFields(meeting, caller)
    const date = meeting.recur ? await findNamedDate(context, meeting, input.originalStart) : undefined
    const isCancelled = (date ?? meeting).status === 'cancelled'
    const what = `${inSentence(topic)} ${writeRestored(meeting, date, zone)}`

    if (isCancelled) {
      const action = ['restore_meeting', meeting._id, meeting.__v, date?.originalStartTime, mailParticipants]
      switch (context.confirmation(action)) {
        case 'to-ask':
          return { kind: 'ask', question: `Restore ${what}? ${writeMailed(mailParticipants, 'will be')}`, action }
        case 'declined':
          return { kind: 'refused', sentence: 'The person does not want to restore it. Nothing was changed.' }
        case 'confirmed':
        case 'cannot-ask':
          break
      }
    }
    const params = { meetingId: meeting._id }
    const query = { sendUpdates: mailParticipants ? ('all' as const) : ('none' as const) }
    // Send the version that the person has seen or confirmed.
    const ifMatch = `"v${meeting.__v}"`
    if (date !== undefined) {
      const { originalStartTime: originalStart } = date
      await context.call(restoreOccurrence, { params: { ...params, originalStart }, query, ifMatch })
    } else {
      await context.call(restoreMeetingEndpoint, { params, query, ifMatch })
    }
    const restored = await readOneMeeting(context, meeting._id, maxDatesAfterwards)
    return {
      kind: 'done',
      sentence: isCancelled
        ? `Restored ${what}. ${writeMailed(mailParticipants, 'are')}`
        : `${inSentence(topic)} was not cancelled. No one is mailed.`,
      result: {
        ...viewMeetingFields(restored, caller),
        changed: restored.__v !== meeting.__v,
        dates: (restored.occurrences ?? []).map((occurrence) => viewDate(occurrence, zone)),
      },
    }
  },
})

const minuteMs = 60_000

/** The date of a series that is to be restored; undefined for the whole series. @throws invalid_request */
async function findNamedDate(
  context: ToolContext,
  meeting: SingleMeetingReply,
  sent: string | undefined,
): Promise<OccurrenceReply | undefined> {
  if (sent === undefined) return undefined
  const start = accept(readTimestampField('/originalStart', sent)).toISOString()
  const to = new Date(Date.parse(start) + minuteMs).toISOString()
  const query = { from: start, to, status: 'all' as const }
  const { occurrences } = await context.call(listOccurrences, { params: { meetingId: meeting._id }, query })
  const date = occurrences.find(({ originalStartTime }) => originalStartTime === start)
  if (date !== undefined) return date
  const message = 'names no cancelled date of this meeting: read the meeting again'
  throw invalidRequest([violationAt('/originalStart', { code: 'no_such_occurrence', message })])
}

/** `on Monday, 29 March 2027, 09:00–09:45 (Europe/Berlin, +02:00)`, or that all dates ahead are meant. */
function writeRestored(meeting: SingleMeetingReply, date: OccurrenceReply | undefined, zone: string): string {
  if (date !== undefined) return `only on ${writeTimes(date, zone)}`
  return meeting.recur ? 'with its dates ahead' : `on ${writeTimes(meeting, zone)}`
}

const writeMailed = (mails: boolean, verb: 'are' | 'will be') =>
  mails
    ? `Those who were mailed the cancellation ${verb} mailed that it takes place again.`
    : `No one ${verb === 'are' ? 'is' : verb} mailed.`
