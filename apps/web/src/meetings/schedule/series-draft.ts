import type { BodyOf, changeOccurrence, OccurrenceReply, SingleMeetingReply, splitMeeting } from '@parley/contract'
import { mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { draftOf, type MeetingDraft, textsOf, toMeetingRequest } from './meeting-draft.ts'
import { repeatFrom } from './repeat-draft.ts'
import { instantOf, wallTimeOf } from './wall-time.ts'

/** One date of a series as a draft of the form, in the series' time zone. */
export function dateDraftOf(meeting: SingleMeetingReply, occurrence: OccurrenceReply): MeetingDraft {
  const { startTime, endTime } = occurrence
  const wall = wallTimeOf(startTime, meeting.repeatOptions.timeZoneIana)
  return {
    ...draftOf(meeting),
    ...wall,
    repeat: repeatFrom(wall.date),
    durationMs: Date.parse(endTime) - Date.parse(startTime),
    ...mapTexts((name) => occurrence[name] ?? meeting[name]),
  }
}

/**
 * What the form has changed. A start that was not touched is not sent: it may be the second occurrence of its local
 * time on the night when clocks go back.
 */
export function changesOf(
  draft: MeetingDraft,
  { was, startTime, zoneId }: { was: MeetingDraft; startTime: string; zoneId: string },
): BodyOf<typeof changeOccurrence> {
  const [texts, former] = [textsOf(draft), textsOf(was)]
  const isMoved = draft.date !== was.date || draft.time !== was.time
  const startsAt = isMoved ? instantOf(draft, zoneId) : new Date(startTime)
  const isTimed = startsAt !== undefined && (isMoved || draft.durationMs !== was.durationMs)
  return {
    ...(isMoved && { startTime: startsAt?.toISOString() ?? '' }),
    ...(isTimed && { endTime: new Date(startsAt.getTime() + draft.durationMs).toISOString() }),
    ...Object.fromEntries(
      meetingTextNames.filter((name) => texts[name] !== former[name]).map((name) => [name, texts[name]]),
    ),
  }
}

/** Where a series is split, and how many dates it has before. */
type Split = { occurrence: string; countBefore: number }

/** The form's values for this and all following dates: those of the series, from this date on. */
export function splitDraft(meeting: SingleMeetingReply, { occurrence, countBefore }: Split): MeetingDraft {
  const draft = draftOf(meeting)
  const { date } = wallTimeOf(occurrence, meeting.repeatOptions.timeZoneIana)
  const count = meeting.repeatOptions.count === null ? draft.repeat.count : draft.repeat.count - countBefore
  return { ...draft, date, repeat: { ...draft.repeat, count } }
}

/**
 * Build the request. Times and a rule that were not touched are not sent, so that the new meeting has the dates that
 * the series would have had.
 */
export function splitRequest(
  draft: MeetingDraft,
  { was, occurrence, zoneId }: { was: MeetingDraft; occurrence: string; zoneId: string },
): BodyOf<typeof splitMeeting> {
  const { startTime, endTime, repeatOptions, ...others } = toMeetingRequest(draft, zoneId)
  const isSameZone = draft.timeZone === was.timeZone
  const isTimed =
    !isSameZone || draft.date !== was.date || draft.time !== was.time || draft.durationMs !== was.durationMs
  const isSameRule = isSameZone && JSON.stringify(draft.repeat) === JSON.stringify(was.repeat)
  return { ...others, occurrence, ...(isTimed && { startTime, endTime }), ...(!isSameRule && { repeatOptions }) }
}
