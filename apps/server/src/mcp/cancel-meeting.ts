import { cancelMeeting as cancelMeetingEndpoint, readMeeting } from '@parley/contract'
import { Type } from 'typebox'
import { extent, findNamed, isCancelledDate, originalStart, writeExtent } from './extent.ts'
import { meetingId, readOneMeeting } from './get-meeting.ts'
import { addressesOf, mailParticipants, mailsOutput, viewMails, writeMails } from './mails.ts'
import { dateOutput, meetingFields, viewDate, viewMeetingFields } from './meeting-output.ts'
import { inSentence } from './quoted.ts'
import { findZone } from './time-fields.ts'
import { defineTool, toolInput } from './tool.ts'

/** How many dates that are left are shown. */
const maxLeft = 5

const extentOfApi = { one: 'current', following: 'following', all: 'all' } as const

export const cancelMeeting = defineTool({
  name: 'cancel_meeting',
  title: 'Cancel a meeting',
  description:
    'Cancel one date of a series, this date and all that follow, or the whole meeting, and mail everyone who is invited. Ask the person before you call it, also how much of a series they mean. What has been held stays.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: toolInput({ meetingId, occurrence: extent, originalStart, mailParticipants }),
  output: Type.Object({
    ...meetingFields,
    changed: Type.Boolean({ description: 'False when all of this was cancelled already' }),
    dates: Type.Array(dateOutput, { maxItems: maxLeft, description: 'The next dates that are left' }),
    mails: mailsOutput,
  }),
  uses: () => [readMeeting, cancelMeetingEndpoint],
  async run(context, { mailParticipants = true, ...input }) {
    const named = await findNamed(context, input)
    const { meeting, extent, originalStart } = named
    const { caller } = context
    const zone = findZone(context, undefined) ?? meeting.repeatOptions.timeZoneIana
    const { topic } = viewMeetingFields(meeting, caller)
    const isCancelled = meeting.status === 'cancelled' || (await isCancelledDate(context, named))
    const isAhead = (meeting.occurrences ?? []).length > 0
    const mails = viewMails({ cancellation: mailParticipants && isAhead ? addressesOf(meeting) : [] })
    const what = `${inSentence(topic)} ${writeExtent(named, zone)}`

    if (!isCancelled) {
      const action = ['cancel_meeting', meeting._id, meeting.__v, extent, originalStart, mailParticipants]
      switch (context.confirmation(action)) {
        case 'to-ask':
          return { kind: 'ask', question: `Cancel ${what}? ${writeMails(mails, 'will be')}.`, action }
        case 'declined':
          return { kind: 'refused', sentence: 'The person does not want to cancel it. Nothing was changed.' }
        case 'confirmed':
        case 'cannot-ask':
          break
      }
    }
    await context.call(cancelMeetingEndpoint, {
      params: { meetingId: meeting._id },
      query: { sendUpdates: mailParticipants ? 'all' : 'none' },
      body: { cancel: extentOfApi[extent], ...(originalStart !== undefined && { occurrence: originalStart }) },
      // What the person has seen or confirmed, and nothing that another host made of it meanwhile.
      ifMatch: `"v${meeting.__v}"`,
    })
    const left = await readOneMeeting(context, meeting._id, maxLeft)
    const fields = viewMeetingFields(left, caller)
    const changed = left.__v !== meeting.__v
    const mailed = changed ? mails : []
    return {
      kind: 'done',
      sentence: changed
        ? `Cancelled ${what}. ${writeMails(mailed, 'are')}.`
        : `${inSentence(topic)} was cancelled already. No one is mailed.`,
      result: {
        ...fields,
        changed,
        dates: (left.occurrences ?? []).map((date) => viewDate(date, zone)),
        mails: mailed,
      },
    }
  },
})
