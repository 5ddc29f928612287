import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteOldEvents } from './delete-old-events.ts'

/** The background work of the event log: events that expire. The publisher is a loop of its own (event-publisher.ts). */
export const createEventJobs = ({ database }: WithDatabase): ModuleJobs => ({
  deleteExpired: (now) => deleteOldEvents(database, now),
})
