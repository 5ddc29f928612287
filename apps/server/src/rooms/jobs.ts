import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteOldAdmissions } from './admission/admission-store.ts'
import { deleteOldHistory } from './attendance/delete-old-history.ts'

/**
 * The background work of rooms: what the media engine needs, where there is one; attendance and admissions that expire.
 */
export const createRoomJobs = ({ database, config }: WithDatabase, media: ModuleJobs | undefined): ModuleJobs => ({
  ...media,
  async deleteExpired(now) {
    await deleteOldHistory(database, now, config.retention.historyDays)
    await deleteOldAdmissions(database, now)
  },
})
