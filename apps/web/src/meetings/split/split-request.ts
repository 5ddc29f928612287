import type { BodyOf, SingleMeetingReply, splitMeeting } from '@parley/contract'
import { draftOf, type MeetingDraft, toMeetingRequest } from '../schedule/meeting-draft.ts'
import { wallTimeOf } from '../schedule/wall-time.ts'

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
