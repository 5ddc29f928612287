import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
import type { DatabaseConnection } from './database-address.ts'
import { isConflict } from './database-failure.ts'
import { nameStatements } from './named-statements.ts'
import { prepareSession, type SessionSettings } from './prepare-session.ts'
import { createPrimaryClient, createPrimaryFinder } from './primary-finder.ts'

export type Database<S> = Kysely<S>
export type Tx<S> = Transaction<S>

/** A free or a new connection within this, or 503: callers wait elsewhere better than in our queue. */
const connectLimitMs = 3_000
/** A deed holds its locks for milliseconds. */
const lockLimitMs = 3_000
/** A transaction whose process hangs, or is cut off, gives its locks back. */
const idleInTransactionLimitMs = 10_000
/** PostgreSQL ends a statement itself; this much later we stop waiting for a server that does not answer at all. */
const answerGraceMs = 500
const transactionAttempts = 4
/** A server that is lost takes all idle connections along: one line for them. */
const idleLossLoggedEveryMs = 1_000

/** https://www.postgresql.org/docs/18/runtime-config-client.html */
const settingsOf = (statementTimeoutMs: number, own: SessionSettings): SessionSettings => ({
  ...own,
  statement_timeout: `${statementTimeoutMs}ms`,
  lock_timeout: `${lockLimitMs}ms`,
  idle_in_transaction_session_timeout: `${idleInTransactionLimitMs}ms`,
  // Each statement is written for one way through the indexes: it is planned once, not again with each new value, and no
  // processes are started for what a few rows answer.
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
})

/**
 * Connections to PostgreSQL, over a Unix socket or a URL. A database that is away shows in the statements that need it
 * (`readDatabaseFailure`), never as an uncaught error; the pool connects again by itself, to the host that takes writes
 * where there are several.
 */
export function createPool(options: {
  connection: DatabaseConnection
  maxConnections: number
  statementTimeoutMs: number
  /** Settings of this service's own, `parley.…`, which its statements read. */
  sessionSettings?: SessionSettings
  log: Logger
}): pg.Pool {
  const { maxConnections, statementTimeoutMs, sessionSettings = {}, log } = options
  const { hosts, requiresPrimary = false, ...connection } = options.connection
  const finder = hosts === undefined ? undefined : createPrimaryFinder(hosts, log)
  const settings = settingsOf(statementTimeoutMs, sessionSettings)
  const pool = new pg.Pool({
    application_name: 'parley',
    keepAlive: true,
    ...connection,
    ...(finder && { Client: createPrimaryClient(finder) }),
    max: maxConnections,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: statementTimeoutMs + answerGraceMs,
    types: valueTypes(),
    async onConnect(client) {
      try {
        await prepareSession(client, settings, { requiresPrimary })
        finder?.confirm()
      } catch (error) {
        finder?.forget()
        throw error
      }
    },
  })
  let idleLossLoggedAt = Number.NEGATIVE_INFINITY
  pool.on('error', (error) => {
    finder?.forget()
    if (pool.ending || performance.now() - idleLossLoggedAt < idleLossLoggedEveryMs) return
    idleLossLoggedAt = performance.now()
    // Whichever request has opened it.
    operations.exit(() => log.warn({ err: error }, 'an idle database connection was lost'))
  })
  // Whoever holds a connection that breaks learns it from the next statement; without a listener Node would exit.
  pool.on('connect', (client) => client.on('error', () => finder?.forget()))
  // A connection that is given back as broken: the next one may have to lead to another host.
  pool.on('release', (error) => {
    if (error) finder?.forget()
  })
  return pool
}

/** Kysely on the pool, with snake_case in the database and camelCase here. Ending it ends the pool. */
export function createDatabase<S>(pool: pg.Pool): Database<S> {
  return new Kysely<S>({
    dialect: new PostgresDialect({ pool: nameStatements(pool) }),
    // What stands in a JSON column is data, not names of ours.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}

/** A statement written by hand, for `db` or a transaction. Its rows come as PostgreSQL names the columns. */
export type Statement<Row> = (executor: Executor, values: readonly unknown[]) => Promise<Row[]>

/** What the database and a transaction have in common, whatever their tables. */
export type Executor = Pick<Kysely<unknown>, 'getExecutor'>

/**
 * Prepares `text` for the paths that every request takes: no query builder on the way, the driver's own speed.
 * `name` shows in pg_stat_activity, so that an operator finds the statement in the code.
 */
export function statement<Row>(name: string, text: string): Statement<Row> {
  const namedText = `/* ${name} */ ${text}`
  return async (executor, values) => {
    const query = CompiledQuery.raw(namedText, [...values])
    const result = await executor.getExecutor().provideConnection((connection) => connection.executeQuery<Row>(query))
    return result.rows
  }
}

/**
 * Runs `work` in a transaction, again from the start when another one was in its way (40001, 40P01): what it does
 * outside the database must bear that. Throws the last conflict when it has lost every time.
 */
export async function inTransaction<S, T>(db: Database<S> | Tx<S>, work: (tx: Tx<S>) => Promise<T>): Promise<T> {
  // Inside another transaction `work` is part of it, and whoever opened that one tries again.
  if (db.isTransaction) return work(db as Tx<S>)
  return untilUndisturbed(() => db.transaction().execute(work))
}

/** The same for a single statement, or whatever else undoes itself when it fails. */
export async function untilUndisturbed<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === transactionAttempts || !isConflict(error)) throw error
    }
  }
}

/** pg's own, but for two: int8 as a number where that is exact, and a date as its text, not as midnight somewhere. */
function valueTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const number = Number(text)
    return Number.isSafeInteger(number) ? number : text
  })
  types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)
  return types
}
