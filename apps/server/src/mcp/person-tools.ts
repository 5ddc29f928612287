import { type InvitationResponse, invitationResponses, readProfile, respondToMeeting } from '@parley/contract'
import { momentIn } from '@parley/rules/recurrence/wall-time-text'
import { violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { meetingId, originalStart } from './meeting-tool-fields.ts'
import { defineTool, toolInput } from './tool.ts'
import { findZone, moment } from './tool-fields.ts'

export const whoAmI = defineTool({
  name: 'who_am_i',
  title: 'Who am I, and what time is it?',
  description:
    'The name and time zone of the person you act for, and the current date, weekday and time there. Call it first, to understand “tomorrow” or “on Monday”.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({}),
  output: Type.Object({
    name: Type.String({ description: 'Name of the person' }),
    timeZone: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'IANA time zone of the profile; null when the person has set none: ask for it',
      examples: ['Europe/Berlin'],
    }),
    now: moment({ description: 'The current time in the person’s zone, or in UTC where none is set' }),
  }),
  uses: () => [readProfile],
  async run(context) {
    const { name, lname } = await context.call(readProfile, {})
    const timeZone = findZone(context, undefined)
    const now = momentIn(timeZone ?? 'UTC', context.now)
    const fullName = `${name} ${lname}`.trim()
    const where = timeZone ?? 'UTC; the person has set no time zone'
    return {
      kind: 'done',
      sentence: `You act for ${fullName}; it is ${now.weekday}, ${now.local.replace('T', ' ')} (${where}).`,
      result: { name: fullName, timeZone: timeZone ?? null, now },
    }
  },
})

const response = Type.Unsafe<InvitationResponse>({
  type: 'string',
  enum: invitationResponses,
  description: 'Whether the person comes',
})

const extents = ['one', 'all'] as const

export const respondToInvitation = defineTool({
  name: 'respond_to_invitation',
  title: 'Answer an invitation',
  description:
    'Tell the host whether the person comes: to all dates of a meeting, or to one. It can be changed until the date is over. No one is mailed; the host sees the answer.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({
    meetingId,
    response,
    occurrence: Type.Unsafe<(typeof extents)[number]>({
      type: 'string',
      enum: extents,
      description: 'Whether the answer is for `one` date of a series or for `all`; a meeting with a single date: `all`',
    }),
    originalStart,
  }),
  output: Type.Object({
    meetingId: Type.String({ description: 'Id of the meeting' }),
    response,
    originalStart: Type.Optional(Type.String({ format: 'date-time', description: 'The date that was answered' })),
  }),
  uses: () => [respondToMeeting],
  async run(context, { meetingId, response, occurrence, originalStart }) {
    if ((occurrence === 'one') !== (originalStart !== undefined)) {
      const message = 'belongs to occurrence `one`, and only to that: ask which date is meant'
      const code = originalStart === undefined ? 'required' : 'not_together'
      throw invalidRequest([violationAt('/originalStart', { code, message })])
    }
    const recorded = await context.call(respondToMeeting, {
      params: { meetingId },
      body: { response, ...(originalStart !== undefined && { occurrence: originalStart }) },
    })
    const dates = recorded.occurrence === undefined ? 'all dates that have no answer of their own' : recorded.occurrence
    return {
      kind: 'done',
      sentence: `The answer is recorded: ${recorded.response}, for ${dates}. No one is mailed.`,
      result: {
        meetingId,
        response: recorded.response,
        ...(recorded.occurrence !== undefined && { originalStart: recorded.occurrence }),
      },
    }
  },
})
