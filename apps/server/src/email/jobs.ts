import type { Config } from '../platform/config/config.ts'
import type { Encryption } from '../platform/encryption.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import type { Mailer } from './mail.ts'
import { createSendMailTask } from './mail-job.ts'

type Dependencies = { mailer: Mailer; encryption: Encryption; config: Config }

/** The background work of email: queued messages are handed to the mail server. */
export const createEmailJobs = ({ mailer, encryption, config }: Dependencies): ModuleJobs => ({
  mailTasks: createSendMailTask({ mailer, encryption, baseUrl: config.baseUrl }),
})
