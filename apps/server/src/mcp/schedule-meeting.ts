import { createMeeting, previewMeeting } from '@parley/contract'
import { Type } from 'typebox'
import { maxShownDates, previewDates } from './dates-ahead.ts'
import { addressesOf, mailsOutput, viewMails, writeMails } from './mails.ts'
import { meetingFields, viewMeetingFields } from './meeting-output.ts'
import { writeFurther } from './propose-meeting.ts'
import { inSentence, quote } from './quoted.ts'
import { moment, momentsOf, writeTimes } from './time-fields.ts'
import { defineTool, toolInput } from './tool.ts'

/** Longer than a proposal with a thousand participants and the longest description. */
const maxProposalLength = 200_000

export const scheduleMeeting = defineTool({
  name: 'schedule_meeting',
  title: 'Schedule a proposed meeting',
  description:
    'Schedule what propose_meeting proposed, once the person has agreed to it, and mail the invitations that it named. The same proposal, sent again, gives the same meeting and mails no one twice.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  input: toolInput({
    proposal: Type.String({
      maxLength: maxProposalLength,
      description: '`proposal` of propose_meeting, unchanged; valid for 10 minutes',
    }),
  }),
  output: Type.Object({
    ...meetingFields,
    dates: Type.Array(Type.Object({ start: moment(), end: moment() }), {
      maxItems: maxShownDates,
      description: 'The first dates',
    }),
    moreDates: Type.Boolean({ description: 'Whether more dates follow these' }),
    mails: mailsOutput,
  }),
  uses: () => [createMeeting, previewMeeting],
  async run(context, { proposal }) {
    const { meeting, mailsParticipants, key } = context.proposals.read(proposal)
    const { meetingDetails } = await context.call(createMeeting, {
      query: { sendUpdates: mailsParticipants ? 'all' : 'none' },
      body: meeting,
      idempotencyKey: key,
    })
    const preview = await previewDates(context, {
      startTime: meeting.startTime,
      endTime: meeting.endTime,
      repeatOptions: meeting.repeatOptions,
    })
    const fields = viewMeetingFields(meetingDetails, context.caller)
    const shown = preview.occurrences.slice(0, maxShownDates)
    const isMailed = mailsParticipants && !preview.warnings.includes('over')
    const result = {
      ...fields,
      dates: shown.map((occurrence) => momentsOf(occurrence, fields.timeZone)),
      moreDates: preview.moreAvailable || preview.occurrences.length > shown.length,
      mails: viewMails({ invitation: isMailed ? addressesOf(meetingDetails) : [] }),
    }
    // The program has just sent this topic: it can steer it to nothing new.
    const topic = quote(meeting.topic.trim(), 'you')
    const when = `${writeTimes(shown[0] ?? meeting, fields.timeZone)}${writeFurther(result)}`
    return {
      kind: 'done',
      sentence: `Scheduled ${inSentence(topic)} on ${when}. ${writeMails(result.mails, 'are')}.`,
      result,
    }
  },
})
