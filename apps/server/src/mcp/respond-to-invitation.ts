import { type InvitationResponse, invitationResponses, respondToMeeting } from '@parley/contract'
import { violationAt } from '@parley/rules/text/violation'
import { Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { meetingId, originalStart } from './meeting-fields.ts'
import { defineTool, toolInput } from './tool.ts'

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
