import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { type Config, sessionSettingsOf } from '../platform/config/config.ts'
import { readOrMakeSecretKey } from '../platform/config/secret-key.ts'
import { claimDataFolder, FolderInUse } from '../platform/data-folder.ts'
import { createDatabase, createPool, type Database } from '../platform/database/database.ts'
import { connectionTo, type DatabaseConnection } from '../platform/database/database-address.ts'
import { explainDatabaseRefusal } from '../platform/database/database-failure.ts'
import { readAppliedMigrations, requireCurrentSchema, versionOf } from '../platform/database/migrate.ts'
import { createEncryption, type Encryption } from '../platform/encryption.ts'
import { startEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts'
import { serviceConnection } from '../platform/postgres/readiness.ts'
import type { Random } from '../platform/random.ts'

/** The dependencies of every command. */
export type Dependencies = {
  config: Config
  clock: Clock
  random: Random
  log: Logger
  /** Print a line for the operator. */
  say(line: string): void
  /** Print it to standard error, when standard output carries data. */
  sayOnStderr(line: string): void
}

/** The dependencies of a command that uses the database. */
export type Operator = Dependencies & {
  pool: Pool
  database: Database
  encryption: Encryption
}

export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** A statement may read a whole table. */
const statementTimeoutMs = 60 * 60 * 1000
const maxOperatorConnections = 2

/**
 * The schema that a command needs. `current`: exactly the migrations of this version, because it reads and writes rows;
 * `any`: it adapts to what it finds.
 */
type SchemaNeeded = 'current' | 'any'

/**
 * Do some work on the service's database, even while Parley is serving. Never migrate it: the running version would
 * refuse to start on it again. Reports the database's version on standard error; with `any` the command reports it
 * where it matters.
 *
 * @throws StartProblem
 */
export async function withDatabase<T>(
  dependencies: Dependencies,
  work: (operator: Operator) => Promise<T>,
  { schema = 'current' }: { schema?: SchemaNeeded } = {},
): Promise<T> {
  const { config, random, log, sayOnStderr } = dependencies
  const opened = await openDatabase(config, log)
  const pool = createPool({
    connection: opened.connection,
    maxConnections: maxOperatorConnections,
    statementTimeoutMs,
    log,
    sessionSettings: sessionSettingsOf(config),
  })
  try {
    const applied = await readAppliedMigrations(pool).catch(explainDatabaseRefusal)
    if (schema === 'current') {
      if (applied !== undefined) sayOnStderr(`The database is at ${versionOf(applied)}.`)
      await requireCurrentSchema(applied, migrationsFolder)
    }
    const secretKey = config.secretKey ?? (await readOrMakeSecretKey(config.dataDir, random))
    const database = createDatabase(pool)
    return await work({ ...dependencies, pool, database, encryption: createEncryption(secretKey) })
  } finally {
    await pool.end()
    await opened.close()
  }
}

type OpenDatabase = {
  connection: DatabaseConnection
  /** Whether a running Parley uses it. */
  inUse: boolean
  close(): Promise<void>
}

/**
 * Open the service's database for one command: the operator's own, or the private one. A running Parley's database is
 * reached through its socket; otherwise PostgreSQL is started for the duration of the command.
 *
 * @throws StartProblem
 */
async function openDatabase(config: Config, log: Logger): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    return { connection: connectionTo(config.databaseUrl), inUse: false, close: async () => {} }
  }
  try {
    const folder = await claimDataFolder(config.dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir: folder.path, log }).catch(async (error) => {
      await folder.release()
      throw error
    })
    const close = async () => {
      await postgres.stop()
      await folder.release()
    }
    return { connection: postgres.connection, inUse: false, close }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    // The socket is in this folder or behind its link (postgres/socket-folder.ts).
    const connection = serviceConnection(join(config.dataDir, 'postgres-socket'))
    return { connection, inUse: true, close: async () => {} }
  }
}
