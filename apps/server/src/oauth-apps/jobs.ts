import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteUnusedRegistrations } from './agent-clients/delete-unused-registrations.ts'
import { examineClient } from './agent-clients/examine-client.ts'
import { examineClientJob } from './agent-clients/examine-client-job.ts'
import { mailWaitingClients, mailWaitingClientsJob } from './agent-clients/notify-reviewers.ts'
import { refreshDocument, refreshDocumentJob } from './agent-clients/refresh-document.ts'
import type { AppsService } from './apps-service.ts'
import { reportExpiringSecrets, reportExpiringSecretsJob } from './credentials/report-expiring-secrets.ts'
import { deleteOldAppEvents } from './events/delete-old-app-events.ts'
import { deleteRemovedTesters } from './testers/tester-store.ts'

/** The background work of OAuth apps: documents of clients, secrets, events and testers that expire. */
export const createAppJobs = (service: WithDatabase<AppsService>): ModuleJobs => {
  const { database, config, clock } = service
  return {
    tasks: {
      ...examineClientJob.handle((examined) => examineClient(service, examined)),
      ...refreshDocumentJob.handle(({ appId }, { job }) => refreshDocument(service, appId, `job ${job.id}`)),
      ...mailWaitingClientsJob.handle(() => mailWaitingClients(service)),
      ...reportExpiringSecretsJob.handle(() => reportExpiringSecrets(database, clock.now())),
    },
    hourly: [reportExpiringSecretsJob.name],
    async deleteExpired(now) {
      await deleteOldAppEvents(database, now, config.retention.appEventDays)
      await deleteRemovedTesters(database, now)
      await deleteUnusedRegistrations(database, now)
    },
  }
}
