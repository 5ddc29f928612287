import {
  type BodyOf,
  createMeeting,
  listConflicts,
  type MeetingRequest,
  previewMeeting,
  type ReplyOf,
} from '@parley/contract'
import { meetingTexts } from '@parley/contract/meeting-fields'
import { maxMeetingMs } from '@parley/rules/meetings/meeting-times'
import { maxParticipants } from '@parley/rules/meetings/participants'
import { readMeetingRequest } from '@parley/rules/meetings/read-meeting-request'
import { maxReminderMinutes } from '@parley/rules/meetings/reminders'
import { findTimeOfDayChanges } from '@parley/rules/recurrence/time-of-day-changes'
import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { momentIn, writeDate, writeTimeOfDay } from '@parley/rules/recurrence/wall-time-text'
import { maxMailboxLength } from '@parley/rules/text/mailbox'
import { violationAt } from '@parley/rules/text/violation'
import { type Static, Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import { meetingFields, viewMeetingFields } from './meeting-tool-fields.ts'
import { defineTool, type ToolContext, toolInput } from './tool.ts'
import {
  accept,
  acceptWallTime,
  addressesOf,
  findZone,
  inSentence,
  mailParticipants,
  mailsOutput,
  moment,
  momentsOf,
  quote,
  quoted,
  repeatOptions,
  requireZone,
  toApiRepeatOptions,
  viewMails,
  wallTime,
  writeMails,
  writeTimes,
  zoneName,
} from './tool-fields.ts'

const minuteMs = 60_000

/** How many dates a person is shown before they decide. */
const maxShownDates = 10

/** As many as one preview computes: two years of a weekly meeting. */
const maxPreviewed = 100

/** Twice a year: three years. */
const maxChangesInNote = 6

/** Participants live in a handful of zones. */
const maxOtherZones = 10

/** Enough to see that a time is taken. */
const maxShownConflicts = 20

/** An email address; the rules check its form. */
export const address = Type.String({ maxLength: 254, examples: ['bob@example.org'] })

/** An email address, with a name before it or without. */
export const mailbox = Type.String({
  maxLength: maxMailboxLength,
  examples: ['bob@example.org', 'Bob Baker <bob@example.org>'],
})

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
  location: Type.Optional(
    Type.String({
      maxLength: 2 * meetingTexts.location.maxLength,
      description: `Where people meet, if not only in the call; at most ${meetingTexts.location.maxLength} characters`,
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
  participants: Type.Array(mailbox, {
    maxItems: maxParticipants,
    description:
      'Email addresses of the people to invite, each with its name where it is known; without the person themselves; may be empty',
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
  const { topic, description = '', location = '', participants, cohosts, reminderMinutes } = input
  const startsAt = acceptWallTime('/startTime', input.startTime, timeZone)
  return {
    topic,
    description,
    location,
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
const writeFurther = ({ dates, moreDates }: { dates: readonly unknown[]; moreDates: boolean }): string =>
  dates.length <= 1
    ? ''
    : `, and ${moreDates ? 'at least ' : ''}${dates.length - 1} more date${dates.length === 2 ? '' : 's'}`

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

type Dates = Pick<BodyOf<typeof previewMeeting>, 'startTime' | 'endTime' | 'repeatOptions' | 'meetingId'>
type Preview = ReplyOf<typeof previewMeeting>

/** Compute the dates of a meeting that is to be scheduled or changed. */
const previewDates = (context: ToolContext, dates: Dates): Promise<Preview> =>
  context.call(previewMeeting, { body: { ...dates, limit: maxPreviewed } })

/**
 * List what a person should know about the dates: clock changes in the zones of the meeting and of its participants,
 * times that a clock change skips or repeats, and dates that differ from what was expected.
 */
function notesOn(
  preview: Preview,
  { startTime, timeZone, otherTimeZones }: { startTime: string; timeZone: string; otherTimeZones: readonly string[] },
): string[] {
  const starts = preview.occurrences.map((occurrence) => new Date(occurrence.startTime))
  const [first] = starts
  const planned = momentIn(timeZone, new Date(startTime))
  const plannedTime = planned.local.slice('YYYY-MM-DDT'.length)
  const late = first !== undefined && first > new Date(startTime)
  return [
    ...preview.warnings.map((warning) => warnings[warning]),
    ...(late
      ? [
          `It first takes place on ${dateIn(timeZone, first)}: ${dateIn(timeZone, new Date(startTime))} is not one of the chosen days.`,
        ]
      : []),
    ...preview.shifts.map(
      ({ startTime: from, before, after }) =>
        `From ${dateIn(timeZone, new Date(from))} on, the clock in ${timeZone} is at ${after} instead of ${before}: the meeting stays at ${plannedTime} there.`,
    ),
    ...starts.flatMap((start) => noteOnTime(start, timeZone, plannedTime)),
    ...otherTimeZones.flatMap((zone) => noteOnZone(starts, zone)),
  ]
}

const warnings: Record<Preview['warnings'][number], string> = {
  starts_in_past: 'It begins in the past.',
  over: 'All of its dates are over, so that no one is mailed.',
}

/** A time that the clock skips on one date, or shows twice. */
function noteOnTime(start: Date, timeZone: string, plannedTime: string): string[] {
  const clock = wallClockIn(timeZone)
  const wallMs = clock.read(start.getTime())
  const time = writeTimeOfDay(wallMs)
  if (time !== plannedTime) {
    return [`On ${writeDate(wallMs)} the clock in ${timeZone} skips ${plannedTime}: that date starts at ${time}.`]
  }
  const [earlier, later] = clock.instantsOf(wallMs)
  if (later === undefined || earlier === undefined) return []
  const which = start.getTime() === earlier ? 'first' : 'second'
  return [`On ${writeDate(wallMs)} the clock in ${timeZone} shows ${time} twice: that date starts at the ${which}.`]
}

function noteOnZone(starts: readonly Date[], timeZone: string): string[] {
  const [first] = starts
  if (first === undefined) return []
  const { local } = momentIn(timeZone, first)
  const changes = findTimeOfDayChanges(starts, timeZone)
  const shown = changes
    .slice(0, maxChangesInNote)
    .map(({ startsAt, after }) => `, from ${dateIn(timeZone, startsAt)} on at ${after}`)
  const more = changes.length > maxChangesInNote ? ', and so on' : ''
  return [
    `In ${timeZone} it starts at ${local.slice('YYYY-MM-DDT'.length)} on ${dateIn(timeZone, first)}${shown.join('')}${more}.`,
  ]
}

const dateIn = (timeZone: string, instant: Date) => writeDate(wallClockIn(timeZone).read(instant.getTime()))
