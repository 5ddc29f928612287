import type { Database } from '../platform/database/database.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteExpiredIdempotencyKeys } from './idempotency.ts'

/** The background work of access: kept answers to repeatable requests expire. */
export const createAccessJobs = ({ database }: { database: Database }): ModuleJobs => ({
  deleteExpired: (now) => deleteExpiredIdempotencyKeys(database, now),
})
