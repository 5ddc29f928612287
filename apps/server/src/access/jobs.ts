import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import type { Database } from '../tables/tables.ts'
import { deleteExpiredIdempotencyKeys } from './idempotency.ts'

/** The background work of access: kept answers to repeatable requests expire. */
export const createAccessJobs = ({ database }: { database: Database }): ModuleJobs => ({
  deleteExpired: (now) => deleteExpiredIdempotencyKeys(database, now),
})
