import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Logger } from 'pino'
import { codeOf, messageOf } from '../errors.ts'
import { StartProblem } from '../start-problem.ts'
import { defineStatement } from './define-statement.ts'

const oldestPostgres = 140_000
/** 'parley' on a phone keypad; an arbitrary number that all instances share. */
const lockKey = 727539
/** Rewriting a large table takes minutes; a statement without a limit could prevent the service from starting. */
const maxStatementMs = 3_600_000
/**
 * Requests queue behind a migration that waits for their table: the migration gives up soon and retries. Longer than
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
 * the others wait. Nothing runs unless all applied migrations are unchanged in the folder. @throws StartProblem when
 * they are not, when a file fails, or when a table, or the migrating instance, stays busy for about ten minutes
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

/**
 * Try a migration. Return the error after which the transaction was rolled back; undefined when the migration is
 * applied.
 */
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

/** A file `NNNN-name.sql`; `sha256` is the hash of its text, in hexadecimal. */
type Migration = { name: string; sql: string; sha256: string }
export type AppliedMigration = Pick<Migration, 'name' | 'sha256'>

/** Read the migrations of a folder in order. @throws StartProblem for a malformed name or a duplicate number */
async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').sort()
  const numbers = new Set<string>()
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]
    if (number === undefined) throw new StartProblem(`The migration ${name} is not named like 0001-initial.sql.`)
    if (numbers.has(number)) throw new StartProblem(`Two migrations have the number ${number}.`)
    numbers.add(number)
  }
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** The first migration of the versions before 1.0.0, whose schema 0001-initial.sql replaces. */
const firstDevelopmentMigration = '0001-accounts.sql'

/** @throws StartProblem when the applied migrations are those of a version before 1.0.0 */
export function refuseDevelopmentVersion(applied: readonly Pick<AppliedMigration, 'name'>[], made: string): void {
  if (!applied.some(({ name }) => name === firstDevelopmentMigration)) return
  throw new StartProblem(
    `${made} was made by a development version of Parley, before 1.0.0, and cannot be upgraded. Export what you need ` +
      'with that version, and set up this one with an empty database: a DATA_DIR or a DATABASE_URL of its own.',
  )
}

/**
 * Find the migrations still to run. Throw a StartProblem unless the applied ones are the first of them, unchanged.
 */
function findPending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): readonly Migration[] {
  refuseDevelopmentVersion(applied, 'The database')
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const { name, sha256 } of applied) {
    const migration = known.get(name)
    if (migration === undefined) {
      throw new StartProblem(
        `The database has the migration ${name}, which this Parley does not know: it was written by a newer one. ` +
          'Start that version, or restore a backup from before the upgrade.',
      )
    }
    if (migration.sha256 !== sha256) {
      throw new StartProblem(
        `The migration ${name} is not the one that the database was made with. ` +
          'Put the file back as it was; a change to the database is a new migration.',
      )
    }
  }
  const pending = migrations.slice(applied.length)
  const names = new Set(applied.map(({ name }) => name))
  const late = migrations.slice(0, applied.length).find(({ name }) => !names.has(name))
  if (late !== undefined) {
    throw new StartProblem(
      `The migration ${late.name} comes before one that the database has already. Give it a higher number.`,
    )
  }
  return pending
}

/**
 * Read a database's applied migrations, in order, without changing anything: works on a standby and on a database of
 * any version. Undefined when it has no tables of Parley.
 */
export async function readAppliedMigrations(pool: Pool): Promise<AppliedMigration[] | undefined> {
  const { rows: found } = await pool.query<{ known: boolean }>(
    `select to_regclass('schema_migration') is not null as known`,
  )
  if (found[0]?.known !== true) return undefined
  const { rows } = await pool.query<AppliedMigration>('select name, sha256 from schema_migration order by name')
  return rows.length === 0 ? undefined : rows
}

/** The newest migration is the version of a database. */
export const versionOf = (applied: readonly AppliedMigration[]): string => applied.at(-1)?.name ?? 'none'

/**
 * Require that a database has exactly the migrations of `folder`, for code that reads or writes its rows.
 *
 * @throws StartProblem when the tables are missing, older (migrations are pending) or newer
 */
export async function requireCurrentSchema(applied: readonly AppliedMigration[] | undefined, folder: string) {
  if (applied === undefined) throw new StartProblem(noTables)
  const pending = findPending(await readMigrations(folder), applied)
  if (pending.length === 0) return
  throw new StartProblem(
    `The database is at ${versionOf(applied)}, and this version of Parley has ${countOf(pending.length)} more, up to ` +
      `${pending.at(-1)?.name}. This command does not migrate: run it in the version that serves, or start this ` +
      'version first, which migrates.',
  )
}

export const noTables = 'The database has no tables of Parley yet. Start Parley once, which makes them.'

/** Format a count: "1 migration", "3 migrations". */
const countOf = (migrations: number) => `${migrations} ${migrations === 1 ? 'migration' : 'migrations'}`
