import type { SingleMeetingReply } from '@parley/contract'
import { draftOf, type MeetingDraft, startOf } from './meeting-draft.ts'

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs

/**
 * Copy a meeting into a new draft. A start in the past is moved by whole weeks into the future, which keeps its weekday
 * and local time; the end date of a series moves by the same amount.
 */
export function copiedDraft(meeting: SingleMeetingReply, now: Date): MeetingDraft {
  const draft = draftOf(meeting)
  const lateMs = now.getTime() - Date.parse(meeting.startTime)
  let moved = draft
  for (let weeks = Math.max(Math.floor(lateMs / weekMs), 0); ; weeks++) {
    moved = movedBy(draft, weeks * weekMs)
    const startsAt = startOf(moved, meeting.repeatOptions.timeZoneIana)
    if (startsAt === undefined || startsAt > now) return moved
  }
}

function movedBy(draft: MeetingDraft, ms: number): MeetingDraft {
  const later = (date: string) =>
    date === '' ? date : new Date(Date.parse(`${date}T00:00Z`) + ms).toISOString().slice(0, 10)
  return { ...draft, date: later(draft.date), repeat: { ...draft.repeat, endDate: later(draft.repeat.endDate) } }
}
