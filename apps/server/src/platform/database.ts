import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { isPlanOutdated, nameStatements } from './named-statements.ts'

export type Database<S> = Kysely<S>
export type Tx<S> = Transaction<S>

/** A free or a new connection within this, or 503: callers wait elsewhere better than in our queue. */
const CONNECT_LIMIT_MS = 3_000
/** A deed holds its locks for milliseconds. */
const LOCK_LIMIT_MS = 3_000
/** A transaction whose process hangs, or is cut off, gives its locks back. */
const IDLE_IN_TRANSACTION_LIMIT_MS = 10_000
/** PostgreSQL ends a statement itself; this much later we stop waiting for a server that does not answer at all. */
const ANSWER_GRACE_MS = 500
const TRANSACTION_ATTEMPTS = 4
/**
 * Each statement is written for one way through the indexes: it is planned once, not again with each new value, and no
 * processes are started for what a few rows answer.
 */
const PLANNING = '-c plan_cache_mode=force_generic_plan -c max_parallel_workers_per_gather=0'

/**
 * Connections to PostgreSQL, over a Unix socket or a URL. A database that is away shows in the statements that need it
 * (`isUnavailable`), never as an uncaught error; the pool connects again by itself.
 */
export function createPool(options: {
  connection: pg.PoolConfig
  maxConnections: number
  statementTimeoutMs: number
  log: Logger
}): pg.Pool {
  const { connection, maxConnections, statementTimeoutMs, log } = options
  const pool = new pg.Pool({
    application_name: 'parley',
    keepAlive: true,
    ...connection,
    max: maxConnections,
    connectionTimeoutMillis: CONNECT_LIMIT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
    lock_timeout: LOCK_LIMIT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_LIMIT_MS,
    types: valueTypes(),
    options: [connection.options, PLANNING].filter(Boolean).join(' '),
  })
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  // Whoever holds a connection that breaks learns it from the next statement; without a listener Node would exit.
  pool.on('connect', (client) => client.on('error', () => {}))
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
      if (attempt === TRANSACTION_ATTEMPTS || !isConflict(error)) throw error
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

/** https://www.postgresql.org/docs/18/errcodes-appendix.html */
const unavailableStates = new Set([
  ...['57P01', '57P02', '57P03'], // shutting down, crashed, starting up
  ...['53300', '53400'], // too many connections, a limit reached
  '25006', // read-only: this server has just become the replica
])
const unavailableSystemErrors = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
])
/** pg has no codes for these. */
const unavailableMessages = new Set([
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
])

/** Whether the database is away, or has no connection left: the caller may try again in a while (503). */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as Error & { code?: unknown; syscall?: unknown }
  if (typeof code === 'string') {
    if (code.startsWith('08') || unavailableStates.has(code) || unavailableSystemErrors.has(code)) return true
    // The Unix socket is gone while PostgreSQL is.
    if (code === 'ENOENT' && syscall === 'connect') return true
  }
  if (unavailableMessages.has(error.message)) return true
  return error.cause !== undefined && isUnavailable(error.cause)
}

/** Whether PostgreSQL gave up on a statement, a lock or a transaction that took longer than it may. */
export function isTimeout(error: unknown): boolean {
  const code = codeOf(error)
  return code === '57014' || code === '55P03' || code === '25P03' || code === '25P04'
}

/** Whether another transaction was in the way, and the same work may succeed at the next try. */
function isConflict(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40001' || code === '40P01' || isPlanOutdated(error)
}

const codeOf = (error: unknown) => (Object(error) as { code?: unknown }).code
