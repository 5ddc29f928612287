import { listConflicts, type MeetingRequest, previewMeeting, type ReplyOf } from '@parley/contract'
import { meetingTexts } from '@parley/contract/meeting-fields'
import { readMeetingRequest } from '@parley/rules/meetings/meeting-request'
import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { maxParticipants } from '@parley/rules/meetings/participants'
import { maxReminderMinutes } from '@parley/rules/meetings/reminders'
import { momentIn } from '@parley/rules/recurrence/wall-time'
import { violationAt } from '@parley/rules/text/violation'
import { type Static, Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { maxShownDates, notesOn, type Preview, previewDates } from './dates-ahead.ts'
import { addressesOf, mailParticipants, mailsOutput, viewMails, writeMails } from './mails.ts'
import { inSentence, quote, quoted } from './quoted.ts'
import { repeatOptions, toApiRepeatOptions } from './repeat-options.ts'
import {
  accept,
  acceptWallTime,
  findZone,
  moment,
  momentsOf,
  requireZone,
  wallTime,
  writeTimes,
  zoneName,
} from './time-fields.ts'
import { defineTool, type ToolContext, toolInput } from './tool.ts'

const minuteMs = 60_000

/** Participants live in a handful of zones. */
const maxOtherZones = 10

/** Enough to see that a time is taken. */
const maxShownConflicts = 20

/** An email address; the rules check its form. */
export const address = Type.String({ maxLength: 254, examples: ['bob@example.org'] })

/** The fields of a meeting, as `createMeeting` names them. */
export const meetingInput = {
  topic: Type.String({
    maxLength: 2 * meetingTexts.topic.maxLength,
    description: `Title, at most ${meetingTexts.topic.maxLength} characters`,
  }),
  description: Type.Optional(
    Type.String({
      maxLength: 2 * meetingTexts.description.maxLength,
      description: `What it is about, as plain text; at most ${meetingTexts.description.maxLength} characters`,
    }),
  ),
  startTime: wallTime('Start; of a series, that of its first date'),
  endTime: Type.Optional(wallTime('End, at most 24 hours later; or send durationMinutes')),
  durationMinutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxMeetingMs / minuteMs, description: 'Length, in place of endTime' }),
  ),
  timeZone: Type.Optional(
    zoneName('IANA zone in which the meeting keeps its time of day; that of the person’s profile when absent'),
  ),
  participants: Type.Array(address, {
    maxItems: maxParticipants,
    description: 'Email addresses of the people to invite, without the person themselves; may be empty',
  }),
  cohosts: Type.Optional(
    Type.Array(address, { maxItems: 100, description: 'Email addresses of people who get the rights of the host' }),
  ),
  repeatOptions: Type.Optional(repeatOptions),
  reminderMinutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxReminderMinutes,
      description: 'Minutes before each date at which a reminder is mailed; 0: none; absent: as the service is set up',
    }),
  ),
}

export const proposeMeeting = defineTool({
  name: 'propose_meeting',
  title: 'Propose a meeting',
  description:
    'Work out a meeting without scheduling it: its dates with weekday, zone and offset, what clock changes do to it, conflicts in the person’s own calendar, and who would be mailed. Show the person this before you call schedule_meeting with the proposal, which is valid for 10 minutes.',
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: toolInput({
    ...meetingInput,
    mailParticipants,
    otherTimeZones: Type.Optional(
      Type.Array(zoneName('IANA zone'), {
        maxItems: maxOtherZones,
        description: 'Zones of participants, if you know them: the notes say when the meeting is there',
        examples: [['America/New_York']],
      }),
    ),
  }),
  output: Type.Object({
    proposal: Type.String({ description: 'For schedule_meeting, unchanged' }),
    expiresAt: moment({ description: 'Until when the proposal can be used' }),
    topic: quoted('Title'),
    timeZone: Type.String({ description: 'IANA zone in which the meeting keeps its time of day' }),
    dates: Type.Array(Type.Object({ start: moment(), end: moment() }), {
      maxItems: maxShownDates,
      description: 'The first dates',
    }),
    moreDates: Type.Boolean({ description: 'Whether more dates follow these' }),
    notes: Type.Array(Type.String(), {
      description: 'What the person should know of the dates: clock changes, and times that differ for others',
    }),
    conflicts: Type.Array(
      Type.Object({
        meetingId: Type.String({ description: 'Id of the other meeting' }),
        topic: quoted('Its title'),
        start: moment(),
        end: moment(),
      }),
      { maxItems: maxShownConflicts, description: 'Meetings of the person that overlap the dates shown' },
    ),
    mails: mailsOutput,
  }),
  uses: () => [previewMeeting, listConflicts],
  async run(context, input) {
    const { mailParticipants = true, otherTimeZones = [] } = input
    const timeZone = requireZone(context, input.timeZone)
    const meeting = toMeetingRequest(input, timeZone)
    const { caller, timeZoneAliases } = context
    const { participants } = accept(
      readMeetingRequest(meeting, { hostAddressKey: caller.addressKey, profileTimeZone: '', timeZoneAliases }),
    )
    const zones = otherTimeZones.flatMap((zone) => findZone(context, zone) ?? [])
    const preview = await previewDates(context, meeting)
    const shown = preview.occurrences.slice(0, maxShownDates)
    const conflicts = await findConflicts(context, shown, timeZone)
    const isMailed = mailParticipants && !preview.warnings.includes('over')
    const invited = addressesOf({ participants, cohosts: [] })
    const mails = viewMails({ invitation: isMailed ? invited : [] })
    const { proposal, expiresAt } = context.proposals.make({ meeting, mailsParticipants: mailParticipants })
    const topic = quote(meeting.topic.trim(), 'you')
    const [first] = shown
    // The meeting may be in a zone where it is not the hour that the person’s clock shows.
    const ownZone = findZone(context, undefined) ?? timeZone
    const result = {
      proposal,
      expiresAt: momentIn(ownZone, expiresAt),
      topic,
      timeZone,
      dates: shown.map((occurrence) => momentsOf(occurrence, timeZone)),
      moreDates: preview.moreAvailable || preview.occurrences.length > shown.length,
      notes: notesOn(preview, { startTime: meeting.startTime, timeZone, otherTimeZones: zones }),
      conflicts,
      mails,
    }
    return {
      kind: 'done',
      sentence: [
        `Proposed, not scheduled yet: ${inSentence(topic)} on ${writeTimes(first ?? meeting, timeZone)}${writeFurther(result)}.`,
        conflicts.length === 0
          ? 'It conflicts with nothing.'
          : `It conflicts with ${conflicts.length} other date${conflicts.length === 1 ? '' : 's'}.`,
        `${writeMails(mails, 'would be')}.`,
        `The proposal is valid until ${result.expiresAt.local.slice('YYYY-MM-DDT'.length)} (${ownZone}).`,
        ...result.notes,
      ].join(' '),
      result,
    }
  },
})

