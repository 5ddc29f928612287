import type { Logger } from 'pino'
import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { createEraseAccountsTask, eraseAccountsJob } from './erase-accounts-job.ts'

/** The background work of people's data: closed accounts are erased. */
export const createAccountDataJobs = (service: WithDatabase & { log: Logger }): ModuleJobs => ({
  tasks: createEraseAccountsTask(service),
  hourly: [eraseAccountsJob.name],
})
