import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { reportExpiringSecrets, reportExpiringSecretsJob } from './credentials/report-expiring-secrets.ts'
import { deleteOldAppEvents } from './events/delete-old-app-events.ts'
import { refreshNameKeys, refreshNameKeysJob } from './refresh-name-keys.ts'
import { deleteRemovedTesters } from './testers/tester-store.ts'

/** The background work of OAuth apps: keys for look-alike names, events and testers that expire. */
export const createAppJobs = ({ database, config, clock }: WithDatabase): ModuleJobs => ({
  tasks: {
    ...refreshNameKeysJob.handle(async () => void (await refreshNameKeys(database))),
    ...reportExpiringSecretsJob.handle(() => reportExpiringSecrets(database, clock.now())),
  },
  hourly: [reportExpiringSecretsJob.name],
  atStart: [refreshNameKeysJob.name],
  async deleteExpired(now) {
    await deleteOldAppEvents(database, now, config.retention.appEventDays)
    await deleteRemovedTesters(database, now)
  },
})
