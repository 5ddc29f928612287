import { readMeeting } from '@parley/contract'
import { Type } from 'typebox'
import { meetingId, readOneMeeting } from './get-meeting.ts'
import { viewMeetingFields } from './meeting-output.ts'
import { inSentence, quoted } from './quoted.ts'
import { defineTool, toolInput } from './tool.ts'

export const joinLink = defineTool({
  name: 'join_link',
  title: 'Get the link to join',
  description:
    'The link by which anyone can enter a meeting, with its PIN. Give it to the person only, or to people whom they name.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({ meetingId }),
  output: Type.Object({
    meetingId: Type.String({ description: 'Id of the meeting' }),
    topic: quoted('Title of the meeting'),
    url: Type.String({ description: 'The link, with the PIN' }),
    number: Type.String({ description: 'Meeting ID to type in place of the link: ten digits' }),
  }),
  uses: () => [readMeeting],
  async run(context, { meetingId }) {
    const meeting = await readOneMeeting(context, meetingId, 0)
    const { topic, status } = viewMeetingFields(meeting, context.caller)
    if (status === 'cancelled')
      return { kind: 'refused', sentence: `${inSentence(topic)} is cancelled: no one can join it.` }
    return {
      kind: 'done',
      sentence: `Join ${inSentence(topic)} at ${meeting.meetingUrl}`,
      result: { meetingId: meeting._id, topic, url: meeting.meetingUrl, number: meeting.svcMeetId },
    }
  },
})
