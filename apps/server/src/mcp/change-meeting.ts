import {
  cancelMeeting as cancelMeetingEndpoint,
  changeOccurrence,
  type MeetingRequest,
  type OccurrenceReply,
  readMeeting,
  type SingleMeetingReply,
  splitMeeting,
  updateMeeting,
} from '@parley/contract'
import { type MeetingTexts, mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { shiftSeries } from '@parley/rules/meetings/series-shift'
import { readMailbox } from '@parley/rules/text/mailbox'
import { violationAt } from '@parley/rules/text/violation'
import { type Static, Type } from 'typebox'
import { invalidRequest } from '../platform/http/problem.ts'
import {
  dateOutput,
  type Extent,
  extent,
  findNamed,
  isCancelledDate,
  maxDatesAfterwards,
  meetingFields,
  meetingId,
  originalStart,
  readOneMeeting,
  viewDate,
  viewMeetingFields,
  writeExtent,
} from './meeting-tool-fields.ts'
import { address, mailbox, meetingInput } from './schedule-meeting.ts'
import { defineTool, type ToolContext, toolInput } from './tool.ts'
import {
  acceptWallTime,
  addressesOf,
  findZone,
  guestMessage,
  inSentence,
  type Mails,
  mailParticipants,
  mailsOutput,
  quote,
  repeatOptions,
  sendBackRepeatOptions,
  toApiRepeatOptions,
  viewMails,
  wallTime,
  writeMails,
  writeTimes,
  zoneName,
} from './tool-fields.ts'

const minuteMs = 60_000

/** More people at once are rather a new meeting. */
const maxAddresses = 200

const changes = {
  topic: Type.Optional(meetingInput.topic),
  description: meetingInput.description,
  location: meetingInput.location,
  startTime: Type.Optional(wallTime('New start of the date that is named, or of the next one with `all`')),
  endTime: Type.Optional(wallTime('New end of that date; neither this nor durationMinutes: the length stays')),
  durationMinutes: meetingInput.durationMinutes,
  repeatOptions: Type.Optional(
    Type.Object(repeatOptions.properties, {
      additionalProperties: false,
      description: 'The new rule as a whole: without endDate and count it has no end',
    }),
  ),
  addParticipants: Type.Optional(
    Type.Array(mailbox, {
      maxItems: maxAddresses,
      description: 'Email addresses of people to invite as well, each with its name where it is known',
    }),
  ),
  removeParticipants: Type.Optional(
    Type.Array(address, { maxItems: maxAddresses, description: 'Email addresses of people who are no longer invited' }),
  ),
  reminderMinutes: meetingInput.reminderMinutes,
}

const input = toolInput({
  meetingId,
  occurrence: extent,
  originalStart,
  ...changes,
  timeZone: Type.Optional(
    zoneName(
      'IANA zone of startTime and endTime: that of the person’s profile when absent, else that of the meeting, which keeps its zone',
    ),
  ),
  mailParticipants,
  message: guestMessage,
})
type Input = Static<typeof input>

export const changeMeeting = defineTool({
  name: 'change_meeting',
  title: 'Change a meeting',
  description:
    'Change one date of a series, this date and all that follow, or the whole meeting: what is absent stays. Those who are invited are mailed what is different. Ask the person before you call it, also how much of a series they mean; `all` changes dates that were held as well, `following` does not. Read the meeting first.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input,
  output: Type.Object({
    ...meetingFields,
    continues: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description:
        'With `following`: id of the meeting that has the dates before; this one has an id and a link of its own',
    }),
    dates: Type.Array(dateOutput, { maxItems: maxDatesAfterwards, description: 'The next dates' }),
    mails: mailsOutput,
  }),
  uses: ({ occurrence }) => [readMeeting, endpointOf(occurrence)],
  async run(context, input) {
    const found = await findNamed(context, input)
    const { meeting, extent } = found
    const { caller } = context
    const zone = findZone(context, input.timeZone) ?? meeting.repeatOptions.timeZoneIana
    const named = { ...found, zone }
    const read = readChange(input, named)
    const { topic } = viewMeetingFields(meeting, caller)
    const mails = mailsOf(input, read, named)

    if (mails.length > 0) {
      const action = [
        'change_meeting',
        meeting._id,
        meeting.__v,
        extent,
        named.originalStart,
        read.change,
        mails,
        input.message,
      ]
      switch (context.confirmation(action)) {
        case 'to-ask': {
          const what = `${inSentence(topic)} ${writeExtent(named, zone)}`
          const question = `Change ${what}? ${describe(read, zone)} ${writeMails(mails, 'will be')}${writeMessage(input.message)}.`
          return { kind: 'ask', question, action }
        }
        case 'declined':
          return { kind: 'refused', sentence: 'The person does not want to change it. Nothing was changed.' }
        case 'confirmed':
        case 'cannot-ask':
          break
      }
    }
    const changedId = await apply(context, read.change, named, {
      notifies: input.mailParticipants ?? true,
      message: input.message,
    })
    const after = await readOneMeeting(context, changedId, maxDatesAfterwards)
    const fields = viewMeetingFields(after, caller)
    const when = writeChanged(after.occurrences ?? [], extent === 'one' ? named.originalStart : undefined, zone)
    return {
      kind: 'done',
      sentence: `Changed ${inSentence(fields.topic)}: ${when}. ${writeMails(mails, 'are')}.`,
      result: {
        ...fields,
        continues: extent === 'following' ? meeting._id : null,
        dates: (after.occurrences ?? []).map((date) => viewDate(date, zone)),
        mails,
      },
    }
  },
})

