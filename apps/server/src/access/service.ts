import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/database/database.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { Encryption } from '../platform/encryption.ts'
import type { Random } from '../platform/random.ts'
import type { Serve } from './serve.ts'

/**
 * What every module receives: how to serve an endpoint, and its dependencies. The database is not among them: a handler
 * uses the one of its context, which may be a transaction (`HandlerContext.database`).
 */
export type Service = {
  serve: Serve
  clock: Clock
  random: Random
  encryption: Encryption
  config: Config
  /** Where error handlers report database failures. */
  databaseFailures: DatabaseFailureLog
}

/** The dependencies of code that has no handler context, such as jobs and pages: `database` is the pool. */
export type WithDatabase<Dependencies = Service> = Dependencies & { database: Database }
