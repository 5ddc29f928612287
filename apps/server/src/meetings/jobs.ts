import type { Logger } from 'pino'
import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { bindSecretsJob, createBindSecretsTask } from './secrets/bind-meeting-secrets.ts'
import { deleteUndoables } from './undo/undo-store.ts'

/** The background work of meetings: secrets of earlier releases are encrypted anew, and cancellations become final. */
export const createMeetingJobs = (service: WithDatabase & { log: Logger }): ModuleJobs => ({
  tasks: createBindSecretsTask(service),
  hourly: [bindSecretsJob.name],
  atStart: [bindSecretsJob.name],
  deleteExpired: (now) => deleteUndoables(service.database, now),
})