/** The date that was changed alone, else the next one. */
function writeChanged(ahead: readonly OccurrenceReply[], originalStart: string | undefined, zone: string): string {
  const changed = ahead.find(({ originalStartTime }) => originalStartTime === originalStart)
  if (changed !== undefined) return `that date is now ${writeTimes(changed, zone)}`
  const [next] = ahead
  return next === undefined ? 'no date of it is ahead' : `its next date is ${writeTimes(next, zone)}`
}

const endpointOf = (occurrence: Extent | undefined) => {
  switch (occurrence) {
    case 'one':
      return changeOccurrence
    case 'following':
      return splitMeeting
    default:
      return updateMeeting
  }
}

/** What is sent to the API; absent fields stay as they are. */
type Change = Partial<MeetingTexts> & {
  startTime?: string
  endTime?: string
  participants?: string[]
  repeatOptions?: MeetingRequest['repeatOptions']
  reminderMinutes?: number
}

type Times = { startTime: string; endTime: string }

/** `times` are the times of the named date, as the person is shown them. */
type ReadChange = { change: Change; times: Times | undefined }

type Named = Awaited<ReturnType<typeof findNamed>> & { zone: string }

/** @throws invalid_request */
function readChange(input: Input, named: Named): ReadChange {
  const { repeatOptions, addParticipants, removeParticipants, reminderMinutes } = input
  const texts = meetingTextNames.filter((name) => input[name] !== undefined)
  const { meeting, extent } = named
  if (Object.keys(changes).every((name) => input[name as keyof typeof changes] === undefined)) {
    throw refusal('', 'required', 'must say what is to be changed: ask the person')
  }
  const ofSeries = Object.entries({ repeatOptions, addParticipants, removeParticipants, reminderMinutes })
  const [first] = ofSeries.find(([, value]) => value !== undefined) ?? []
  if (extent === 'one' && first !== undefined) {
    const message =
      'belongs to the whole series: send occurrence `following` or `all`, if that is what the person means'
    throw refusal(`/${first}`, 'not_for_one_occurrence', message)
  }
  const { sent, times } = readTimes(input, named)
  const changesPeople = addParticipants !== undefined || removeParticipants !== undefined
  return {
    times,
    change: {
      ...Object.fromEntries(texts.map((name) => [name, input[name]])),
      ...sent,
      ...(changesPeople && { participants: changePeople(meeting, addParticipants ?? [], removeParticipants ?? []) }),
      ...(reminderMinutes !== undefined && { reminderMinutes }),
    },
  }
}

function changePeople(meeting: SingleMeetingReply, added: readonly string[], removed: readonly string[]): string[] {
  const people = new Map(meeting.participants.map(({ email }) => [email.toLowerCase(), email]))
  for (const [at, email] of removed.entries()) {
    if (people.delete(email.toLowerCase())) continue
    throw refusal(`/removeParticipants/${at}`, 'not_invited', `names ${email}, who is not invited`)
  }
  for (const text of added) {
    const { address, name } = readMailbox(text)
    const key = address.toLowerCase()
    // A name is a change of a person who is invited already.
    if (name !== '' || !people.has(key)) people.set(key, text)
  }
  return [...people.values()]
}

