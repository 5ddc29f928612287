import type { WithDatabase } from '../access/service.ts'
import { serveBlockSender } from './blocked-senders/block-sender.ts'
import { serveListBlockedSenders } from './blocked-senders/list-blocked-senders.ts'
import { serveUnblockSender } from './blocked-senders/unblock-sender.ts'
import { serveCancelMeeting } from './cancel-meeting.ts'
import { serveCreateMeeting } from './create-meeting.ts'
import { serveListOccurrences } from './list-occurrences.ts'
import { serveListCalendar } from './lists/list-calendar.ts'
import { serveListConflicts } from './lists/list-conflicts.ts'
import { serveListMeetings } from './lists/list-meetings.ts'
import { serveRemoveAddedMeeting } from './lists/remove-added-meeting.ts'
import { serveChangeOccurrence } from './occurrences/change-occurrence.ts'
import { serveRestoreOccurrence } from './occurrences/restore-occurrence.ts'
import { serveUndoOccurrenceChange } from './occurrences/undo-occurrence-change.ts'
import { servePreviewMeeting } from './preview-meeting.ts'
import { createMeetingReads, serveReadMeeting } from './read-meeting.ts'
import { serveSplitMeeting } from './split/split-meeting.ts'
import { serveUndoCancellation } from './undo/undo-cancellation.ts'
import { serveUpdateMeeting } from './update-meeting.ts'

/** Register every endpoint of meetings. */
export function registerMeetingRoutes(service: WithDatabase): void {
  serveCreateMeeting(service)
  serveUpdateMeeting(service)
  serveReadMeeting(service, createMeetingReads(service.database))
  serveListOccurrences(service)
  serveChangeOccurrence(service)
  serveUndoOccurrenceChange(service)
  serveRestoreOccurrence(service)
  serveSplitMeeting(service)
  serveCancelMeeting(service)
  serveUndoCancellation(service)
  serveListMeetings(service)
  serveListCalendar(service)
  serveListConflicts(service)
  servePreviewMeeting(service)
  serveRemoveAddedMeeting(service)
  serveBlockSender(service)
  serveListBlockedSenders(service)
  serveUnblockSender(service)
}
