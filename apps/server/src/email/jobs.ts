import type { Encryption } from '../platform/encryption.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import type { Mailer } from './mail.ts'
import { createSendMailTask } from './mail-job.ts'

/** The background work of email: queued messages are handed to the mail server. */
export const createEmailJobs = (options: { mailer: Mailer; encryption: Encryption; baseUrl: string }): ModuleJobs => ({
  mailTasks: createSendMailTask(options),
})