/** The times and the rule as the API takes them for this extent. @throws invalid_request */
function readTimes(input: Input, { meeting, extent, date, zone }: Named): { sent: Change; times: Times | undefined } {
  const isSameLength = input.endTime === undefined && input.durationMinutes === undefined
  if (input.startTime === undefined && isSameLength && input.repeatOptions === undefined) {
    return { sent: {}, times: undefined }
  }
  const timeZone = meeting.repeatOptions.timeZoneIana
  const rule = input.repeatOptions && { repeatOptions: toApiRepeatOptions(input.repeatOptions, timeZone) }
  const named = date ?? (meeting.recur ? undefined : { ...meeting, originalStartTime: meeting.startTime })
  if (named === undefined) {
    throw refusal('/originalStart', 'no_such_occurrence', 'names no date ahead: read the meeting again')
  }
  // The series follows its rule, also where the date that is named has times of its own.
  const isOfSeries = meeting.recur && extent !== 'one'
  const from = new Date(isOfSeries ? named.originalStartTime : named.startTime)
  const to = input.startTime === undefined ? from : acceptWallTime('/startTime', input.startTime, zone)
  const lengthMs = isOfSeries ? meeting.scheduledDuration : Date.parse(named.endTime) - from.getTime()
  const end = isSameLength ? new Date(to.getTime() + lengthMs) : readNewEnd(input, to, zone)
  const times = { startTime: to.toISOString(), endTime: end.toISOString() }
  if (!isOfSeries) return { sent: { ...times, ...rule }, times }

  const { endDate, count } = meeting.repeatOptions
  const shift = shiftSeries(
    { startsAt: new Date(meeting.startTime), endsBy: endDate === null ? null : new Date(endDate), timeZone },
    { from, to },
  )
  if (shift.isOtherDay && rule === undefined) {
    const message = 'is on another day than the date that is named: send repeatOptions with the new days as well'
    throw refusal('/startTime', 'other_day', message)
  }
  if (extent === 'following') return { sent: { ...times, ...rule }, times }
  const sent = {
    startTime: shift.startsAt.toISOString(),
    endTime: new Date(shift.startsAt.getTime() + end.getTime() - to.getTime()).toISOString(),
    repeatOptions: rule?.repeatOptions ?? {
      ...sendBackRepeatOptions(meeting.repeatOptions),
      // The end of a count follows from it.
      endDate: count === null ? (shift.endsBy?.toISOString() ?? null) : null,
    },
  }
  return { sent, times }
}

function readNewEnd({ endTime, durationMinutes }: Input, startsAt: Date, zone: string): Date {
  if (durationMinutes === undefined) return acceptWallTime('/endTime', endTime ?? '', zone)
  if (endTime === undefined) return new Date(startsAt.getTime() + durationMinutes * minuteMs)
  throw refusal('/endTime', 'not_together', 'cannot be sent together with durationMinutes')
}

/** @returns the id of the meeting that has the change */
async function apply(
  context: ToolContext,
  change: Change,
  { meeting, extent, originalStart = '' }: Named,
  { notifies, message }: { notifies: boolean; message: string | undefined },
): Promise<string> {
  const written = message !== undefined && { message }
  const common = {
    query: { sendUpdates: notifies ? ('all' as const) : ('none' as const) },
    // Send the version that was read: a change of another host meanwhile must refuse this update.
    ifMatch: `"v${meeting.__v}"`,
  }
  const params = { meetingId: meeting._id }
  switch (extent) {
    case 'one':
      await context.call(changeOccurrence, {
        ...common,
        params: { ...params, originalStart },
        body: { ...change, ...written },
      })
      return meeting._id
    case 'following': {
      const continuation = await context.call(splitMeeting, {
        ...common,
        params,
        body: { ...change, ...written, occurrence: originalStart },
      })
      return continuation._id
    }
    case 'all':
      await context.call(updateMeeting, { ...common, params, body: { ...sentBack(meeting), ...change, ...written } })
      return meeting._id
  }
}

/** A meeting as an update takes it: what was read can be sent back. */
const sentBack = (meeting: SingleMeetingReply): MeetingRequest => ({
  ...mapTexts((name) => meeting[name]),
  startTime: meeting.startTime,
  endTime: meeting.endTime,
  participants: meeting.participants.map(({ email }) => email),
  isPinEnabled: true,
  advancedOptions: meeting.advancedOptions,
  repeatOptions: sendBackRepeatOptions(meeting.repeatOptions),
  reminderMinutes: meeting.reminderMinutes,
})

