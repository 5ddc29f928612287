import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { registerAdministeredApps } from './administered-apps.ts'
import { deleteUnusedRegistrations } from './agent-clients/agent-client-store.ts'
import { refreshDocument, refreshDocumentJob } from './agent-clients/client-documents.ts'
import { serveCommandLineClient } from './agent-clients/command-line-client.ts'
import { examineClient, examineClientJob } from './agent-clients/examine-client.ts'
import { mailWaitingClients, mailWaitingClientsJob } from './agent-clients/reviewer-emails.ts'
import { registerAppSecrets, reportExpiringSecrets, reportExpiringSecretsJob } from './app-secrets.ts'
import { registerApps } from './apps.ts'
import type { Dependencies } from './dependencies.ts'
import { deleteOldAppEvents } from './events/app-event-store.ts'
import { registerAppEvents } from './events/app-events.ts'
import { registerOauthAccess } from './oauth-access.ts'
import { registerReviews } from './reviews.ts'
import { registerResubmission } from './submission.ts'
import { deleteRemovedTesters } from './tester-store.ts'
import { registerTesters } from './testers.ts'

/** Register the endpoints of OAuth apps. */
export function registerOauthApps(dependencies: Dependencies): void {
  serveCommandLineClient(dependencies.http, dependencies.config)
  registerOauthAccess(dependencies)
  registerApps(dependencies)
  registerResubmission(dependencies)
  registerAppSecrets(dependencies)
  registerAppEvents(dependencies)
  registerTesters(dependencies)
  registerReviews(dependencies)
  registerAdministeredApps(dependencies)
}

/** The background work of OAuth apps: documents of clients, secrets, events and testers that expire. */
export const createAppJobs = (dependencies: Dependencies): ModuleJobs => {
  const { database, config, clock } = dependencies
  return {
    tasks: {
      ...examineClientJob.handle((examined) => examineClient(dependencies, examined)),
      ...refreshDocumentJob.handle(({ appId }, { job }) => refreshDocument(dependencies, appId, `job ${job.id}`)),
      ...mailWaitingClientsJob.handle(() => mailWaitingClients(dependencies)),
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
