import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { StartProblem } from '../start-problem.ts'
import { applyMigration, maxStatementMs } from './apply-migration.ts'
import { type AppliedMigration, findPending, readMigrations } from './migration-files.ts'

const oldestPostgres = 140_000
/** 'parley' on a phone keypad; an arbitrary number that all instances share. */
const lockKey = 727539
/** Longer than another instance may wait for the tables that it migrates (apply-migration.ts). */
const lockWaitLimitMs = 720_000
const lockLogIntervalMs = 30_000
const lockPollIntervalMs = 100
/** The lock timeout of work outside the migration files, such as the tables of jobs. */
const tableLockLimitMs = 1_000

/**
 * Apply the files `NNNN-name.sql` in `folder`: each in its own transaction, in order, once. One instance migrates while
 * the others wait. Runs nothing unless all applied migrations are unchanged in the folder. Throws a StartProblem when
 * they are not, when a file fails, or when a table, or the migrating instance, stays busy for about ten minutes.
 */
export async function migrate(
  pool: Pool,
  folder: string,
  log: Logger,
  { maxWaitMs }: { maxWaitMs?: number } = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder)
  return withMigrationLock(pool, log, async (client) => {
    await assertSupported(client)
    await client.query(`create table if not exists schema_migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now()
    )`)
    const { rows } = await client.query<AppliedMigration>('select name, sha256 from schema_migration order by name')
    const pending = findPending(migrations, rows)
    for (const migration of pending) {
      await applyMigration(client, migration, { pool, log, ...(maxWaitMs !== undefined && { maxWaitMs }) })
      log.info({ migration: migration.name }, 'migrated the database')
    }
    return { applied: pending.map((migration) => migration.name) }
  })
}

/**
 * Run `work` while no other instance migrates, on a connection without the limits for requests. The connection is
 * closed afterwards, and with it every plan from before the change.
 */
export async function withMigrationLock<T>(
  pool: Pool,
  log: Logger,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(`set statement_timeout = ${maxStatementMs}`)
    await client.query(`set lock_timeout = ${tableLockLimitMs}`)
    await client.query('set idle_in_transaction_session_timeout = 0')
    await takeLock(client, log)
    const result = await work(client)
    await client.query(`select pg_advisory_unlock(${lockKey})`)
    return result
  } finally {
    client.release(true)
  }
}

/** Poll for the lock: a session that waits inside PostgreSQL would block what a migration may wait for. */
async function takeLock(client: PoolClient, log: Logger) {
  for (let waitedMs = 0; waitedMs < lockWaitLimitMs; waitedMs += lockPollIntervalMs) {
    const { rows } = await client.query<{ taken: boolean }>(`select pg_try_advisory_lock(${lockKey}) as taken`)
    if (rows[0]?.taken === true) return
    if (waitedMs % lockLogIntervalMs === 0)
      log.info({ waitedMs }, 'waiting for another instance that is migrating the database')
    await sleep(lockPollIntervalMs)
  }
  throw new StartProblem(
    `Another instance has been migrating the database for ${lockWaitLimitMs / 60_000} minutes. Start this one when it is done.`,
  )
}

async function assertSupported(client: PoolClient) {
  const { rows } = await client.query<{ version: number; name: string; encoding: string }>(`select
    current_setting('server_version_num')::int as version, current_setting('server_version') as name,
    current_setting('server_encoding') as encoding`)
  for (const { version, name, encoding } of rows) {
    if (version < oldestPostgres) throw new StartProblem(`Parley needs PostgreSQL 14 or newer; this one is ${name}.`)
    if (encoding !== 'UTF8') {
      throw new StartProblem(`Parley needs a database with the encoding UTF8; this one has ${encoding}.`)
    }
  }
}