/**
 * The mails and their recipients: an update to all guests whom a change of times or texts concerns, and mails to guests
 * who are added or removed.
 */
function mailsOf(input: Input, { change, times }: ReadChange, { meeting, extent, date }: Named): Mails {
  if (input.mailParticipants === false || (meeting.occurrences ?? []).length === 0) return []
  const invited = addressesOf(meeting)
  const isAmong = (addresses: readonly string[] = []) => {
    const keys = new Set(addresses.map((email) => email.toLowerCase()))
    return (email: string) => keys.has(email.toLowerCase())
  }
  const [wasInvited, isRemoved] = [isAmong(invited), isAmong(input.removeParticipants)]
  const before = { ...meeting, ...date }
  const isShown =
    extent === 'following' ||
    input.repeatOptions !== undefined ||
    meetingTextNames.some((name) => (change[name] ?? before[name]) !== before[name]) ||
    (times !== undefined && (times.startTime !== before.startTime || times.endTime !== before.endTime))
  return viewMails({
    invitation: (input.addParticipants ?? [])
      .map((text) => readMailbox(text).address)
      .filter((email) => !wasInvited(email)),
    update: isShown ? invited.filter((email) => !isRemoved(email)) : [],
    cancellation: invited.filter(isRemoved),
  })
}

/** The change in sentences, for the person who confirms it. */
function describe({ change, times }: ReadChange, zone: string): string {
  const { topic, description, location, participants, repeatOptions, reminderMinutes } = change
  return [
    ...(topic === undefined ? [] : [`The topic becomes ${inSentence(quote(topic, 'you'))}.`]),
    ...(times === undefined ? [] : [`The time becomes ${writeTimes(times, zone)}.`]),
    ...(repeatOptions === undefined ? [] : ['The other dates follow.']),
    ...(participants === undefined
      ? []
      : [`Then ${participants.length === 1 ? 'one person is' : `${participants.length} people are`} invited.`]),
    ...(description === undefined ? [] : ['The description changes.']),
    ...(location === undefined ? [] : [`The location becomes ${inSentence(quote(location, 'you'))}.`]),
    ...(reminderMinutes === undefined ? [] : [`Reminders are mailed ${reminderMinutes} minutes before.`]),
  ].join(' ')
}

const refusal = (path: string, code: string, message: string) => invalidRequest([violationAt(path, { code, message })])

/** How many dates that are left are shown. */
const maxLeft = 5

/** The message in the question, so that a person sees what is written in their name. */
const writeMessage = (message: string | undefined) =>
  message === undefined || message.trim() === '' ? '' : `, with the message ${inSentence(quote(message, 'you'))}`

const extentOfApi = { one: 'current', following: 'following', all: 'all' } as const

export const cancelMeeting = defineTool({
  name: 'cancel_meeting',
  title: 'Cancel a meeting',
  description:
    'Cancel one date of a series, this date and all that follow, or the whole meeting, and mail everyone who is invited. Ask the person before you call it, also how much of a series they mean. What has been held stays.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: toolInput({ meetingId, occurrence: extent, originalStart, mailParticipants, message: guestMessage }),
  output: Type.Object({
    ...meetingFields,
    changed: Type.Boolean({ description: 'False when all of this was cancelled already' }),
    dates: Type.Array(dateOutput, { maxItems: maxLeft, description: 'The next dates that are left' }),
    mails: mailsOutput,
  }),
  uses: () => [readMeeting, cancelMeetingEndpoint],
  async run(context, { mailParticipants = true, message, ...input }) {
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
      const action = ['cancel_meeting', meeting._id, meeting.__v, extent, originalStart, mailParticipants, message]
      switch (context.confirmation(action)) {
        case 'to-ask':
          return {
            kind: 'ask',
            question: `Cancel ${what}? ${writeMails(mails, 'will be')}${writeMessage(message)}.`,
            action,
          }
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
      body: {
        cancel: extentOfApi[extent],
        ...(originalStart !== undefined && { occurrence: originalStart }),
        ...(message !== undefined && { message }),
      },
      // Send the version that the person has seen or confirmed: a change of another host meanwhile must refuse this
      // update.
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
