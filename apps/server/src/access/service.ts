import type { Clock } from '../platform/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { DatabaseFailureLog } from '../platform/database/database-failure-log.ts'
import type { Encryption } from '../platform/encryption.ts'
import type { Random } from '../platform/random.ts'
import type { Database } from '../tables/tables.ts'
import type { Serve } from './serve.ts'

/** What every feature is handed: how to serve an endpoint, and the outside world it may use. */
export type Service = {
  serve: Serve
  database: Database
  clock: Clock
  random: Random
  encryption: Encryption
  config: Config
  /** Where an error handler reports what the database could not do. */
  databaseFailures: DatabaseFailureLog
}
