import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Logger } from 'pino'
import { codeOf, messageOf } from '../error-facts.ts'
import { StartProblem } from '../start-problem.ts'
import { defineStatement } from './define-statement.ts'
import { type AppliedMigration, findPending, type Migration, readMigrations } from './migration-files.ts'

const oldestPostgres = 140_000
/** 'parley' on a phone keypad; an arbitrary number that all instances share. */
const lockKey = 727539
/** Rewriting a large table takes minutes; a statement without a limit could prevent the service from starting. */
const maxStatementMs = 3_600_000
/**
 * Requests queue behind a migration that waits for their table, so it gives up soon and retries. Longer than
 * PostgreSQL's default `deadlock_timeout`, after which an autovacuum yields to a session that waits for its table.
 */
const lockTimeoutMs = 1_500
/** The pause between two attempts, in which requests proceed. */
const pauseMs = 3_000
/** Longer than most reports and backups. */
const defaultMaxWaitMs = 600_000
/** Longer than another instance may wait for the tables that it migrates. */
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
  { maxWaitMs = defaultMaxWaitMs }: { maxWaitMs?: number } = {},
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
      await applyMigration(client, migration, log, maxWaitMs)
      log.info({ migration: migration.name }, 'migrated the database')
    }
    return { applied: pending.map((migration) => migration.name) }
  })
}

/** Apply a migration in its own transaction. While another session uses a table, retry until `maxWaitMs` have passed. */
async function applyMigration(client: PoolClient, migration: Migration, log: Logger, maxWaitMs: number) {
  const { name } = migration
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt++) {
    const failure = await tryMigration(client, migration)
    if (failure === undefined) return
    if (!isLockTimeout(failure)) {
      throw new StartProblem(`The migration ${name} failed and was taken back: ${messageOf(failure)}.`, {
        cause: failure,
      })
    }
    const waitedMs = Math.round(performance.now() - startedAt)
    if (waitedMs >= maxWaitMs) throw tooLong(name, waitedMs, failure)
    log.warn(
      { migration: name, attempt, waitedMs },
      'a migration waits for a table that another session uses; requests go on, and it is tried again',
    )
    await sleep(pauseMs)
  }
}

const recordStatement = defineStatement({
  name: 'record-migration',
  parameters: { name: 'text', sha256: 'text' },
  text: (p) => sql`insert into schema_migration (name, sha256) values (${p.name}, ${p.sha256})`,
})

/** Returns the error after which everything was taken back; undefined when the migration is applied. */
async function tryMigration(client: PoolClient, { name, sql: text, sha256 }: Migration): Promise<unknown> {
  try {
    await client.query('begin')
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(withoutLimit(text))
    await recordStatement.executeOn(client, { name, sha256 })
    await client.query('commit')
    return undefined
  } catch (error) {
    if (isLockTimeout(error)) await client.query('rollback')
    return error
  }
}

/** 55P03: lock_timeout; 40P01: deadlock, with the migration as its victim. */
const isLockTimeout = (error: unknown): boolean => ['55P03', '40P01'].includes(codeOf(error))

const tooLong = (name: string, waitedMs: number, cause: unknown) =>
  new StartProblem(
    `The migration ${name} has waited ${Math.round(waitedMs / 1000)} s for a table that another session uses, and ` +
      'changed nothing. Let the oldest transactions end (select pid, application_name, xact_start from ' +
      'pg_stat_activity order by xact_start), or end them with pg_terminate_backend, and start again; running ' +
      'instances are not affected.',
    { cause },
  )

/** Lift pg's query timeout, which is set for requests and missing in its types. */
const withoutLimit = (text: string): QueryConfig => {
  const query: QueryConfig & { query_timeout: number } = { text, query_timeout: maxStatementMs }
  return query
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
