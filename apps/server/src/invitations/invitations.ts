import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { registerAskForAnswers } from './ask-for-answers.ts'
import { registerCalendars } from './calendars.ts'
import { createDeliveryTask } from './delivery/deliver-to-guest.ts'
import { deleteOldMails } from './delivery/guest-delivery-store.ts'
import type { Dependencies } from './dependencies.ts'
import { createDigestTask, registerDigestPages, sendDigestsJob } from './digests.ts'
import { createRemindTask, registerReminderPages, remindJob } from './guest-reminders.ts'
import { registerResendInvitation } from './resend-invitation.ts'
import { registerResponses } from './responses.ts'
import { registerTimeProposals } from './time-proposals.ts'

/** Register every endpoint of invitations, responses and calendars, and the pages behind the links in emails. */
export function registerInvitations(dependencies: Dependencies): void {
  registerResendInvitation(dependencies)
  registerAskForAnswers(dependencies)
  registerResponses(dependencies)
  registerTimeProposals(dependencies)
  registerReminderPages(dependencies)
  registerDigestPages(dependencies)
  registerCalendars(dependencies)
}

/** Create the jobs that email guests and hosts, and the job that deletes old records of emails. */
export const createInvitationJobs = (dependencies: Dependencies): ModuleJobs => ({
  mailTasks: createDeliveryTask(dependencies),
  tasks: { ...createRemindTask(dependencies), ...createDigestTask(dependencies) },
  minutely: [remindJob.name, sendDigestsJob.name],
  deleteExpired: (now) => deleteOldMails(dependencies.database, now, dependencies.config.retention.mailRecordDays),
})
