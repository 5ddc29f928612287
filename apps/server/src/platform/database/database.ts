import { CamelCasePlugin, Kysely, type PluginTransformResultArgs, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { operations } from '../operation.ts'
import type { DatabaseConnection } from './database-address.ts'
import { isConflict } from './database-failure.ts'
import { nameStatements } from './named-statements.ts'
import { prepareSession, type SessionSettings } from './prepare-session.ts'
import { createPrimaryClient, createPrimaryFinder } from './primary-finder.ts'
import type { Tables } from './tables.ts'

/** The database of the service; tests of this folder have tables of their own. */
export type Database<S = Tables> = Kysely<S>
export type Tx<S = Tables> = Transaction<S>

/** Fail fast with 503 rather than queue for a connection. */
const connectLimitMs = 3_000
/** Transactions hold their locks for milliseconds. */
const lockLimitMs = 3_000
/** Releases the locks of a transaction whose process hangs or is cut off. */
const idleInTransactionLimitMs = 10_000
/**
 * PostgreSQL cancels a statement itself; this much later we stop waiting for a server that does not respond at all.
 */
const responseGraceMs = 500
const transactionAttempts = 4
/** Losing a server breaks all idle connections: log them as one line. */
const idleLossLoggedEveryMs = 1_000

/** https://www.postgresql.org/docs/18/runtime-config-client.html */
const settingsOf = (statementTimeoutMs: number, own: SessionSettings): SessionSettings => ({
  ...own,
  statement_timeout: `${statementTimeoutMs}ms`,
  lock_timeout: `${lockLimitMs}ms`,
  idle_in_transaction_session_timeout: `${idleInTransactionLimitMs}ms`,
  // Plan each statement once, not again for each value: each is written for one plan by index. Small results need no
  // parallel workers.
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
  // The default, 4, is meant for rotating disks: a plan without values expects many rows for each address, so that it
  // counts a person's invitations by reading those of all people (2,781 pages instead of 6). Disabling sequential scans
  // would affect small tables and the statements of jobs.
  random_page_cost: '1.1',
})

/**
 * Create a pool of connections to PostgreSQL, over a Unix socket or a URL. An unavailable database shows in the
 * statements that need it (`readDatabaseFailure`), never as an uncaught error. The pool reconnects by itself, in a
 * cluster to the primary.
 */
export function createPool(options: {
  connection: DatabaseConnection
  maxConnections: number
  statementTimeoutMs: number
  /** Custom settings, `parley.…`, which statements read. */
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
    query_timeout: statementTimeoutMs + responseGraceMs,
    types: valueTypes(),
    async onConnect(client) {
      try {
        await prepareSession(client, settings, { requiresPrimary })
        finder?.confirm()
      } catch (error) {
        finder?.reset()
        throw error
      }
    },
  })
  let idleLossLoggedAt = Number.NEGATIVE_INFINITY
  pool.on('error', (error) => {
    finder?.reset()
    if (pool.ending || performance.now() - idleLossLoggedAt < idleLossLoggedEveryMs) return
    idleLossLoggedAt = performance.now()
    // Outside the operation of the request that opened it.
    operations.exit(() => log.warn({ err: error }, 'an idle database connection was lost'))
  })
  // The user of a broken connection gets an error from its next statement; an unhandled 'error' event would end the
  // process.
  pool.on('connect', (client) => client.on('error', () => finder?.reset()))
  // A connection was returned as broken: the next one may need another host.
  pool.on('release', (error) => {
    if (error) finder?.reset()
  })
  return pool
}

/** Create Kysely on the pool, with snake_case in the database and camelCase here. Destroying it ends the pool. */
export function createDatabase<S = Tables>(pool: pg.Pool): Database<S> {
  return new Kysely<S>({
    dialect: new PostgresDialect({ pool: nameStatements(pool) }),
    plugins: [new ColumnNames()],
  })
}

/** Convert camelCase to snake_case; `queryRows` names the columns of results. */
class ColumnNames extends CamelCasePlugin {
  override transformResult = async ({ result }: PluginTransformResultArgs) => result
}

/** The common part of the database and a transaction, whatever their tables. */
export type Executor = Pick<Kysely<unknown>, 'getExecutor'>

/**
 * Run `work` in a transaction, and retry it from the start after a conflict (40001, 40P01): its effects outside the
 * database must be repeatable. Throw the last conflict when all attempts fail.
 */
export async function inTransaction<S, T>(db: Database<S> | Tx<S>, work: (tx: Tx<S>) => Promise<T>): Promise<T> {
  // Inside another transaction `work` is part of it, and the outer call retries.
  if (db.isTransaction) return work(db as Tx<S>)
  return retryOnConflict(() => db.transaction().execute(work))
}

/** Retry a single statement, or any work that leaves no effect when it fails, after a conflict. */
export async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === transactionAttempts || !isConflict(error)) throw error
    }
  }
}

/**
 * pg's default types with three exceptions: int8 is a number where that is exact, a date stays text rather than
 * becoming midnight in some zone, and timestamps are read faster.
 */
function valueTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, (text: string) => {
    const number = Number(text)
    return Number.isSafeInteger(number) ? number : text
  })
  types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)
  types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readTimestamp)
  return types
}

const readAnyTimestamp = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)

/**
 * Read a timestamp, to the millisecond, in a third of the time that pg's regular expressions take; a list has hundreds.
 * Left to pg: other zones than UTC, infinity, and years that do not have four digits.
 */
export function readTimestamp(text: string): Date | number {
  const end = text.length - 3
  const isUsual = end >= 19 && text[0] !== '0' && text[4] === '-' && text.endsWith('+00')
  if (!isUsual) return readAnyTimestamp(text)
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - zeros
  let ms = 0
  for (let at = 20, unit = 100; at < end && unit >= 1; at++, unit /= 10) ms += (text.charCodeAt(at) - zero) * unit
  return new Date(Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), ms))
}

const zero = '0'.charCodeAt(0)
const zeros = 11 * zero
