import type { Database } from '../platform/database/database.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteExpiredSignIns } from './sign-in-store.ts'

/** The background work of sign-in with a provider: attempts that were not finished expire. */
export const createSsoJobs = ({ database }: { database: Database }): ModuleJobs => ({
  deleteExpired: (now) => deleteExpiredSignIns(database, now),
})
