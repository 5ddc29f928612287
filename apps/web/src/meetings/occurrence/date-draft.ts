import type { BodyOf, changeOccurrence, OccurrenceReply, SingleMeetingReply } from '@parley/contract'
import { mapTexts, meetingTextNames } from '@parley/contract/meeting-fields'
import { draftOf, type MeetingDraft, textsOf } from '../schedule/meeting-draft.ts'
import { repeatFrom } from '../schedule/repeat-draft.ts'
import { instantOf, wallTimeOf } from '../schedule/wall-time.ts'

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