type MeetingInput = Static<ReturnType<typeof meetingObject>>
const meetingObject = () => Type.Object(meetingInput)

/** The body of `createMeeting`. @throws invalid_request */
function toMeetingRequest(input: MeetingInput, timeZone: string): MeetingRequest {
  const { topic, description = '', participants, cohosts, reminderMinutes } = input
  const startsAt = acceptWallTime('/startTime', input.startTime, timeZone)
  return {
    topic,
    description,
    startTime: startsAt.toISOString(),
    endTime: readEnd(input, startsAt, timeZone).toISOString(),
    participants,
    isPinEnabled: true,
    advancedOptions: {},
    repeatOptions: toApiRepeatOptions(input.repeatOptions ?? { repeat: 'none' }, timeZone),
    ...(cohosts !== undefined && { cohosts }),
    ...(reminderMinutes !== undefined && { reminderMinutes }),
  }
}

/** Read the end from either of two fields. @throws invalid_request */
function readEnd(
  { endTime, durationMinutes }: { endTime?: string; durationMinutes?: number },
  startsAt: Date,
  timeZone: string,
): Date {
  if (endTime !== undefined && durationMinutes === undefined) return acceptWallTime('/endTime', endTime, timeZone)
  if (durationMinutes !== undefined && endTime === undefined) {
    return new Date(startsAt.getTime() + durationMinutes * minuteMs)
  }
  throw invalidRequest([
    endTime === undefined
      ? violationAt('/endTime', {
          code: 'required',
          message: 'or durationMinutes is missing: ask the person how long the meeting is to last',
        })
      : violationAt('/endTime', { code: 'not_together', message: 'cannot be sent together with durationMinutes' }),
  ])
}

async function findConflicts(context: ToolContext, occurrences: Preview['occurrences'], timeZone: string) {
  const found = new Map<string, ReturnType<typeof viewConflict>>()
  for (const { startTime, endTime } of occurrences) {
    const { conflicts } = await context.call(listConflicts, { query: { start: startTime, end: endTime } })
    for (const conflict of conflicts) {
      const viewed = viewConflict(conflict, timeZone)
      found.set(`${viewed.meetingId} ${conflict.originalStartTime}`, viewed)
    }
    if (found.size >= maxShownConflicts) break
  }
  return [...found.values()].slice(0, maxShownConflicts)
}

type Conflict = ReplyOf<typeof listConflicts>['conflicts'][number]

const viewConflict = (conflict: Conflict, timeZone: string) => ({
  meetingId: conflict.meetingId,
  topic: quote(conflict.topic, 'others'),
  ...momentsOf(conflict, timeZone),
})

/** How many dates follow the first one, as far as they are shown. */
export const writeFurther = ({ dates, moreDates }: { dates: readonly unknown[]; moreDates: boolean }): string =>
  dates.length <= 1
    ? ''
    : `, and ${moreDates ? 'at least ' : ''}${dates.length - 1} more date${dates.length === 2 ? '' : 's'}`
