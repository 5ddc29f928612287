import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { registerBlockedSenders } from './blocked-senders.ts'
import { registerCancelMeeting } from './cancel-meeting.ts'
import { registerCreateMeeting } from './create-meeting.ts'
import type { Dependencies } from './dependencies.ts'
import { registerAgenda } from './lists/agenda.ts'
import { registerListCalendar } from './lists/list-calendar.ts'
import { registerListMeetings } from './lists/list-meetings.ts'
import { registerMeetingColours } from './lists/meeting-colours.ts'
import { registerOccurrences } from './occurrences.ts'
import { registerReadMeeting } from './read-meeting.ts'
import { registerSplitMeeting } from './split-meeting.ts'
import { registerMeetingTemplates } from './templates/meeting-templates.ts'
import { deleteUndoables } from './undo-store.ts'
import { registerUpdateMeeting } from './update-meeting.ts'

/** Register every endpoint of meetings. */
export function registerMeetings(dependencies: Dependencies): void {
  registerCreateMeeting(dependencies)
  registerReadMeeting(dependencies)
  registerUpdateMeeting(dependencies)
  registerSplitMeeting(dependencies)
  registerCancelMeeting(dependencies)
  registerOccurrences(dependencies)
  registerListMeetings(dependencies)
  registerListCalendar(dependencies)
  registerAgenda(dependencies)
  registerMeetingColours(dependencies)
  registerBlockedSenders(dependencies)
  registerMeetingTemplates(dependencies)
}

/** The background work of meetings: cancellations become final. */
export const createMeetingJobs = ({ database }: Pick<Dependencies, 'database'>): ModuleJobs => ({
  deleteExpired: (now) => deleteUndoables(database, now),
})
