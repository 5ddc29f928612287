import type { Logger } from 'pino'
import type { WithDatabase } from '../access/service.ts'
import type { Mailer } from '../email/mail.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteOldMails } from './delivery/delete-old-mails.ts'
import { createDeliveryTask } from './delivery/deliver-to-guest.ts'
import { createDigestTask, sendDigestsJob } from './digest/send-digests.ts'
import { createRemindTask, remindJob } from './remind.ts'

/** The background work of invitations: mails to guests, reminders, digests of answers, records of mails that expire. */
export const createInvitationJobs = (service: WithDatabase & { mailer: Mailer; log: Logger }): ModuleJobs => ({
  mailTasks: createDeliveryTask(service),
  tasks: { ...createRemindTask(service), ...createDigestTask(service) },
  minutely: [remindJob.name, sendDigestsJob.name],
  deleteExpired: (now) => deleteOldMails(service.database, now, service.config.retention.mailRecordDays),
})
