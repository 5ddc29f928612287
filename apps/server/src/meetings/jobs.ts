import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteUndoables } from './undo/undo-store.ts'

/** The background work of meetings: cancellations become final. */
export const createMeetingJobs = ({ database }: Pick<WithDatabase, 'database'>): ModuleJobs => ({
  deleteExpired: (now) => deleteUndoables(database, now),
})
