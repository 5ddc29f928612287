import type { SingleMeetingReply } from '@parley/contract'
import { draftOf, type MeetingDraft, startOf } from './meeting-draft.ts'

const dayMs = 24 * 60 * 60 * 1000
const weekMs = 7 * dayMs

/**
 * A new meeting like another one. What has begun is moved by whole weeks into the future, so that it keeps its weekday and
 * its time of day; a series that ends on a date ends as much later.
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
