import { fileURLToPath } from 'node:url'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Database, Tables } from '../../migrations/tables.ts'
import type { Clock } from '../platform/clock.ts'
import { type Config, readOrMakeSecretKey } from '../platform/config.ts'
import { createDatabase, createPool } from '../platform/database.ts'
import { tellDatabaseRefusal } from '../platform/database-refusal.ts'
import { migrate } from '../platform/migrate.ts'
import type { Random } from '../platform/random.ts'
import { createSealedBox, type SealedBox } from '../platform/sealed-box.ts'
import { openDatabase } from './open-database.ts'

/** What every command is handed. */
export type Surroundings = {
  config: Config
  clock: Clock
  random: Random
  log: Logger
  /** A line for the operator. */
  say(line: string): void
  /** The same on standard error, where standard output carries something else. */
  sayAside(line: string): void
}

/** What a command does its work with. */
export type Operator = Surroundings & {
  pool: Pool
  database: Database
  sealedBox: SealedBox
}

export const migrationsFolder = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** A whole table is read in one statement. */
const statementTimeoutMs = 60 * 60 * 1000
const maxConnections = 2

/** Does some work on the service's database, brought up to date before, also while Parley serves. @throws StartProblem */
export async function withDatabase<T>(
  surroundings: Surroundings,
  work: (operator: Operator) => Promise<T>,
  { migrated = true }: { migrated?: boolean } = {},
): Promise<T> {
  const { config, random, log } = surroundings
  const opened = await openDatabase(config, log)
  const pool = createPool({ connection: opened.connection, maxConnections, statementTimeoutMs, log })
  try {
    if (migrated) await migrate(pool, migrationsFolder, log).catch(tellDatabaseRefusal)
    const secretKey = config.secretKey ?? (await readOrMakeSecretKey(config.dataDir, random))
    const database = createDatabase<Tables>(pool)
    return await work({ ...surroundings, pool, database, sealedBox: createSealedBox(secretKey) })
  } finally {
    await pool.end()
    await opened.close()
  }
}
