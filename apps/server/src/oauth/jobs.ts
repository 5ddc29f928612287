import type { Database } from '../platform/database/database.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteExpiredRequests } from './authorize/authorization-request-store.ts'
import { deleteExpiredTokens } from './grants/delete-expired.ts'

/** The background work of the OAuth server: tokens, codes and authorization requests expire. */
export const createOauthJobs = ({ database }: { database: Database }): ModuleJobs => ({
  async deleteExpired(now) {
    await deleteExpiredTokens(database, now)
    await deleteExpiredRequests(database, now)
  },
})
