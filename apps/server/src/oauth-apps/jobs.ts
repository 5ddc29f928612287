import type { Service } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteRemovedTesters } from './credentials/tester-store.ts'
import { deleteOldAppEvents } from './events/delete-old-app-events.ts'
import { refreshNameKeys, refreshNameKeysJob } from './registration/refresh-name-keys.ts'

/** The background work of OAuth apps: keys for look-alike names, events and testers that expire. */
export const createAppJobs = ({ database, config }: Service): ModuleJobs => ({
  tasks: refreshNameKeysJob.handle(async () => void (await refreshNameKeys(database))),
  atStart: [refreshNameKeysJob.name],
  async deleteExpired(now) {
    await deleteOldAppEvents(database, now, config.retention.appEventDays)
    await deleteRemovedTesters(database, now)
  },
})
